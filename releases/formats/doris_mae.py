"""The official DORIS-MAE file of a collection.

It holds queries, aspects, pools and abstracts, the ratings of finished test batches, and the
answers of one machine run; no gold. Further data that an import kept comes back as it was.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from formats import doris_mae
from formats.doris_mae import write
from releases.aspect_rows import AspectRows
from releases.formats import Choices, ExportFile
from releases.records import Study


def doris_mae_files(study: Study, choices: Choices) -> list[ExportFile]:
    members = _members(study, study.aspect_rows())
    return [ExportFile(doris_mae.FILE_NAME, write.write_object(members), has_gold=False)]


def doris_mae_notes(study: Study, choices: Choices) -> list[str]:
    """Sentences on the parts of the collection that this file leaves out."""
    rows = study.aspect_rows()
    imports = [summary for summary in study.import_summaries if "abstracts_read" in summary]
    notes = [note for summary in imports for note in summary["notes"]]
    in_file = max((summary["abstracts_read"] for summary in imports), default=0)
    stored = sum(summary["papers"] for summary in imports)
    if in_file > stored + len(rows.extra.get("without_text", [])):
        notes.append(
            f"{doris_mae.CORPUS} has the abstracts of the pools; the imported file had {in_file:,}."
        )
    if rows.run:
        notes.append(f"{doris_mae.ANNOTATION} has the answers of {', '.join(rows.run)}.")
    if rows.other_runs:
        notes.append(f"Left out, since there is room for one run: {'; '.join(rows.other_runs)}.")
    return list(dict.fromkeys(notes))


def _members(study: Study, rows: AspectRows) -> Iterator[tuple[str, Iterable[str]]]:
    """(key, parts of its value) in the order of the imported file, or in the official one."""
    test_set = next(
        (key for key, _ in rows.extra.get("keys", []) if key in doris_mae.TEST_SETS),
        doris_mae.TEST_SETS[0],
    )
    content = {
        doris_mae.TEXT2ID: lambda: write.whole_value(
            {text: aspect for aspect, text in _aspects(rows).items()}
        ),
        doris_mae.ID2TEXT: lambda: write.whole_value(_aspects(rows)),
        doris_mae.QUERY: lambda: write.listed(
            write.query_entry(query, position) for position, query in enumerate(rows.queries)
        ),
        doris_mae.CORPUS: lambda: write.listed(_corpus(study, rows)),
        doris_mae.ANNOTATION: lambda: write.listed(map(write.machine_entry, rows.answers())),
        test_set: lambda: write.listed(map(write.rated_entry, rows.rated)),
    }
    official_keys = [key for key in doris_mae.KEYS if key not in doris_mae.TEST_SETS]
    kept_texts = dict(rows.extra.get("keys") or dict.fromkeys([*official_keys, test_set]))
    # What the imported file did not have and the collection has by now.
    added = {doris_mae.ANNOTATION: rows.run, test_set: rows.rated}
    keys = dict.fromkeys([*kept_texts, *(key for key, is_present in added.items() if is_present)])
    for key in keys:
        text = kept_texts.get(key)
        yield key, content[key]() if text is None else write.whole_value(json.loads(text))


def _aspects(rows: AspectRows) -> dict[str, str]:
    return rows.aspects | dict(rows.extra.get("unused_aspects", []))


def _corpus(study: Study, rows: AspectRows) -> Iterator[dict[str, Any]]:
    """Every abstract that is stored, then those of the pools that have no text."""
    abstract_ids = set()
    for abstract in study.papers():
        abstract_ids.add(abstract.paper_id)
        yield write.abstract_entry(abstract)
    without_text = dict(rows.extra.get("without_text", []))
    pooled = dict.fromkeys(abstract_id for query in rows.queries for abstract_id in query.pool)
    for abstract_id in pooled:
        if abstract_id in abstract_ids:
            continue
        if abstract_id in without_text:
            yield json.loads(without_text[abstract_id])
        else:
            yield {"original_abstract": None, "abstract_id": int(abstract_id)}
