"""Make somebody a site admin, or let a site admin back in, from the server's own shell."""

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from accounts.actions import create_account, make_reset_link, make_site_admin
from accounts.addresses import add_url_option, address_of
from accounts.models import User
from accounts.second_factor import remove_second_factor
from audit.refusals import raised_as


class Command(BaseCommand):
    help = (
        "Make the account with this e-mail address a site admin, creating it if need be, and print "
        "a link by which its owner sets a password."
    )

    def add_arguments(self, parser):
        parser.add_argument("email", help="with which they sign in")
        parser.add_argument("--name", default="", help="name of a new account")
        parser.add_argument(
            "--without-second-factor",
            action="store_true",
            help="remove the account's second factor, whose device is lost",
        )
        add_url_option(parser)

    def handle(self, *, email, name, url, without_second_factor, **options):
        try:
            validate_email(email)
        except ValidationError:
            raise CommandError(f"{email!r} is not an e-mail address.") from None
        account = User.objects.filter(email=email.lower()).first()
        with raised_as(CommandError):
            if account is None:
                account = create_account(
                    email=email, name=name or email, password=None, is_site_admin=True
                )
            make_site_admin(account=account, by=None)
            if without_second_factor:
                remove_second_factor(account=account, by=None)
            token = make_reset_link(account=account, by=None)
        self.stdout.write(address_of("accounts:password-set", account.public_id, token, url=url))
