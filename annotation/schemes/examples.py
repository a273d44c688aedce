"""Examples of rules in the guidelines: pairs that may be one, and who may know their gold."""

from collections.abc import Iterator

from django.db.models import QuerySet

from accounts.models import User
from annotation.models import FlagAnswer, Pair, SchemeVersion
from datasets.models import Membership

EXAMPLE = "  Example: "


def possible_examples() -> QuerySet[Pair]:
    """Pairs that may stand in the guidelines: their batch is handed in whole, and they have gold.

    Before, an example would tell those who still rate what others rated.
    """
    return Pair.objects.handed_in().filter(gold_value__isnull=False)


def rule_line(text: str) -> str:
    return "- " + " ".join(text.split())


def guidelines_for(user: User | int, version: SchemeVersion) -> str:
    """The guidelines of a version as this person may read them.

    A seat may be returned, and the overlap be raised, after a pair became an example. Until its
    batch is handed in again, only leads who may read the pair are shown the example: whoever else
    reads it may come to rate the pair.
    """
    text, collection = version.guidelines, version.scheme.collection_id
    if EXAMPLE not in text:
        return text
    shown = possible_examples()
    if Membership.objects.leads().filter(collection=collection, user=user).exists():
        shown = Pair.objects.visible_to_lead(user)
    answers = _rules(version)
    hidden = set(answers.exclude(rating__pair__in=shown).values_list("pk", flat=True))
    for answer, example, stand_in in _examples(answers):
        if answer in hidden:
            text = text.replace(example, stand_in)
    return text


def with_examples(text: str, version: SchemeVersion) -> str:
    """Guidelines that a lead edited, with the examples that they were not shown."""
    for _, example, stand_in in _examples(_rules(version)):
        text = text.replace(stand_in, example)
    return text


def _rules(version: SchemeVersion) -> QuerySet[FlagAnswer]:
    """Answers that became rules, the first one first."""
    return FlagAnswer.objects.filter(
        rating__pair__topic__collection=version.scheme.collection_id, kind=FlagAnswer.Kind.RULE
    ).order_by("pk")


def _examples(rules: QuerySet[FlagAnswer]) -> Iterator[tuple[int, str, str]]:
    """(answer, example, what stands in for it), as answers put them into the guidelines."""
    rows = rules.values_list("pk", "text", "scheme_version__guidelines")
    for number, (answer, text, guidelines) in enumerate(rows, start=1):
        _, _, after = guidelines.partition(f"\n{rule_line(text)}\n")
        if after.startswith(EXAMPLE):
            stand_in = f"  Example {number} is not shown while its pair is being judged."
            yield answer, after.partition("\n")[0], stand_in
