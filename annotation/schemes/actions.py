"""Making a scheme from a data file, and changing it as far as it may change."""

import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from operator import itemgetter
from pathlib import Path
from typing import Any

from accounts.models import User
from annotation.models import Facet, Option, Scale, Scheme, SchemeVersion, Seat
from annotation.rating.consensus import OF_AN_ORDER, RULES
from annotation.schemes.definitions import Definition, scales_in, wording_in
from annotation.schemes.files import definition_of
from annotation.schemes.fixed import is_fixed, rules_of, terms_of
from annotation.schemes.wording_checks import check_wording
from audit.actions import record
from audit.refusals import Invalid, Locked, Stale
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.models import Collection, Import, Topic
from formats.records import MAX_OVERLAP
from formats.words import counted

SHIPPED = Path(__file__).resolve().parent / "shipped"


def shipped_schemes() -> dict[str, str]:
    """The definitions that come with Facetwise, as {key: title}, in order of title."""
    definitions = (json.loads(path.read_text("utf-8")) for path in SHIPPED.glob("*.json"))
    titles = {definition["key"]: definition["title"] for definition in definitions}
    return dict(sorted(titles.items(), key=itemgetter(1)))


def load_definition(key: str) -> dict[str, Any]:
    """A shipped definition with its guidelines read in; KeyError where there is none."""
    if key not in shipped_schemes():
        raise KeyError(key)
    definition = json.loads((SHIPPED / f"{key}.json").read_text("utf-8"))
    definition["guidelines"] = (SHIPPED / f"{key}.md").read_text("utf-8")
    return definition


@one_transaction
def create_scheme(*, collection: Collection, definition: Definition, by: User | None) -> Scheme:
    """Give a collection its scheme, from a definition as `annotation/schemes/definitions.py` tells
    it."""
    scheme = Scheme.objects.create(
        collection=collection,
        title=definition["title"],
        overlap=definition["overlap"],
        rule=definition["rule"]["name"],
        hides_ratings=definition.get("hides_ratings", False),
    )
    write_terms(scheme, definition)
    version = _write_version(scheme, 1, definition, by)
    record(
        Verb.CREATE_SCHEME,
        collection,
        by=by,
        after={
            "scheme": definition["key"],
            **rules_of(scheme),
            **terms_of(scheme),
            "wording": version.wording_sha256,
        },
    )
    return scheme


def _write_version(
    scheme: Scheme, number: int, definition: Definition, by: User | None
) -> SchemeVersion:
    return SchemeVersion.objects.create(
        scheme=scheme,
        number=number,
        wording=wording_in(definition),
        guidelines=definition["guidelines"],
        created_by=by,
    )


def write_terms(scheme: Scheme, definition: Definition) -> None:
    """Insert the facets, scales and options of a scheme that has none."""
    Facet.objects.bulk_create(
        Facet(
            scheme=scheme,
            key=facet["key"],
            sentence_labels=facet.get("sentence_labels", []),
            position=position,
        )
        for position, facet in enumerate(definition["facets"])
    )
    for scale_position, defined in enumerate(scales_in(definition)):
        scale = Scale.objects.create(
            scheme=scheme,
            facet=defined.facet,
            is_ordinal=defined.is_ordinal,
            distance=defined.distance,
            position=scale_position,
        )
        Option.objects.bulk_create(
            Option(
                scale=scale,
                key=option["key"],
                value=Decimal(option["value"]),
                is_import_only=option.get("import_only", False),
                position=position,
            )
            for position, option in enumerate(defined.options)
        )


@one_transaction
def write_scheme(
    *, scheme: Scheme, definition: Definition, by: User, based_on: int | None = None
) -> Scheme:
    """Replace a scheme by another definition, before anything is rated under it.

    Facets that the collection's topics have stay. Nobody can rate meanwhile: every seat is locked,
    as a save does first, and a save that comes after it finds the new options.
    """
    scheme = _lock(scheme, based_on)
    collection, current = scheme.collection, scheme.current
    _wait_for_ratings(collection)
    if is_fixed(scheme, by=by):
        raise Locked("There are ratings already, or you rate yourself: only the wording changes.")
    _refuse_during_import(collection)
    _check_topics(collection, definition)
    nameless = {"key": "", "description": ""}
    if {**definition_of(scheme), **nameless} == {**definition, **nameless}:
        return scheme
    before = rules_of(scheme) | terms_of(scheme)
    _replace_terms(scheme, definition)
    version = _write_version(scheme, current.number + 1, definition, by)
    scheme = Scheme.objects.get(pk=scheme.pk)
    record(
        Verb.WRITE_SCHEME,
        collection,
        by=by,
        before=before,
        after={
            **rules_of(scheme),
            **terms_of(scheme),
            "version": version.number,
            "wording": version.wording_sha256,
        },
    )
    return scheme


def _lock(scheme: Scheme, based_on: int | None = None) -> Scheme:
    """The scheme read afresh under its lock. Raises Stale if it has another version by now than
    `based_on`, which the editor had in view."""
    scheme = locked(scheme)
    current = scheme.current
    if based_on is not None and based_on != current.number:
        raise Stale(
            f"Version {current.number} was saved meanwhile. Nothing was changed.", current=current
        )
    return scheme


def _replace_terms(scheme: Scheme, definition: Definition) -> None:
    """Write title, rules, facets, scales and options anew, as the definition has them."""
    Option.objects.filter(scale__scheme=scheme).delete()
    scheme.scales.all().delete()
    scheme.facets.all().delete()
    scheme.title, scheme.overlap = definition["title"], definition["overlap"]
    scheme.rule = definition["rule"]["name"]
    scheme.hides_ratings = definition.get("hides_ratings", False)
    scheme.save(update_fields=["title", "overlap", "rule", "hides_ratings"])
    write_terms(scheme, definition)


def _wait_for_ratings(collection: Collection) -> None:
    """Wait for ratings that are being saved; a later one waits for this transaction."""
    seats = Seat.objects.filter(batch__collection=collection).order_by("pk")
    list(seats.select_for_update(no_key=True).values_list("pk", flat=True))


def _refuse_during_import(collection: Collection) -> None:
    """An import settles pairs by the scheme that it began with."""
    if Import.objects.filter(collection=collection, state=Import.State.INACTIVE).exists():
        raise Locked("An import is being written. Save the scheme once it is done.")


def _check_topics(collection: Collection, definition: Definition) -> None:
    """Topics that are there already are judged under facets that stay, or as aspects."""
    topics = Topic.including_inactive.filter(collection=collection).order_by()
    used = set(topics.values_list("facet", flat=True).distinct())
    facet_keys = {facet["key"] for facet in definition["facets"]} or {""}
    gone = sorted(used - facet_keys)
    if "" in gone:
        raise Locked("The collection has aspects of queries, so its scheme judges aspects.")
    if gone:
        stand = counted(topics.filter(facet=gone[0]).count(), "topic")
        raise Locked(f"{stand} of the collection stand under {gone[0]}, so this facet stays.")


@one_transaction
def edit_wording(
    *,
    scheme: Scheme,
    wording: Mapping[str, Any],
    guidelines: str,
    change_note: str,
    by: User | None,
    based_on: int | None = None,
) -> SchemeVersion:
    """Make a new version of names, questions, definitions, keys and guidelines.

    Facets and options themselves stay: `wording` must name exactly those of the scheme.
    `based_on` is the number of the version that the editor had in view. Returns the current
    version, unchanged, when nothing differs.
    """
    scheme = _lock(scheme, based_on)
    current = scheme.current
    if (wording, guidelines) == (current.wording, current.guidelines):
        return current
    check_wording(scheme, wording)
    version = SchemeVersion.objects.create(
        scheme=scheme,
        number=current.number + 1,
        wording=wording,
        guidelines=guidelines,
        change_note=change_note,
        created_by=by,
    )
    record(
        Verb.EDIT_SCHEME,
        scheme.collection,
        by=by,
        before={"version": current.number},
        after={"version": version.number, "wording": version.wording_sha256},
        reason=change_note,
    )
    return version


@one_transaction
def change_rules(
    *,
    scheme: Scheme,
    by: User,
    overlap: int,
    rule: str = "",
    rule_distance: Decimal | str | None = None,
    hides_ratings: bool = False,
) -> Scheme:
    """Change how pairs are settled. After the first rating the rule is fixed.

    Without a rule it stays; its distance becomes that of every scale. The overlap is the default of
    batches still to be made; what an adjudicator sees at first is not part of the result. Both may
    change at any time.
    """
    scheme = _lock(scheme)
    distances = {scale.distance for scale in scheme.all_scales}
    new = {_distance(scheme, rule, rule_distance)} if rule else distances
    rule = rule or scheme.rule
    if not 1 <= overlap <= MAX_OVERLAP:
        raise Invalid(f"The overlap lies between 1 and {MAX_OVERLAP} annotators.")
    now = scheme.rule, distances, scheme.overlap, scheme.hides_ratings
    if (rule, new, overlap, hides_ratings) == now:
        return scheme
    before = rules_of(scheme)
    if (rule, new) != (scheme.rule, distances):
        _wait_for_ratings(scheme.collection)
        if is_fixed(scheme, by=by):
            raise Locked("There are ratings already, or you rate yourself, so the rule is fixed.")
        _refuse_during_import(scheme.collection)
    scheme.rule, scheme.overlap, scheme.hides_ratings = rule, overlap, hides_ratings
    scheme.save(update_fields=["rule", "overlap", "hides_ratings"])
    if new != distances:
        for scale in scheme.all_scales:
            [scale.distance] = new
        Scale.objects.bulk_update(scheme.all_scales, ["distance"])
    record(Verb.CHANGE_RULES, scheme.collection, by=by, before=before, after=rules_of(scheme))
    return scheme


def _distance(scheme: Scheme, rule: str, text: Decimal | str | None) -> Decimal | None:
    if rule not in RULES:
        raise Invalid(f"There is no rule {rule!r}; choose one of {', '.join(RULES)}.")
    if rule not in OF_AN_ORDER:
        return None
    if not all(scale.is_ordinal for scale in scheme.all_scales):
        raise Invalid("Grades without an order have no distance. Choose another rule.")
    try:
        distance = Decimal("" if text is None else text)
    except (InvalidOperation, TypeError):
        raise Invalid("The rule needs a distance, for example 2.") from None
    if not distance > 0:
        raise Invalid("The distance must be above 0.")
    return distance
