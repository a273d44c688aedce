"""Answers as a form holds them and as people read them."""

import json
from dataclasses import dataclass, field

from annotation.rating.components import MAX_COMPONENTS, WORDS, Met, suggest
from annotation.schemes.wording import KeyComponents, NamedKey
from formats.decimals import printed_grade

OWN_REASON = "cannot-judge:own"
ROWS_TO_FILL_IN = 4  # at least this many rows for key components, where no script adds more


@dataclass(frozen=True)
class Choice:
    """An option as the holder sees it: in the words of the version, for one facet."""

    key: str
    name: str
    shortcut: str
    value: str
    definition: str
    is_ordinal: bool

    @property
    def words(self):
        return f"{self.value} · {self.name}" if self.is_ordinal else self.name

    @property
    def shows_value(self):
        """Whether its value is said beside it: labels without an order have none that matters, and
        of others the key may be the value already."""
        return self.is_ordinal and self.shortcut != self.value


def make_choices(terms, facet_key):
    """The choices for topics under a facet; see `Terms.choices_of`."""
    definitions = terms.version.words.judged(facet_key).definitions
    words = terms.version.words.options_for(facet_key)
    scale = terms.scale_of(facet_key)
    return [
        Choice(
            key=option.key,
            name=words[option.key].name,
            shortcut=words[option.key].shortcut,
            value=printed_grade(option.value),
            definition=definitions.get(option.key, ""),
            is_ordinal=scale.is_ordinal,
        )
        for option in terms.options_of(facet_key)
    ]


def reasons(terms):
    """The reasons for "cannot judge", with the keys that the form sends."""
    return [
        NamedKey(f"cannot-judge:{reason.key}", reason.name)
        for reason in terms.version.words.cannot_judge_reasons
    ]


@dataclass(frozen=True)
class Answer:
    """An answer as the form holds it: `choice` is an option's key or a reason's, or empty.

    `components` are as a rating keeps them, or in a form also without a mark yet.
    """

    choice: str = ""
    own_reason: str = ""
    note: str = ""
    is_flagged: bool = False
    components: list = field(default_factory=list)
    # For people: "2 · Similar", or the reason why the pair cannot be judged.
    words: str = ""


def answer_of_rating(terms, facet, rating):
    """The stored answer to a topic under a facet. A reason that is not, or no longer, in the
    scheme's list is an own one."""
    if rating is None:
        return Answer()
    if rating.option_id:
        # An imported rating may hold an option that nobody can choose.
        keys = {option.pk: option.key for option in terms.options_of(facet)}
        choice, own_reason = keys.get(rating.option_id, ""), ""
    else:
        key_of_reason = {reason.name: reason.key for reason in reasons(terms)}
        choice = key_of_reason.get(rating.cannot_judge, OWN_REASON)
        own_reason = rating.cannot_judge if choice == OWN_REASON else ""
    return Answer(
        choice=choice,
        own_reason=own_reason,
        note=rating.note,
        is_flagged=rating.is_flagged,
        components=rating.components,
        words=_words(terms, facet, choice, own_reason),
    )


def answer_of_form(form):
    """The answer as it was typed and chosen, valid or not."""
    terms, facet = form.terms, form.facet
    choice = form["answer"].value() or ""
    own_reason = form["own_reason"].value() or ""
    return Answer(
        choice=choice,
        own_reason=own_reason,
        note=form["note"].value() or "",
        is_flagged=bool(form["is_flagged"].value()),
        components=form.components_typed,
        words=_words(terms, facet, choice, own_reason),
    )


def _words(terms, facet, choice, own_reason):
    if choice.startswith("cannot-judge:"):
        names = {reason.key: reason.name for reason in reasons(terms)}
        return f"Cannot judge: {own_reason if choice == OWN_REASON else names.get(choice, '')}"
    names = {option.key: option.words for option in terms.choices_of(facet)}
    return names.get(choice, "No grade of the scale")


class Components:
    """The key components of an aspect as the panel shows them.

    `rows` are the components of the answer. Where it has none, they are those into which the holder
    split the aspect for an earlier document, without marks. Empty rows follow.
    """

    def __init__(self, bench, answer, remembered):
        self.wording = bench.version.words
        self.words = self.wording.key_components or KeyComponents()
        filled = answer.components or [{"text": text, "met": ""} for text in remembered]
        row_count = len(filled)
        if not bench.is_read_only:
            row_count = min(MAX_COMPONENTS, max(ROWS_TO_FILL_IN, len(filled) + 1))
        self.rows = filled + [{"text": "", "met": ""}] * (row_count - len(filled))
        self.is_held = bool(answer.components)

    marks = list(WORDS.items())
    limit = MAX_COMPONENTS

    @property
    def question(self):
        return self.words.question

    @property
    def suggestions(self):
        """For the script, which suggests as the marks change."""
        return json.dumps(self.words.suggestions)

    @property
    def suggested(self):
        """The name of the option that the components suggest, once all are marked."""
        filled = [row for row in self.rows if row["text"] or row["met"]]
        if not filled or any(row["met"] not in set(Met) for row in filled):
            return ""
        key = suggest(filled, self.words.suggestions)
        return self.wording.option_name("", key)
