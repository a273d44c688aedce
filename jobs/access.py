from django.shortcuts import get_object_or_404

from jobs.models import Job


def get_job_for(user, public_id):
    """The job, for its creator and for site admins; to others it does not exist."""
    return get_object_or_404(Job.objects.visible_to(user), public_id=public_id)
