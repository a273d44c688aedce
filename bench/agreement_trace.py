"""Tell which files and functions a cold agreement page passes.

    python bench/agreement_trace.py [--page agreement:agreement] [--table PAGE TABLE] [--list]
        [--keep FOLDER]

Makes a small study as bench/agreement_pages.py does, asks for the page once in a fresh process,
and once more when nothing has changed. Counts, for `agreement/` and for the whole product: the
files in which a function ran, the functions, and how often a called function stood in another
file than the one called before it. Imports are not counted. With --list every file of
`agreement/` is named with its functions.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.shared.large_study import ROOT, SLUG, run_steps, say

SIZE = {"pairs": 360, "topics": 9, "raters": 2, "seed": 0}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--page", default="agreement:agreement", help="the name of its route")
    parser.add_argument("--table", nargs=2, metavar=("PAGE", "TABLE"), help="a CSV file instead")
    parser.add_argument("--list", action="store_true", help="name files and functions")
    run_steps(__file__, parser, lambda _: SIZE, trace)


class Trace:
    """Counts calls of functions below a folder, by their file."""

    def __init__(self, folder):
        self.folder = f"{folder}/"
        self.functions = Counter()
        self.changes = 0
        self.last = None

    def count(self, code):
        path = code.co_filename
        if code.co_name.startswith("<") or not path.startswith(self.folder) or "/.venv/" in path:
            return
        self.functions[path, code.co_qualname] += 1
        self.changes += self.last not in (None, path)
        self.last = path

    @property
    def files(self):
        return sorted({path for path, _ in self.functions})

    def __str__(self):
        return (
            f"{len(self.files)} files, {len(self.functions)} functions, "
            f"{self.changes:,} changes of file"
        )


def trace(options):
    from django.test import Client
    from django.urls import reverse

    from accounts.models import User

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(email="lead@example.org"))
    address = reverse(options.page, args=[SLUG])
    if options.table:
        address = reverse("agreement:table", args=[SLUG, *options.table, "csv"])
    for words in ("cold", "again"):
        product, agreement = Trace(ROOT), Trace(ROOT / "agreement")

        def profile(frame, event, _, both=(product, agreement)):
            if event == "call":
                for trace in both:
                    trace.count(frame.f_code)

        sys.setprofile(profile)
        response = client.get(address)
        sys.setprofile(None)
        assert response.status_code == 200, response.status_code
        say(f"{address} {words}: agreement {agreement}; product {product}")
        if options.list:
            for path in agreement.files:
                names = [name for of, name in agreement.functions if of == path]
                say(f"  {Path(path).relative_to(ROOT)}: {', '.join(names)}")


if __name__ == "__main__":
    main()
