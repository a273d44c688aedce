"""What a new study still lacks before the first rating, worked out from what is there."""

from dataclasses import dataclass

from annotation.models import Scheme
from annotation.progress.overview import Overview


@dataclass(frozen=True)
class Step:
    """A step of setting up; `missing` is what blocks a rating, empty once the step is done.

    `is_waiting` says that another step comes first.
    """

    key: str
    title: str
    words: str
    missing: str
    is_waiting: bool = False

    @property
    def is_done(self) -> bool:
        return not self.missing


@dataclass(frozen=True)
class SettingUp:
    """Nothing of it is stored: two leads see the same, and a step may be taken in any order."""

    steps: list[Step]

    @property
    def missing(self) -> list[Step]:
        return [step for step in self.steps if not step.is_done]

    @property
    def next(self) -> Step | None:
        """The first step that is missing and waits for none."""
        return next((step for step in self.missing if not step.is_waiting), None)


def setting_up(report: Overview, scheme: Scheme) -> SettingUp | None:
    """The steps, as long as one is missing; None for a study at work."""
    topics, people = len(report.topics), len(report.people)
    wanted, pairs = scheme.overlap, report.pairs
    needed = max(0, wanted - people)
    unassigned = report.waiting_pairs + report.free_seats
    steps = [
        Step("scheme", "Scheme", f"{scheme.title}. {scheme.rule_in_words}", ""),
        Step(
            "data",
            "Data",
            f"{topics:,} topic{'s' * (topics != 1)}, {pairs:,} pair{'s' * (pairs != 1)}."
            if topics
            else "Queries, their pools, and the texts of the documents.",
            "" if pairs else "Pairs: import queries with their pools",
        ),
        Step(
            "people",
            "People",
            f"Each pair is rated by {wanted}, without seeing each other's ratings. "
            f"{people or 'No'} annotator{'s' * (people != 1)} so far.",
            f"{needed} more annotator{'s' * (needed != 1)}" if needed else "",
        ),
        Step(
            "seats",
            "Batches and seats",
            "By a balanced plan that you see before it is applied, or by hand.",
            "Batches with seats given out" if unassigned or not pairs else "",
            is_waiting=not pairs or bool(needed),
        ),
    ]
    found = SettingUp(steps)
    if report.ratings_given or report.hidden_batches or not found.missing:
        return None
    return found
