"""Making a collection, and changing what is set for the whole of it."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError

from accounts.models import User
from audit.actions import record
from audit.refusals import Invalid
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.changing import differing, write_change
from datasets.models import Collection

# `/collections/new/` is a page.
RESERVED_SLUGS = {"new"}
DETAILS = ["name", "description", "licence", "source", "citation"]
SIGN_IN_RULES = ["idle_hours", "lead_idle_hours", "leads_need_second_factor"]
SETTINGS = [*SIGN_IN_RULES, "scores_wait_for_locking", "programs_may_rate"]


@one_transaction
def create_collection(*, name: str, slug: str, by: User | None, **details: Any) -> Collection:
    """Make an empty collection. `details`: description, licence, source, citation.

    It has no members: whoever creates it does not thereby see into it.
    """
    if slug in RESERVED_SLUGS:
        raise Invalid(f"The address {slug!r} is taken by a page. Choose another one.")
    try:
        collection = Collection.objects.create(name=name, slug=slug, **details)
    except IntegrityError:
        raise Invalid(f"There is already a collection at the address {slug!r}.") from None
    after = {field: getattr(collection, field) for field in ["slug", *DETAILS, *SETTINGS]}
    record(Verb.CREATE_COLLECTION, collection, by=by, after=after)
    return collection


@one_transaction
def change_details(*, collection: Collection, by: User | None, **details: Any) -> Collection:
    """Change what a collection is called and what every export of it carries (DETAILS)."""
    return _change(collection, by, Verb.CHANGE_DETAILS, details)


@one_transaction
def change_sign_in_rules(*, collection: Collection, by: User, **rules: Any) -> Collection:
    """Change how long its members stay signed in, and with what (SIGN_IN_RULES)."""
    return _change(collection, by, Verb.CHANGE_SIGN_IN_RULES, rules)


@one_transaction
def change_scoring_guard(
    *, collection: Collection, by: User, scores_wait_for_locking: bool
) -> Collection:
    """Keep scores of runs closed until every topic is locked, or open them to leads."""
    return _change(
        collection,
        by,
        Verb.CHANGE_SCORING_GUARD,
        {"scores_wait_for_locking": scores_wait_for_locking},
    )


@one_transaction
def change_programs(*, collection: Collection, by: User, programs_may_rate: bool) -> Collection:
    """Let tokens rate in the seats of their people, or the pages alone."""
    return _change(collection, by, Verb.CHANGE_PROGRAMS, {"programs_may_rate": programs_may_rate})


def _change(
    collection: Collection, by: User | None, verb: Verb, values: Mapping[str, Any]
) -> Collection:
    collection = locked(collection)
    changed = differing(collection, values)
    write_change(collection, changed, verb=verb, by=by)
    return collection
