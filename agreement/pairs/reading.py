"""The page of a pair, as data."""

from dataclasses import dataclass
from functools import cached_property

from adjudication.components import Comparison
from adjudication.raters import Rater
from adjudication.value_line import ValueMark, value_line
from annotation.flags.reports import FlagRow, flag_row
from annotation.models import Batch, Pair, Scale
from annotation.progress.history import Entry, history
from annotation.progress.pairs import NamedRating, pair_rows
from annotation.reading.texts import Sentence, ShownQuery, sentences, shown_query
from datasets.models import Candidate, Level, Ranking, Run
from formats.decimals import printed_grade


@dataclass(frozen=True)
class RunRank:
    """A run's rank for the paper, from 1, among `size`; None if the run does not rank it."""

    run: Run
    rank: int | None
    size: int

    @property
    def at(self) -> str:
        """The place of its dot, in per cent of the width."""
        share = (self.rank - 1) / max(self.size - 1, 1) if self.rank else 0
        return f"{100 * share:.2f}%"


class PairPage:
    """One pair, for a lead who may see everything that was said of it."""

    def __init__(self, pair: Pair, user) -> None:
        self.pair, self.user = pair, user
        self.collection = pair.topic.collection
        self.scheme = self.collection.scheme
        self.version = self.scheme.current
        self._read = {"facets": list(self.scheme.facets.all()), "words": self.version.words}

    @cached_property
    def shown(self) -> ShownQuery:
        return shown_query(self.pair, **self._read)

    @property
    def is_handed_in(self) -> bool:
        """Whether all seats of its batch are: only then do adjudicators see a dispute."""
        return Batch.objects.handed_in().filter(pairs=self.pair).exists()

    @cached_property
    def candidate(self) -> list[Sentence]:
        return sentences(self.pair.document, **self._read, marked=self.pair.topic.facet)

    @property
    def facet_name(self) -> str:
        return self.version.words.shown_name(self.pair.topic.facet)

    @property
    def are_numbered(self) -> bool:
        """Whether the candidate's sentences have numbers: under aspects, or for want of labels."""
        return bool(self.shown.aspect) or not any(sentence.tag for sentence in self.candidate)

    @cached_property
    def named_ratings(self) -> list[NamedRating]:
        pairs = Pair.objects.filter(pk=self.pair.pk)
        [row] = pair_rows(pairs, scheme=self.scheme, user=self.user)
        return row.ratings

    def name_of(self, option) -> str:
        """ "2 Similar": an option as people call it; a label by its name alone."""
        name = self.version.words.option_name(self.pair.topic.facet, option.key)
        if not self.scale.is_ordinal and name:
            return name
        return f"{printed_grade(option.value)} {name}".strip()

    @property
    def ratings(self) -> list[tuple[NamedRating, str]]:
        """(a rating, what it says), in the order of the seats."""
        return [
            (answer, self.name_of(answer.rating.option) if answer.rating.option else "Cannot judge")
            for answer in self.named_ratings
        ]

    @cached_property
    def seats(self) -> list[Rater]:
        """The ratings with their seats' numbers for letters."""
        return [
            Rater(str(answer.rating.seat.ordinal), answer.rating, words)
            for answer, words in self.ratings
        ]

    @property
    def line(self) -> list[ValueMark]:
        """The values of the scale with the seats that gave each, and the gold; labels stand on no
        line."""
        if not self.scale.is_ordinal:
            return []
        return value_line(self.scale.values, self.seats, self.pair.gold_value)

    @cached_property
    def scale(self) -> Scale:
        return self.scheme.scale_of(self.pair.topic.facet)

    @property
    def gold_words(self) -> str:
        """Its gold value as people call it: a label by its name."""
        value = self.pair.gold_value
        if value is None:
            return ""
        if self.scale.is_ordinal:
            return printed_grade(value)
        names = [self.name_of(option) for option in self.scale.option_list if option.value == value]
        return " or ".join(names)

    @cached_property
    def comparison(self) -> Comparison:
        """The seats' key components side by side; empty where nobody split the aspect."""
        return Comparison(self.seats)

    @property
    def heading(self) -> str:
        """The relation of the ratings to each other, in a few words."""
        values = {
            answer.rating.option.value for answer in self.named_ratings if answer.rating.option
        }
        if not self.named_ratings:
            return "Not rated yet"
        if len(self.named_ratings) == 1:
            return "One rating"
        if any(answer.rating.option is None for answer in self.named_ratings):
            return "Somebody cannot judge"
        if len(values) == 1:
            return "They agree"
        if not self.scale.is_ordinal:
            return "They gave different labels"
        return f"They differ by {printed_grade(max(values) - min(values))}"

    @cached_property
    def decision(self):
        """The decision that stands, or None."""
        standing = self.pair.decisions.filter(superseded_at=None)
        return standing.select_related("option", "adjudicator").first()

    @property
    def decision_words(self) -> str:
        if self.decision.option is None:
            return f"Left out: {self.decision.exclusion_reason}"
        return f"Gold: {self.name_of(self.decision.option)}"

    @property
    def cause(self) -> str:
        return self.version.words.cause_name(self.decision.cause)

    @cached_property
    def history(self) -> list[Entry]:
        return history(self.pair)

    @cached_property
    def flag(self) -> FlagRow:
        return flag_row(self.pair, self.named_ratings)

    @cached_property
    def sources(self) -> list[str]:
        """The sources that put the paper into the pools of the topic's queries."""
        candidates = Candidate.objects.filter(
            query__places__topic=self.pair.topic_id, document=self.pair.document_id
        )
        of_pools = candidates.values_list("sources", flat=True)
        return sorted({source for sources in of_pools for source in sources})

    @cached_property
    def ranks(self) -> list[RunRank]:
        """The rank of the paper in each run of topics: best first, runs without it last."""
        rankings = Ranking.objects.filter(
            run__system__collection=self.collection,
            run__level=Level.TOPICS,
            external_id=self.pair.topic.external_id,
        )
        paper = self.pair.document.external_id
        run_ranks = []
        for ranking in rankings.select_related("run__system"):
            documents = ranking.document_ids
            rank = documents.index(paper) + 1 if paper in documents else None
            run_ranks.append(RunRank(ranking.run, rank, len(documents)))
        return sorted(run_ranks, key=lambda place: (place.rank is None, place.rank or 0))
