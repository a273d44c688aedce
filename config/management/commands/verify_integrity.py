"""`manage.py verify_integrity`: recompute every invariant from what is stored."""

from django.core.management.base import BaseCommand, CommandError

from audit.models import Seal
from config.integrity import findings

LISTED = 100


class Command(BaseCommand):
    help = "Seal the trail and recompute every invariant; exits with 1 when one does not hold."

    def add_arguments(self, parser):
        parser.add_argument(
            "--seal",
            metavar="HASH",
            action="append",
            default=[],
            help="a seal's hash from a log or a manifest, which the trail must have",
        )

    def handle(self, *args, seal, **options):
        broken = [
            *findings(),
            *(
                f"The trail has no seal {sha256}: it is not the one that this hash is from."
                for sha256 in seal
                if not Seal.objects.filter(sha256=sha256.strip().lower()).exists()
            ),
        ]
        for sentence in broken[:LISTED]:
            self.stdout.write(sentence)
        if broken:
            raise CommandError(f"{len(broken):,} findings; the first {LISTED} are listed above.")
        if newest := Seal.objects.order_by("-number").first():
            self.stdout.write(f"Seal {newest.number} of the trail has the hash {newest.sha256}.")
        self.stdout.write("Every invariant holds.")
