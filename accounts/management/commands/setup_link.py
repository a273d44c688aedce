"""Print the address at which a fresh installation makes its first admin."""

from django.core.management.base import BaseCommand, CommandError

from accounts.actions import make_setup_link
from accounts.addresses import add_url_option, address_of
from audit.refusals import raised_as


class Command(BaseCommand):
    help = "Print the one-time address that makes the first site admin, while there is no account."

    def add_arguments(self, parser):
        add_url_option(parser)

    def handle(self, *, url, **options):
        with raised_as(CommandError):
            token = make_setup_link()
        self.stdout.write(address_of("accounts:set-up", token, url=url))
