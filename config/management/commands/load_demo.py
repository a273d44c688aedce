"""The demo, for looking around."""

from django.core.management import BaseCommand, CommandError

from config import demo


class Command(BaseCommand):
    help = "Load the demo into an empty installation and print its sign-ins."

    def handle(self, *, verbosity, **options):
        if demo.is_loaded():
            self.stdout.write("The demo is there already; nothing was changed.")
            return
        try:
            sign_ins = demo.load()
        except demo.NotEmptyError:
            raise CommandError(
                "There are accounts already. The demo brings people of its own, among them "
                "a site admin, so it is loaded into an empty installation only."
            ) from None
        if verbosity:
            self.stdout.write(sign_ins, ending="")
