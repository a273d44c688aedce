"""Checks across the parts of a DORIS-MAE file."""

from collections.abc import Container, Iterable

from formats import doris_mae
from formats.doris_mae.records import AspectQuery, Dataset
from formats.problems import Problems
from formats.strict import cut


def check_together(
    dataset: Dataset,
    ids: dict[str, str],
    texts: dict[str, str],
    known_abstracts: Container[str],
    problems: Problems,
) -> None:
    """Compare the parts, and give the dataset its aspects and pairs.

    `ids` and `texts` are the two maps between texts and ids of aspects, of which one may be
    missing; `known_abstracts` are the ids of all entries of Corpus.
    """
    check = _Together(dataset, known_abstracts, problems)
    check.compare_maps(ids, texts)
    dataset.aspects = texts or {aspect: text for text, aspect in ids.items()}
    check.queries()
    check.pairs()
    check.rated()
    check.answers()
    if unused := dataset.unused_aspects:
        dataset.notes.append(
            "Aspects that stand in no query, so that nobody rates them: "
            f"{', '.join(list(unused)[:20])}{' and others' if len(unused) > 20 else ''}."
        )


class _Together:
    def __init__(
        self, dataset: Dataset, known_abstracts: Container[str], problems: Problems
    ) -> None:
        self.dataset, self.known_abstracts = dataset, known_abstracts
        self.problems = problems

    def _add(self, place: str, message: str, remedy: str = "") -> None:
        self.problems.add(self.dataset.name, place, message, remedy)

    # aspect2aspect_id, aspect_id2aspect

    def compare_maps(self, ids: dict[str, str], texts: dict[str, str]) -> None:
        self._one_text_one_id(doris_mae.ID2TEXT, ((text, aspect) for aspect, text in texts.items()))
        # The other way round it is an id with two texts.
        text_of: dict[str, str] = {}
        for text, aspect in ids.items():
            if aspect in text_of:
                self._add(
                    doris_mae.TEXT2ID,
                    f"the aspect {aspect} has two texts: {_cut(text_of[aspect])} and {_cut(text)}.",
                    "Give the second text an id of its own.",
                )
            text_of[aspect] = text
        if not (ids and texts):
            return
        for aspect, text in texts.items():
            if ids.get(text) != aspect:
                other = f"aspect {ids[text]}" if text in ids else "no aspect"
                self._add(
                    f"{doris_mae.ID2TEXT}[{aspect}]",
                    f"the text {_cut(text)} is aspect {aspect} here, but {other} in "
                    f"{doris_mae.TEXT2ID}.",
                    "Both maps must say the same.",
                )
        for text, aspect in ids.items():
            if aspect not in texts:
                self._add(
                    f"{doris_mae.TEXT2ID}[{_cut(text)}]",
                    f"the aspect {aspect} is not in {doris_mae.ID2TEXT}.",
                    "Both maps must say the same.",
                )

    def _one_text_one_id(self, key: str, pairs: Iterable[tuple[str, str]]) -> None:
        aspect_of: dict[str, str] = {}
        for text, aspect in pairs:
            if text in aspect_of:
                self._add(
                    f"{key}[{aspect}]",
                    f"the text {_cut(text)} is aspect {aspect_of[text]} already.",
                    "Use one id wherever the text stands.",
                )
            else:
                aspect_of[text] = aspect

    # Query

    def queries(self) -> None:
        names: dict[str, str] = {}
        for position, query in enumerate(self.dataset.queries):
            first = names.setdefault(query.query_id, query.place)
            if first != query.place:
                self._add(
                    query.place,
                    f"the query {query.query_id} is {first} already.",
                    f"{doris_mae.QUERY_ID} must differ from every other id.",
                )
            self._aspects_of(query)
            for abstract_id in query.pool:
                if abstract_id not in self.known_abstracts:
                    self._add(
                        f"{query.place}.{doris_mae.POOL}",
                        f"the pool of query {position} names the abstract {abstract_id}, which is "
                        f"not in {doris_mae.CORPUS}.",
                        "Add the abstract, or take it out of the pool.",
                    )

    def _aspects_of(self, query: AspectQuery) -> None:
        for aspect in [*query.aspects, *query.strays]:
            if aspect not in self.dataset.aspects:
                self._add(
                    query.place,
                    f"the aspect {aspect} has no text.",
                    f"Add it to {doris_mae.ID2TEXT} and {doris_mae.TEXT2ID}.",
                )
        if query.strays:
            self.dataset.notes.append(
                f"{query.place}: sentences are linked with {', '.join(query.strays)}, which is "
                "not among the query's aspects. The links are kept for export only."
            )

    # Pairs

    def pairs(self) -> None:
        """Every aspect of a query with every abstract of its pool that has a text."""
        pairs: dict[str, dict[str, None]] = {aspect: {} for aspect in self.dataset.aspects}
        for query in self.dataset.queries:
            pool = [abstract for abstract in query.pool if abstract in self.dataset.offsets]
            for aspect in query.aspects:
                pairs.setdefault(aspect, {}).update(dict.fromkeys(pool))
        self.dataset.pairs = {aspect: pool for aspect, pool in pairs.items() if pool}

    def rated(self) -> None:
        self._check_pairs((rated.key, rated.place) for rated in self.dataset.rated)

    def answers(self) -> None:
        # Their keys are in memory, so that the answers are not read once more.
        self._check_pairs(
            (key, f"{doris_mae.ANNOTATION}[{position}]")
            for position, key in enumerate(self.dataset.answer_keys)
        )

    def _check_pairs(self, entries: Iterable[tuple[tuple[str, str], str]]) -> None:
        """Check (pair, place) of entries: each pair once, and in the pools."""
        place_of: dict[tuple[str, str], str] = {}
        for key, place in entries:
            aspect, abstract = key
            first = place_of.setdefault(key, place)
            if first is not place:
                self._add(
                    place,
                    f"aspect {aspect} with abstract {abstract} is {first} already.",
                    "Keep one of the two.",
                )
            elif abstract not in self.dataset.pairs.get(aspect, ()):
                self._add(place, *self._why_no_pair(aspect, abstract))

    def _why_no_pair(self, aspect: str, abstract: str) -> tuple[str, str]:
        if aspect not in self.dataset.aspects:
            return f"the aspect {aspect} has no text.", f"Add it to {doris_mae.ID2TEXT}."
        if abstract not in self.known_abstracts:
            return (
                f"the abstract {abstract} is not in {doris_mae.CORPUS}.",
                "Add the abstract, or remove this entry.",
            )
        if abstract in self.dataset.without_text:
            return (
                f"the abstract {abstract} is to be judged and has no text.",
                "Add its text, or remove this entry.",
            )
        return (
            f"no query with the aspect {aspect} has the abstract {abstract} in its pool.",
            "Add it to the pool, or remove this entry.",
        )


def _cut(text: str) -> str:
    return f"“{cut(text, 60)}”"
