"""`manage.py migrate` where the database has an owner of its own (tests/proof/test_owner.py has the
rest)."""

import pytest
from django.core.management import CommandError, call_command
from django.db import connection


@pytest.mark.postgres_only
@pytest.mark.django_db
def test_who_does_not_own_the_tables_is_told_how_to_name_the_owner():
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE not_the_owner")
        cursor.execute("SET ROLE not_the_owner")

    with pytest.raises(
        CommandError,
        match=r"django_migrations\. The user .* in DATABASE_OWNER_URL",
    ):
        call_command("migrate", verbosity=0)
