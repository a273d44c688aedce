"""The message by which rows of sessions that are over are deleted every hour."""

from celery import shared_task

from accounts.session_store import SessionStore


@shared_task(name="accounts.clear-sessions")
def clear_sessions() -> None:
    SessionStore.clear_expired()
