"""The controls of the agreement pages: how figures are made, and which pairs count."""

from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString
from django.utils.text import Truncator

from agreement.statistics import CannotJudge, SummaryKind
from agreement.study.filters import Channel, Resampled
from agreement.study.grades import Relevance
from agreement.study.intervals import OVER
from agreement.study.selection import Selection
from agreement.tables.columns import METHODS, RULES

# Of an option in a list.
MOST_CHARACTERS = 60
SELECTED = " selected"


@dataclass(frozen=True)
class Control:
    """A list to choose from in the filter bar."""

    name: str
    label: str
    options: list[tuple[str, str]]
    value: str

    @property
    def as_html(self) -> SafeString:
        """The options, of which a large study has thousands: a template is slow to write them."""
        return SafeString(
            "".join(
                f'<option value="{escape(value)}"{SELECTED if value == self.value else ""}>'
                f"{escape(_shortened(words))}</option>"
                for value, words in self.options
            )
        )


def _shortened(words: str) -> str:
    is_plain = len(words) <= MOST_CHARACTERS and words.isascii()
    return words if is_plain else Truncator(words).chars(MOST_CHARACTERS)


def relevance_control(relevance: Relevance) -> Control:
    return Control("relevant", "Relevant", relevance.choices, relevance.name)


def controls_of(selection: Selection) -> list[Control]:
    """The choices of how figures are made."""
    filters = selection.filters
    return [
        Control(
            "summary",
            "Figures",
            [(kind.value, selection.unit.summary(kind)) for kind in SummaryKind],
            filters.summary.value,
        ),
        Control(
            "cannot-judge",
            "“Cannot judge”",
            [
                (rule.value, words)
                for rule, words in RULES.items()
                # Labels have no lowest value.
                if rule is not CannotJudge.LOWEST or selection.chosen.scale.is_ordinal
            ],
            filters.cannot_judge.value,
        ),
        Control(
            "bootstrap",
            "Intervals",
            [(method.value, words) for method, words in METHODS.items()],
            filters.method.value,
        ),
        Control(
            "resampled",
            "Resampled",
            [
                (Resampled.FITS.value, "as fits"),
                *(
                    (unit.value, selection.unit.over(over))
                    for unit, over in OVER.items()
                    if unit is not Resampled.FITS
                ),
            ],
            filters.resampled.value,
        ),
    ]


def more_controls(selection: Selection) -> list[Control]:
    """The choices of which pairs count."""
    filters, choices = selection.filters, selection.choices
    controls = [
        Control("query", "Query", [("", "all"), *choices.queries.items()], filters.query),
        Control(
            "annotator",
            "Rated by",
            [("", "anybody"), *((key, member.name) for key, member in choices.annotators.items())],
            filters.annotator,
        ),
        Control(
            "batch",
            "Batch",
            [("", "all"), *((key, batch.name) for key, batch in choices.batches.items())],
            filters.batch,
        ),
    ]
    if len(choices.versions) > 1:
        versions = [
            ("", "any"),
            *((str(number), f"version {number}") for number in choices.versions),
        ]
        controls.append(Control("version", "Scheme", versions, str(filters.version or "")))
    if filters.channel or selection.has_program_ratings:
        channels = [("", "any"), (Channel.PAGES.value, "by people at pages")]
        controls.append(Control("channel", "Ratings", channels, filters.channel.value))
    return controls
