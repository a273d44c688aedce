"""Django's own `migrate`, as the owner of the database where there is one."""

from django.conf import settings
from django.core.management.commands import migrate

from config.owner import as_owner, grant_rights


class Command(migrate.Command):
    def handle(self, *args, **options):
        alias = options["database"]
        with as_owner(alias):
            super().handle(*args, **options)
            if settings.DATABASE_OWNER:
                grant_rights(alias)
