from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self):
        # Importing it connects what happens at every sign-in.
        from accounts import sessions  # noqa: F401
