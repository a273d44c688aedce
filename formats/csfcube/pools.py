"""test-pid2pool-csfcube.json: the candidates of each query paper and what put them there."""

from collections import Counter
from collections.abc import Set
from typing import Any

from formats import csfcube, strict
from formats.csfcube.reading import FETCH_AGAIN, Reading
from formats.csfcube.records import Pool
from formats.records import Place
from formats.strict import shown


def read_pools(reading: Reading) -> None:
    name = csfcube.POOLS
    for paper_id, entry in reading.json_object(name, reading.sources.pools).items():
        at = Place(name, key=f"key {shown(paper_id)}")
        if not reading.check_identifier(paper_id, at):
            continue
        if not has_keys(reading, entry, at, required={"cands", "cand_source"}):
            continue
        candidates, sources = entry["cands"], entry["cand_source"]
        if not check_candidates(reading, candidates, at):
            continue
        if not isinstance(sources, list) or len(sources) != len(candidates):
            refuse_unequal(reading, at, "cand_source", sources, candidates)
        elif not all(
            isinstance(methods, list) and all(isinstance(method, str) for method in methods)
            for methods in sources
        ):
            reading.refuse(at, "cand_source must hold a list of method names per candidate.")
        else:
            reading.release.pools[paper_id] = Pool(candidates, sources)


def has_keys(
    reading: Reading,
    entry: Any,
    at: Place,
    *,
    required: Set[str],
    optional: Set[str] = frozenset(),
) -> bool:
    if not isinstance(entry, dict):
        reading.refuse(at, f"{strict.kind_of(entry)}; expected an object.")
        return False
    lacking = sorted(required - set(entry))
    unknown = sorted(
        key
        for key in set(entry) - required - set(optional)
        if not (optional and key.startswith(csfcube.RATING_KEY))
    )
    for key in lacking:
        reading.refuse(at, f"{key} is missing.", FETCH_AGAIN)
    for key in unknown:
        reading.refuse(at, f"the key {shown(key)} is not known.", "Remove it from the file.")
    return not lacking and not unknown


def check_candidates(reading: Reading, candidates: Any, at: Place) -> bool:
    if not isinstance(candidates, list):
        reading.refuse(at, f"cands is {strict.kind_of(candidates)}, not a list.")
        return False
    accepted = [reading.check_identifier(paper_id, at) for paper_id in candidates]
    if not all(accepted):
        return False
    twice = [paper_id for paper_id, count in Counter(candidates).items() if count > 1]
    for paper_id in twice:
        reading.refuse(at, f"the candidate {paper_id} occurs twice.", "Keep one of the two.")
    return not twice


def refuse_unequal(
    reading: Reading, at: Place, key: str, values: Any, candidates: list[str]
) -> None:
    length = f"{len(values):,} values" if isinstance(values, list) else strict.kind_of(values)
    reading.refuse(
        at,
        f"{key} has {length}, but there are {len(candidates):,} candidates.",
        "Both lists must be of the same length.",
    )
