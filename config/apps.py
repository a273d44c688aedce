from django.apps import AppConfig

from config import logs


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self):
        # Importing them registers the Celery app, by which tasks are sent, and the checks.
        from config import celery, checks  # noqa: F401

        logs.install()
