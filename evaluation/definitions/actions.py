"""Actions on mappings and protocols. A version never changes: a change adds another."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.utils.text import slugify

from accounts.models import User
from audit.actions import record
from audit.refusals import Invalid
from audit.transactions import locked, one_transaction
from audit.verbs import Verb
from datasets.models import Collection
from evaluation.definitions.reading import versions_of
from evaluation.models import Definition, MappingVersion, ProtocolVersion
from evaluation.protocols import Protocol, shipped
from formats.decimals import plain

T = TypeVar("T", bound=Definition)
LONGEST_KEY = 60
LARGEST_GRADE = 1000
DECIMALS = 3


class NameRefused(Invalid):
    """No key can be made of the name of a new definition, or there is one of that key."""


def add_mapping(
    *,
    collection: Collection,
    key: str = "",
    name: str,
    grades: Mapping[str, Mapping[str, Decimal | str]],
    by: User | None,
) -> MappingVersion:
    """Store a mapping, {facet of the scale: {option: grade}}, or the next version of the one of
    that key. Without a key it is a new one, addressed by its name.

    Every option of the scheme needs a grade, also those that nobody can choose. The same grades and
    name again change nothing. Invalid with a sentence for what is no mapping of this scheme.
    """
    key = key or _new_key(MappingVersion, collection, name)
    content = {"grades": _grades_of(collection, grades)}
    return _add(
        MappingVersion,
        Verb.ADD_MAPPING,
        collection,
        key=key,
        name=name,
        by=by,
        content=content,
    )


def add_protocol(
    *, collection: Collection, key: str = "", protocol: Protocol, by: User | None
) -> ProtocolVersion:
    """Store a protocol of the collection's own, or the next version of the one of that key; without
    a key a new one, addressed by its name. The key of a shipped one is refused; the same content
    again changes nothing."""
    key = key or _new_key(ProtocolVersion, collection, protocol.name)
    if key in shipped():
        raise Invalid(f"The program comes with a protocol {key!r}. Choose another name.")
    if abs(protocol.least) >= LARGEST_GRADE:
        raise Invalid(f"The least relevant grade is not under {LARGEST_GRADE:,}.")
    data = {name: value for name, value in protocol.data.items() if name not in ("key", "name")}
    return _add(
        ProtocolVersion,
        Verb.ADD_PROTOCOL,
        collection,
        key=key,
        name=protocol.name,
        by=by,
        content={"data": data},
    )


def _new_key(model: type[Definition], collection: Collection, name: str) -> str:
    key = slugify(name)[:LONGEST_KEY].strip("-")
    if not key:
        raise NameRefused("A name has at least one letter or digit.")
    if versions_of(model, collection, key):
        raise NameRefused(f"There is a {model._meta.verbose_name} of this name. Change that one.")
    return key


@one_transaction
def _add(
    model: type[T],
    verb: Verb,
    collection: Collection,
    *,
    key: str,
    name: str,
    by: User | None,
    content: dict[str, Any],
) -> T:
    # Two versions at once get numbers one after the other.
    locked(collection)
    earlier = model._default_manager.filter(collection=collection, key=key).order_by("-number")
    last = earlier.first()
    content = {"name": name.strip(), **content}
    if last and all(getattr(last, field) == value for field, value in content.items()):
        return last
    version = model(
        collection=collection,
        key=key,
        number=last.number + 1 if last else 1,
        created_by=by,
        **content,
    )
    try:
        version.full_clean(exclude=["created_by"])
    except ValidationError as error:
        raise Invalid(" ".join(error.messages)) from None
    version.save(force_insert=True)
    record(verb, version, by=by, after={"key": key, "version": version.number, **content})
    return version


def _grades_of(
    collection: Collection, grades: Mapping[str, Mapping[str, Decimal | str]]
) -> dict[str, dict[str, str]]:
    grades_of: dict[str, dict[str, str]] = {}
    for scale in collection.scheme.all_scales:
        facet_grades = grades.get(scale.facet, {})
        of_facet = f" of {scale.facet}" if scale.facet else ""
        for option in scale.option_list:
            if str(facet_grades.get(option.key, "")).strip() == "":
                raise Invalid(f"The mapping lacks a grade for the option {option.key}{of_facet}.")
            grades_of.setdefault(scale.facet, {})[option.key] = _grade(
                facet_grades[option.key], option.key
            )
        if strangers := sorted(facet_grades.keys() - grades_of[scale.facet].keys()):
            raise Invalid(f"The scheme has no option {strangers[0]}{of_facet}.")
    if strangers := sorted(grades.keys() - grades_of.keys()):
        raise Invalid(f"The scheme has no scale of {strangers[0]!r}.")
    return grades_of


def _grade(text: Decimal | str, option: str) -> str:
    try:
        grade = Decimal(str(text).strip())
    except InvalidOperation:
        grade = Decimal("nan")
    is_small = grade.is_finite() and -LARGEST_GRADE < grade < LARGEST_GRADE
    if not is_small or grade != round(grade, DECIMALS):
        raise Invalid(
            f"The grade of {option} is {str(text)!r}; expected a number under "
            f"{LARGEST_GRADE:,} with at most {DECIMALS} decimal places."
        )
    return plain(grade)
