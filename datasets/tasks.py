"""The message that deletes kept answers to programs after a while."""

from celery import shared_task

from datasets.models import KeptAnswer


@shared_task(name="datasets.forget-answers")
def forget_answers() -> None:
    KeptAnswer.objects.old().delete()
