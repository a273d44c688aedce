"""Answering a flag: a reply, a word that it was discussed, or a rule of the guidelines."""

import re
from decimal import Decimal

from accounts.models import User
from annotation.models import FlagAnswer, Pair, Rating, SchemeVersion
from annotation.schemes.actions import edit_wording
from annotation.schemes.examples import EXAMPLE, possible_examples, rule_line
from audit.actions import record
from audit.refusals import Invalid, NotAllowed, Refused
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.models import Document, Membership
from formats.decimals import printed_grade

MAX_ANSWER_LENGTH = 2_000
# The guidelines' section to which rules are added; made with the first rule.
RULES_HEADING = "# Rules from questions"


@one_transaction
def answer_flag(
    *, rating: Rating, by: User, kind: str, text: str = "", with_example: bool = False
) -> FlagAnswer:
    """Answer an annotator's flag; they read it once their seat is handed in.

    A rule is added to the guidelines as a new version, which every annotator sees. `with_example`
    names the pair and its gold there: only once all seats of its batch are handed in and it has
    gold, since guidelines are read by those who still rate.

    Raises NotAllowed for a person who may not read the rating, Refused without a flag, and Invalid
    without a text.
    """
    rating = Rating.objects.select_related("pair__topic__collection__scheme").get(pk=rating.pk)
    collection = rating.pair.topic.collection
    leads = Membership.objects.leads().filter(collection=collection, user=by)
    may_read = Pair.objects.visible_to_lead(by).filter(pk=rating.pair_id)
    if not (leads.exists() and may_read.exists()):
        raise NotAllowed("Only a lead who may read the rating can answer its flag.")
    if not rating.is_flagged:
        raise Refused("The flag was taken back. There is nothing to answer.")
    text = text.strip()
    if not text and kind != FlagAnswer.Kind.DISCUSSED:
        raise Invalid("Write the answer first.")
    if len(text) > MAX_ANSWER_LENGTH:
        raise Invalid(f"The answer is longer than {MAX_ANSWER_LENGTH:,} characters.")
    version = None
    if kind == FlagAnswer.Kind.RULE:
        version = _add_rule(rating.pair, text, by=by, with_example=with_example)
    answer = FlagAnswer.objects.create(
        rating=rating, kind=kind, text=text, scheme_version=version, given_by=by
    )
    record(
        Verb.ANSWER_FLAG,
        rating.pair,
        by=by,
        collection=collection,
        after={
            "answer": answer.public_id,
            "rating": rating.public_id,
            "kind": kind,
            "text": text,
            "guidelines": version.number if version else None,
        },
    )
    return answer


def _add_rule(pair: Pair, text: str, *, by: User, with_example: bool) -> SchemeVersion:
    scheme = pair.topic.collection.scheme
    current = scheme.current
    rule = rule_line(text)
    if rule in current.guidelines.splitlines():
        raise Refused("The guidelines hold this rule already.")
    if with_example:
        if pair.gold_value is None or not possible_examples().filter(pk=pair.pk).exists():
            raise Refused(
                "The pair cannot be an example yet: all seats of its batch must be handed in, and "
                "it must have gold."
            )
        rule += f"\n{EXAMPLE}{_example(pair, pair.gold_value, current)}"
    return edit_wording(
        scheme=scheme,
        wording=current.wording,
        guidelines=with_rule(current.guidelines, rule),
        change_note="A rule from a question of an annotator",
        by=by,
    )


def with_rule(guidelines: str, rule: str) -> str:
    """The guidelines with one more rule at the end of their section of rules."""
    before, heading, rules = guidelines.partition(f"\n{RULES_HEADING}\n")
    if not heading:
        return f"{guidelines.rstrip()}\n\n{RULES_HEADING}\n\n{rule}\n"
    # Whatever a lead wrote below the rules stays below them.
    end = re.search(r"^#", rules, re.MULTILINE)
    at = end.start() if end else len(rules)
    following = rules[at:]
    return f"{before}{heading}{rules[:at].rstrip()}\n{rule}\n" + (
        f"\n{following}" if following else ""
    )


def _example(pair: Pair, gold: Decimal, version: SchemeVersion) -> str:
    grade = printed_grade(gold)
    options = version.words.options_for(pair.topic.facet)
    if pair.gold_option and pair.gold_option.key in options:
        grade += f" {options[pair.gold_option.key].name}"
    query = pair.topic.queries.select_related("document")[0]
    query_text = pair.topic.text or (query.document.heading if query.document else query.text)
    return f"{_quoted(pair.document)} for “{_plain(query_text)}” is {_plain(grade)}."


def _quoted(document: Document) -> str:
    """Its title, or how its text begins, in quotes."""
    return f"“{_plain(document.title)}”" if document.title else _plain(document.heading)


def _plain(text: str) -> str:
    """Text of a paper as it stands, not as Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~-])", r"\\\1", " ".join(text.split()))
