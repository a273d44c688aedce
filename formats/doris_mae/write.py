"""Writing the official DORIS-MAE file, entry by entry."""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from formats import doris_mae
from formats.doris_mae.records import AspectQuery, MachineAnswer, RatedPair
from formats.papers import Paper

# The text in a record for a key that the file did not have.
ABSENT = ""

Record = list[list[Any]]  # [key, its JSON text or None] of an entry, in its order
Sentences = Sequence[Mapping[str, Any]]  # each with "text" and "topics"


def links(sentences: Sentences) -> dict[str, list[str]]:
    """sent2aspect_id: the aspects of each sentence."""
    topics_of: dict[str, list[str]] = {}
    for sentence in sentences:
        sentence_topics = topics_of.setdefault(sentence["text"], [])
        sentence_topics += [topic for topic in sentence["topics"] if topic not in sentence_topics]
    return topics_of


def aspect_sentences(sentences: Sentences, tree: Iterable[str]) -> dict[str, list[str]]:
    """aspect_id2sent: the sentences of each aspect, and of each sub-aspect that has some."""
    texts_of: dict[str, list[str]] = {aspect: [] for aspect in tree}
    for sentence in sentences:
        for topic in sentence["topics"]:
            texts_of.setdefault(topic, []).append(sentence["text"])
    return texts_of


def derived(query: AspectQuery) -> dict[str, Any]:
    """The two maps of a query between its sentences and its aspects."""
    return {
        doris_mae.LINKS: links(query.sentences),
        doris_mae.SENTENCES: aspect_sentences(query.sentences, query.tree),
    }


def abstract_entry(abstract: Paper) -> dict[str, Any]:
    """An entry of Corpus."""
    values = {
        **abstract.metadata,
        "original_abstract": " ".join(sentence["text"] for sentence in abstract.sentences),
        "title": abstract.title,
        "abstract_id": int(abstract.paper_id),
    }
    return _restored(abstract.record or _usual(doris_mae.ABSTRACT_KEYS, values), values)


def query_entry(query: AspectQuery, position: int) -> dict[str, Any]:
    """The entry of Query at this position, which is the query's id in the file."""
    maps = derived(query)
    values = {
        **query.metadata,
        **maps,
        "query_text": query.text,
        doris_mae.POOL: [int(abstract_id) for abstract_id in query.pool],
        "aspects": query.tree,
    }
    record = query.record or _usual(doris_mae.QUERY_KEYS, values)
    entry = {}
    for key, text, *stand_in in record:
        if text is None or (stand_in and json.loads(stand_in[0]) != maps[key]):
            entry[key] = values[key]
        elif text != ABSENT:
            entry[key] = json.loads(text)
    if query.query_id != str(position):
        entry[doris_mae.QUERY_ID] = query.query_id
    return entry


def rated_entry(rated: RatedPair) -> dict[str, Any]:
    """An entry of Test_set."""
    values = {
        "aspect_id": rated.aspect_id,
        "abstract_id": int(rated.abstract_id),
        "human_annotation": rated.answers,
    }
    return _restored(rated.record or _usual(doris_mae.RATED_KEYS, values), values)


def machine_entry(answer: MachineAnswer) -> dict[str, Any]:
    """An entry of Annotation."""
    values = {
        "aspect_id": answer.aspect_id,
        "abstract_id": int(answer.abstract_id),
        "gpt_response": answer.response,
        "score": doris_mae.UNPARSED if answer.value is None else answer.value,
    }
    return _restored(answer.record or _usual(doris_mae.MACHINE_KEYS, values), values)


def write_object(members: Iterable[tuple[str, Iterable[str]]]) -> Iterator[str]:
    """The parts of a JSON object's text: `members` are (key, the parts of its value)."""
    separator = "{"
    for key, parts in members:
        yield f"{separator}\n {_json(key)}: "
        yield from parts
        separator = ","
    yield "\n}\n" if separator == "," else "{}\n"


def whole_value(value: Any) -> Iterator[str]:
    """The parts of a value that is written at once."""
    yield _json(value)


def listed(entries: Iterable[Any]) -> Iterator[str]:
    """The parts of a list, one entry to a line."""
    separator = "["
    for entry in entries:
        yield f"{separator}\n  {_json(entry)}"
        separator = ","
    yield "\n ]" if separator == "," else "[]"


def _usual(keys: Iterable[str], values: Container[str]) -> Record:
    return [[key, None] for key in keys if key in values]


def _restored(record: Record, values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: values[key] if text is None else json.loads(text) for key, text in record}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
