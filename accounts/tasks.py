"""The message that deletes the rows of ended sessions every hour."""

from celery import shared_task

from accounts.session_store import SessionStore


@shared_task(name="accounts.clear-sessions")
def clear_sessions() -> None:
    SessionStore.clear_expired()
