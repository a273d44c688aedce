"""One entry of each list of a DORIS-MAE file, checked by itself.

Each function raises BadTextError; its place is the key inside the entry.
"""

from collections.abc import Set
from typing import Any

from formats import doris_mae, strict
from formats.doris_mae.records import AspectQuery, MachineAnswer, RatedPair
from formats.doris_mae.values import (
    abstract_id_of,
    amount_of,
    check_idea,
    check_ids,
    check_score,
    first_repeated,
    map_of_lists,
    object_of,
    record_of,
    survives_json,
    text_or_null,
    with_maps,
)
from formats.doris_mae.write import derived
from formats.papers import Paper
from formats.records import MAX_OVERLAP
from formats.sentences import split_sentences
from formats.strict import BadTextError

# Of an annotator's name in the file, which becomes an identifier.
MAX_NAME_LENGTH = 120
# The title of a paper that has none.
UNTITLED = "Abstract {}"


def read_abstract(entry: Any, place: str) -> Paper:
    """An entry of Corpus; its sentences are empty where it has no text."""
    abstract_id = abstract_id_of(entry)
    strict.check_storable(entry)
    text = text_or_null(entry, "original_abstract") or ""
    title = text_or_null(entry, "title") or ""
    for key in doris_mae.CITATIONS:
        check_ids(entry.get(key), key)
    sentences = split_sentences(text)
    metadata = {
        key: entry[key] for key in doris_mae.ABSTRACT_KEYS if key in entry and key not in _COLUMNS
    }
    column_keys = {"abstract_id"}
    column_keys |= {key for key, value in metadata.items() if survives_json(value)}
    if " ".join(sentences) == text and entry.get("original_abstract") is not None:
        column_keys.add("original_abstract")
    if title.strip():
        column_keys.add("title")
    return Paper(
        paper_id=abstract_id,
        title=title if title.strip() else UNTITLED.format(abstract_id),
        sentences=[{"text": sentence, "label": None} for sentence in sentences],
        metadata=metadata,
        record=record_of(entry, column_keys),
        place=place,
    )


_COLUMNS = {"original_abstract", "title", "abstract_id"}


def read_query(entry: Any, position: int, place: str) -> AspectQuery:
    """An entry of Query, whose position in the list is its id."""
    object_of(entry)
    strict.check_storable(entry)
    text = entry.get("query_text")
    if not isinstance(text, str) or not text.strip():
        problem = "empty" if isinstance(text, str) else strict.kind_of(text)
        raise BadTextError(f"the text of the query is {problem}.", "Write it out.", "query_text")
    query_id = entry.get(doris_mae.QUERY_ID, str(position))
    strict.check_identifier(query_id)
    text_or_null(entry, "query_type")
    check_idea(entry.get("idea_from"))
    tree = map_of_lists(entry, "aspects")
    _check_tree(tree)
    sentences, strays = _sentences(entry, text, tree)
    query = AspectQuery(
        query_id=query_id,
        text=text,
        sentences=sentences,
        tree=tree,
        pool=_pool(entry),
        strays=strays,
        metadata={key: entry[key] for key in ("query_type", "idea_from") if key in entry},
        record=[],
        place=place,
    )
    column_keys = {"query_text", doris_mae.POOL, "aspects", *query.metadata}
    query.record.extend(with_maps(record_of(entry, column_keys), entry, derived(query)))
    return query


def read_rated(entry: Any, values: Set[Any], place: str) -> RatedPair:
    """An entry of Test_set; `values` are those of the scale."""
    aspect_id, abstract_id = _pair(entry)
    strict.check_storable(entry)
    answers = entry.get("human_annotation")
    if not isinstance(answers, dict) or not 1 <= len(answers) <= MAX_OVERLAP:
        raise BadTextError(
            f"{amount_of(answers)}; expected the scores of 1 to {MAX_OVERLAP} annotators.",
            "Write an object with a score for each.",
            "human_annotation",
        )
    for annotator, value in answers.items():
        strict.check_identifier(annotator)
        if len(annotator) > MAX_NAME_LENGTH:
            raise BadTextError(f"the name of an annotator has {len(annotator):,} characters.")
        if value is not None:
            check_score(value, values, f"human_annotation.{annotator}", ", or null for none given")
    is_usual = list(entry) == doris_mae.RATED_KEYS
    record = [] if is_usual else record_of(entry, set(doris_mae.RATED_KEYS))
    return RatedPair(aspect_id, abstract_id, answers, record, place)


def read_answer(entry: Any, values: Set[Any], place: str) -> MachineAnswer:
    """An entry of Annotation."""
    aspect_id, abstract_id = _pair(entry)
    strict.check_storable(entry)
    value = entry.get("score")
    is_unparsed = type(value) is int and value == doris_mae.UNPARSED
    if not is_unparsed:
        check_score(value, values, "score", ", or -1 for a response that could not be read")
    response = text_or_null(entry, "gpt_response")
    column_keys = set(doris_mae.MACHINE_KEYS)
    if response is None:
        column_keys.remove("gpt_response")
    is_usual = list(entry) == doris_mae.MACHINE_KEYS and response is not None
    return MachineAnswer(
        aspect_id=aspect_id,
        abstract_id=abstract_id,
        value=None if is_unparsed else value,
        response=response or "",
        record=[] if is_usual else record_of(entry, column_keys),
        place=place,
    )


# Parts of entries


def _pair(entry: Any) -> tuple[str, str]:
    aspect_id: Any = object_of(entry).get("aspect_id")
    strict.check_identifier(aspect_id)
    return aspect_id, abstract_id_of(entry)


def _pool(entry: Any) -> list[str]:
    pool = entry.get(doris_mae.POOL)
    if not isinstance(pool, list):
        raise BadTextError(
            f"{strict.kind_of(pool)}; expected a list of abstract ids.",
            "Write [] for an empty pool.",
            doris_mae.POOL,
        )
    check_ids(pool, doris_mae.POOL)
    if (twice := first_repeated(pool)) is not None:
        raise BadTextError(
            f"the abstract {twice} occurs twice.", "Keep one of the two.", doris_mae.POOL
        )
    return [str(abstract_id) for abstract_id in pool]


def _check_tree(tree: dict[str, list[str]]) -> None:
    for aspect, below in tree.items():
        if twice := first_repeated(below):
            raise BadTextError(
                f"the sub-aspect {twice} occurs twice.", "Keep one of the two.", f"aspects.{aspect}"
            )
    if cycle := _cycle(tree):
        raise BadTextError(
            f"the aspects go round in a circle: {' > '.join(cycle)}.",
            "An aspect cannot stand below itself; take one of them out.",
            "aspects",
        )


def _cycle(tree: dict[str, list[str]]) -> list[str] | None:
    """Aspects of which each stands below the one before and the last is the first; or None."""
    done = set()
    for root in tree:
        path: list[str] = []
        waiting = [iter([root])]
        while waiting:
            aspect = next(waiting[-1], None)
            if aspect is None:
                waiting.pop()
                if path:
                    done.add(path.pop())
            elif aspect in path:
                return [*path[path.index(aspect) :], aspect]
            elif aspect not in done:
                path.append(aspect)
                waiting.append(iter(tree.get(aspect, ())))
    return None


def _sentences(
    entry: Any, text: str, tree: dict[str, list[str]]
) -> tuple[list[dict[str, Any]], list[str]]:
    """The sentences with their aspects by both maps, as far as these are in the tree; and the other
    aspects. sent2aspect_id gives the sentences in order. Where it is empty, they come from the
    other map and from the rest of the text.
    """
    by_sentence = map_of_lists(entry, doris_mae.LINKS, required=False)
    by_aspect = map_of_lists(entry, doris_mae.SENTENCES, required=False)
    linked = list(
        dict.fromkeys(
            sentence for aspect_sentences in by_aspect.values() for sentence in aspect_sentences
        )
    )
    names = [*by_sentence, *linked]
    if not by_sentence:
        names += [
            sentence
            for sentence in split_sentences(text)
            if not any(sentence in other or other in sentence for other in linked)
        ]
        names.sort(key=lambda name: (name not in text, text.find(name)))
    topics = {sentence: list(by_sentence.get(sentence, [])) for sentence in names}
    for aspect, aspect_sentences in by_aspect.items():
        for sentence in aspect_sentences:
            if aspect not in topics[sentence]:
                topics[sentence].append(aspect)
    # In the order of the tree, so that both maps, in whatever order, say the same.
    used = dict.fromkeys(aspect for root, below in tree.items() for aspect in [root, *below])
    sentences = [
        {"text": sentence, "topics": [aspect for aspect in used if aspect in aspects]}
        for sentence, aspects in topics.items()
    ]
    strays = {aspect for aspects in topics.values() for aspect in aspects} - used.keys()
    return sentences, sorted(strays)
