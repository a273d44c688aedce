"""The message by which what programs were answered is forgotten after a while."""

from celery import shared_task

from datasets.models import KeptAnswer


@shared_task(name="datasets.forget-answers")
def forget_answers() -> None:
    KeptAnswer.objects.old().delete()
