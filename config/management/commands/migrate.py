"""Django's own `migrate`, as the owner of the database where there is one."""

from django.conf import settings
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import ProgrammingError

from config.owner import as_owner, grant_rights

NO_RIGHT = "42501"  # PostgreSQL's insufficient_privilege


class Command(migrate.Command):
    def handle(self, *args, **options):
        alias = options["database"]
        with as_owner(alias):
            try:
                super().handle(*args, **options)
            except ProgrammingError as error:
                if settings.DATABASE_OWNER or getattr(error.__cause__, "pgcode", "") != NO_RIGHT:
                    raise
                raise CommandError(
                    f"{str(error).strip()}. The user of DATABASE_URL does not own these tables. "
                    "Name the one who does in DATABASE_OWNER_URL."
                ) from error
            if settings.DATABASE_OWNER:
                grant_rights(alias)
