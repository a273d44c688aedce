from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self):
        # The handlers of all apps register themselves in jobs/registry.py.
        autodiscover_modules("tasks")
