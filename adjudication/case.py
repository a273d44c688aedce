"""A pair that an adjudicator decides, as their screens show it."""

import uuid
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from accounts.models import User
from accounts.tokens import plain_save_id
from adjudication.components import Comparison
from adjudication.gaps import gap_of
from adjudication.models import Decision, FirstValue
from adjudication.raters import Rater
from adjudication.scale import Scale
from adjudication.strip import Strip
from adjudication.value_line import value_line
from annotation.models import Option, Pair
from annotation.reading.lens import candidate_lens, query_lens
from annotation.reading.texts import sentences, shown_query
from datasets.models import Membership
from formats.decimals import printed_grade


@dataclass(frozen=True)
class Choice:
    """An option to decide for, with the raters who chose it, and those who chose another option
    of the same value.
    """

    option: Option
    shortcut: str
    name: str
    definition: str
    by: list[Rater]
    alike: list[Rater]
    is_own: bool  # the adjudicator's first grade
    words: str

    @property
    def is_given(self):
        """A rater gave this value; any other needs a reason."""
        return bool(self.by or self.alike)

    @property
    def value(self):
        return printed_grade(self.option.value)


class Case(Protocol):
    """A pair that is being decided, from the queue or from an audit, as the desk needs it."""

    pair: Pair
    member: Membership
    decision: Decision | None
    strip: Strip
    scale: Scale
    # None until the ratings may be shown, and where they never are.
    raters: list[Rater] | None
    first_value: FirstValue | None
    asks_first_value: bool
    # The decision that a lead reopened last, while none stands; never shown in an audit.
    reopened: Decision | None

    @property
    def key(self) -> uuid.UUID:
        """The browser's name for the pair."""
        ...

    @property
    def address(self) -> str: ...

    @property
    def save_id(self) -> uuid.UUID: ...

    def words(self, decision: Decision) -> str: ...

    def decide(self, *, by: User, **decision: Any) -> Decision: ...


class PairInView:
    """A pair as its adjudicator has it in view, in the queue as in an audit.

    Everything about its ratings follows from `raters`, which each kind of case reads in its own
    way. Properties are read when they are needed: after a script's save, only some are.
    """

    raters: list[Rater] | None
    first_value: FirstValue | None
    reopened: Decision | None = None

    def __init__(self, *, pair, member, decision, strip, scale):
        self.pair, self.member, self.decision = pair, member, decision
        self.strip, self.scale = strip, scale
        self.is_locked = pair.topic.is_locked

    @cached_property
    def comparison(self):
        """The raters' key components side by side; None until the ratings may be shown."""
        return Comparison(self.raters) if self.raters else None

    @cached_property
    def shown(self):
        """The query that is read beside the candidate."""
        return shown_query(self.pair, facets=self.scale.facets, words=self.scale.words)

    @property
    def facet_name(self):
        return self.scale.words.shown_name(self.pair.topic.facet)

    @property
    def question(self):
        return self.scale.words.judged(self.pair.topic.facet).question

    @property
    def side_text(self):
        """The text that the pair carries beside its document, or None."""
        return getattr(self.pair, "side_text", None)

    @property
    def labelled_facet(self):
        """The name of the topic's facet where sentences may be labelled with it, else empty."""
        labelled = {facet.key for facet in self.scale.facets if facet.sentence_labels}
        return self.facet_name if self.pair.topic.facet in labelled else ""

    @property
    def query_lens(self):
        return query_lens(self.shown, self.labelled_facet)

    @property
    def candidate_lens(self):
        document_sentences = sentences(
            self.pair.document,
            facets=self.scale.facets,
            words=self.scale.words,
            marked=self.pair.topic.facet,
        )
        return candidate_lens(document_sentences, self.shown, self.labelled_facet)

    @property
    def choices(self):
        placed = [rater for rater in self.raters or [] if rater.rating.option]
        return [
            Choice(
                option=option,
                shortcut=self.scale.shortcut(option),
                name=self.scale.name(option),
                definition=self.scale.definition(option, self.pair.topic.facet),
                by=[rater for rater in placed if rater.rating.option == option],
                alike=[
                    rater
                    for rater in placed
                    if rater.rating.option != option and rater.rating.option.value == option.value
                ],
                is_own=self.raters is not None
                and self.first_value is not None
                and self.first_value.option_id == option.pk,
                words=self.scale.label(option),
            )
            for option in self.scale.options
        ]

    @cached_property
    def gap(self):
        if self.raters is None:
            return None
        values = [rater.rating.option.value for rater in self.raters if rater.rating.option]
        return gap_of(
            self.scale,
            lowest=min(values, default=None),
            highest=max(values, default=None),
            rating_count=len(self.raters),
            cannot_judge_count=len(self.raters) - len(values),
        )

    def words(self, decision):
        """A decision in one line: "2 · Similar", or that the pair is left out."""
        return self.scale.label(decision.option) if decision.option else "Left out"

    @property
    def decision_words(self):
        return self.words(self.decision) if self.decision else ""

    @cached_property
    def decisions(self):
        """All that were made on the pair, the oldest first."""
        return list(self.pair.decisions.select_related("option"))

    @property
    def save_id(self):
        """The save's UUID in a page without script, the same until another decision is made."""
        identity = self.pair.public_id, self.member.public_id, len(self.decisions)
        return plain_save_id("adjudication.save_id", *identity)

    @property
    def own_value(self):
        """The first grade that the adjudicator gave before they saw the ratings, or None."""
        if self.raters is None or not self.first_value:
            return None
        return self.first_value.option.value

    @property
    def line(self):
        """The values with who gave each; none where labels have no order to stand in."""
        if not self.scale.is_ordinal:
            return []
        return value_line(self.scale.values, self.raters, self.own_value)
