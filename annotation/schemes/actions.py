"""Making a scheme from a data file, and changing it as far as it may change."""

import json
from decimal import Decimal, InvalidOperation
from pathlib import Path

from annotation.models import Batch, Facet, Option, Rating, Scheme, SchemeVersion
from annotation.rating.consensus import RULES
from audit.actions import record
from audit.refusals import Invalid, Locked, Stale
from audit.transactions import one_transaction

SHIPPED = Path(__file__).resolve().parent / "shipped"


def shipped_schemes():
    """The definitions that come with Facetwise, as {key: title}, in order of title."""
    definitions = (json.loads(path.read_text("utf-8")) for path in SHIPPED.glob("*.json"))
    return dict(sorted(((d["key"], d["title"]) for d in definitions), key=lambda item: item[1]))


def load_definition(key):
    """A shipped definition with its guidelines read in; KeyError where there is none."""
    if key not in shipped_schemes():
        raise KeyError(key)
    definition = json.loads((SHIPPED / f"{key}.json").read_text("utf-8"))
    definition["guidelines"] = (SHIPPED / f"{key}.md").read_text("utf-8")
    return definition


@one_transaction
def create_scheme(*, collection, definition, by):
    """Give a collection its scheme, from a definition as in `annotation/schemes/shipped/`."""
    rule = definition["rule"]
    scheme = Scheme.objects.create(
        collection=collection,
        title=definition["title"],
        overlap=definition["overlap"],
        rule=rule["name"],
        rule_distance=rule.get("distance"),
    )
    Facet.objects.bulk_create(
        Facet(
            scheme=scheme,
            key=facet["key"],
            sentence_labels=facet["sentence_labels"],
            position=position,
        )
        for position, facet in enumerate(definition["facets"])
    )
    Option.objects.bulk_create(
        Option(
            scheme=scheme,
            key=option["key"],
            value=Decimal(option["value"]),
            is_import_only=option.get("import_only", False),
            position=position,
        )
        for position, option in enumerate(definition["options"])
    )
    version = SchemeVersion.objects.create(
        scheme=scheme,
        number=1,
        wording=_wording(definition),
        guidelines=definition["guidelines"],
        created_by=by,
    )
    record(
        verb="create scheme",
        subject=collection,
        by=by,
        collection=collection,
        after={
            "scheme": definition["key"],
            **rules_of(scheme),
            **terms_of(scheme),
            "wording": version.wording_sha256,
        },
    )
    return scheme


@one_transaction
def edit_wording(*, scheme, wording, guidelines, change_note, by, based_on=None):
    """Make a new version of names, questions, definitions, keys and guidelines.

    Facets and options themselves stay: `wording` must name exactly those of the scheme.
    `based_on` is the number of the version that the editor had in view. Returns the current
    version, unchanged, when nothing differs.
    """
    scheme = Scheme.objects.select_for_update(no_key=True).get(pk=scheme.pk)
    current = scheme.current
    if based_on is not None and based_on != current.number:
        raise Stale(
            f"Version {current.number} was saved meanwhile. Nothing was changed.", current=current
        )
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
        verb="edit scheme",
        subject=scheme.collection,
        by=by,
        collection=scheme.collection,
        before={"version": current.number},
        after={"version": version.number, "wording": version.wording_sha256},
        reason=change_note,
    )
    return version


@one_transaction
def change_rules(*, scheme, by, rule, overlap, rule_distance=None, hides_ratings=False):
    """Change how pairs are settled. After the first rating the rule is fixed.

    The overlap is the default of batches still to be made; what an adjudicator sees at first is
    not part of the result. Both may change at any time.
    """
    scheme = Scheme.objects.select_for_update(no_key=True).get(pk=scheme.pk)
    if rule not in RULES:
        raise Invalid(f"There is no rule {rule!r}; choose one of {', '.join(RULES)}.")
    try:
        distance = Decimal(rule_distance) if rule == "difference_of_at_least" else None
    except (InvalidOperation, TypeError):
        raise Invalid("The rule needs a distance, for example 2.") from None
    if distance is not None and not distance > 0:
        raise Invalid("The distance must be above 0.")
    if not 1 <= overlap <= 9:
        raise Invalid("The overlap lies between 1 and 9 annotators.")
    before = rules_of(scheme)
    if (rule, distance) != (scheme.rule, scheme.rule_distance) and is_fixed(scheme, by=by):
        raise Locked("There are ratings already, or you rate yourself, so the rule is fixed.")
    scheme.rule, scheme.rule_distance = rule, distance
    scheme.overlap, scheme.hides_ratings = overlap, hides_ratings
    scheme.save(update_fields=["rule", "rule_distance", "overlap", "hides_ratings"])
    if rules_of(scheme) != before:
        record(
            verb="change rules",
            subject=scheme.collection,
            by=by,
            collection=scheme.collection,
            before=before,
            after=rules_of(scheme),
        )
    return scheme


def is_fixed(scheme, *, by):
    """Whether facets, values and rule are fixed, since somebody has rated.

    For a lead who rates in an unfinished batch they are: whether the others have come to rate yet
    is not for a fellow annotator to learn.
    """
    ratings = Rating.objects.filter(pair__topic__collection=scheme.collection_id)
    shared = Batch.objects.filter(collection=scheme.collection_id).blind_to(by)
    return shared.exists() or ratings.exists()


def rules_of(scheme):
    return {
        "rule": scheme.rule,
        "rule_distance": scheme.rule_distance,
        "overlap": scheme.overlap,
        "hides_ratings": scheme.hides_ratings,
    }


def terms_of(scheme):
    """Facets with their sentence labels, and options with their values: what is fixed for ever."""
    return {
        "facets": {facet.key: facet.sentence_labels for facet in scheme.facets.all()},
        "options": {option.key: f"{option.value:.3f}" for option in scheme.options.all()},
    }


def check_wording(scheme, wording):
    """Raise Invalid, naming the place, unless the wording is complete and its keys differ."""
    options = [option.key for option in scheme.options.filter(is_import_only=False)]
    for facet in scheme.facets.all():
        _check_words(wording["facets"].get(facet.key), f"The facet {facet.key}", options)
    if "aspects" in scheme.current.wording:
        _check_words(wording.get("aspects"), "What an aspect is called", options)
    shortcuts = {}
    for option in options:
        words = wording["options"].get(option, {})
        if not words.get("name", "").strip():
            raise Invalid(f"The option {option} needs a name.")
        shortcut = words.get("shortcut", "")
        if len(shortcut) != 1 or not shortcut.isalnum():
            raise Invalid(f"{words['name']}: the key must be one letter or digit.")
        if shortcut in RESERVED_KEYS:
            raise Invalid(f"{words['name']}: the key {shortcut} already has a meaning.")
        if shortcut in shortcuts:
            raise Invalid(f"{words['name']} and {shortcuts[shortcut]} share the key {shortcut}.")
        shortcuts[shortcut] = words["name"]


def _check_words(words, what, options):
    if not words or not words.get("name", "").strip():
        raise Invalid(f"{what} needs a name.")
    for option in options:
        if not words.get("definitions", {}).get(option, "").strip():
            raise Invalid(f"{words['name']}: the option {option} needs a definition.")


# The workbench's own keys (undo, cannot judge, flag, note, guidelines, next, previous, facets, key
# components and taking what they suggest), and the adjudicator's (why they differ, leave out).
RESERVED_KEYS = set("usfngjkhmywx")


def _wording(definition):
    wording = {key: definition[key] for key in ("aspects", "key_components") if key in definition}
    return wording | {
        "facets": {
            facet["key"]: {
                "name": facet["name"],
                "question": facet["question"],
                "definitions": definition["definitions"][facet["key"]],
            }
            for facet in definition["facets"]
        },
        "options": {
            option["key"]: {"name": option["name"], "shortcut": option["shortcut"]}
            for option in definition["options"]
            if not option.get("import_only")
        },
        "cannot_judge_reasons": definition["cannot_judge_reasons"],
        "causes": definition["causes"],
    }
