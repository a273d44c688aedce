"""Values inside the entries of a DORIS-MAE file: their types, and what is kept beside them.

Each function that reads one raises BadTextError; its place is the key inside the entry.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Set
from typing import Any

from formats import doris_mae, strict
from formats.decimals import plain
from formats.doris_mae.write import ABSENT, Record
from formats.strict import BadTextError, shown


def map_of_lists(entry: Any, key: str, *, required: bool = True) -> dict[str, list[str]]:
    """{text: list of texts} under a key; empty where it is missing or null and may be."""
    value = entry.get(key)
    if value is None and not required:
        return {}
    if not isinstance(value, dict):
        raise BadTextError(
            f"{strict.kind_of(value)}; expected an object.", "Write {} where there is none.", key
        )
    for name, members in value.items():
        if not isinstance(members, list) or not all(isinstance(member, str) for member in members):
            raise BadTextError(
                f"{shown(name)} has {amount_of(members)}; expected a list of texts.", "", key
            )
    return value


def check_idea(value: Any) -> None:
    for member in value if isinstance(value, list) else [value]:
        if isinstance(member, bool) or not isinstance(member, (int, str, type(None))):
            raise BadTextError(
                f"{strict.kind_of(member)}; expected an abstract id, a list of them, or null.",
                "",
                "idea_from",
            )


def check_score(value: Any, values: Set[Any], place: str, also: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value not in values:
        scale = ", ".join(plain(grade) for grade in sorted(values))
        raise BadTextError(
            f"the score {shown(value)} is outside the scale.",
            f"The scheme takes {scale}{also}.",
            place,
        )


def object_of(entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise BadTextError(f"{strict.kind_of(entry)}; expected an object.")
    return entry


def abstract_id_of(entry: Any) -> str:
    """The id of the abstract that an entry names, which files write as a number."""
    value = object_of(entry).get("abstract_id")
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadTextError(
            f"{strict.kind_of(value)}; expected a whole number.",
            "Write it without quotation marks.",
            "abstract_id",
        )
    abstract_id = str(value)
    # Each digit is looked at, so only where there are many: a file has half a million of them.
    if len(abstract_id) > strict.MAX_ID_LENGTH:
        strict.check_identifier(abstract_id)
    return abstract_id


def text_or_null(entry: Any, key: str) -> str | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        raise BadTextError(f"{strict.kind_of(value)}; expected text or null.", "", key)
    return value


def check_ids(value: Any, key: str) -> None:
    if value is None:
        return
    if not isinstance(value, list):
        raise BadTextError(f"{strict.kind_of(value)}; expected a list of abstract ids.", "", key)
    for member in value:
        if isinstance(member, bool) or not isinstance(member, int):
            raise BadTextError(f"{shown(member)} is no abstract id.", "Ids are whole numbers.", key)


def first_repeated(values: Iterable[Any]) -> Any:
    seen = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def amount_of(value: Any) -> str:
    return f"{len(value):,} of them" if isinstance(value, (dict, list)) else strict.kind_of(value)


# Records


def record_of(entry: Any, own_keys: Container[str]) -> Record:
    return [
        [key, None if key in own_keys else json.dumps(value)]
        for key, value in entry.items()
        if key != doris_mae.QUERY_ID
    ]


def with_maps(record: Record, entry: Any, maps: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The record; where a map of the file differs from the derived one, both are kept."""
    record += [[key, ABSENT] for key in maps if key not in entry]
    for item in record:
        key, text = item
        if key in maps:
            # Compared as text: the order of keys is the order in which sentences are read again.
            stand_in = json.dumps(maps[key])
            yield [key, None] if text == stand_in else [key, text, stand_in]
        else:
            yield item


def survives_json(value: Any) -> bool:
    """Whether JSON, by whatever database, gives the same value back."""
    members = value if isinstance(value, list) else [value]
    return all(isinstance(member, (str, int, type(None))) for member in members)
