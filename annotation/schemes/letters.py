"""The letters that options have in the schemes a person works with."""

from accounts.keys import letter_owners
from annotation.models import Scheme
from datasets.models import Membership


def letters_of_options(user) -> dict[str, str]:
    """{letter: whose it is, for people}."""
    members = Membership.objects.current().filter(user=user)
    schemes = Scheme.objects.filter(collection__in=members.values("collection"))
    letters = {}
    for scheme in schemes.select_related("collection"):
        wording = scheme.current.words
        for part in [wording, *wording.facets.values()]:
            for words in part.options.values():
                if words.shortcut:
                    letters[words.shortcut] = f"“{words.name}” in {scheme.collection}"
    return letters


def register() -> None:
    if letters_of_options not in letter_owners:
        letter_owners.append(letters_of_options)
