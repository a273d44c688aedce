"""Imports that add no pool and no pair: runs, and judgments of others.

Files of a study may hold them too; then they come in with it
(`imports/study/runs_and_judgments.py`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from accounts.models import User
from audit.refusals import Invalid
from audit.transactions import one_transaction
from datasets.models import Collection, Level, Run, System
from datasets.runs.files import add_runs, read_runs
from datasets.runs.judgments import add_judgments
from datasets.runs.remarks import gaps_of_run
from formats.files import Files
from formats.problems import Problems
from formats.trec.qrels import read_qrels
from formats.words import counted

Settings = Mapping[str, str]
Store = Callable[[Files, Collection, User | None, Settings], Iterator[str]]


@dataclass(frozen=True)
class Beside:
    """One such format. `store` raises BadInputError and Refused, and gives a sentence for each
    file; `settings` are what it asks, with the values that each takes."""

    key: str
    reads: str
    store: Store
    settings: Mapping[str, list[str]]

    def check(self, settings: Settings) -> None:
        """Refuse, by Invalid, a setting that there is not."""
        for name, value in settings.items():
            if name not in self.settings:
                raise Invalid(f"{self.key} has no setting {name}; it has {_words(self.settings)}.")
            if value not in self.settings[name]:
                raise Invalid(
                    f"{name} is {value!r}; expected one of {_words(self.settings[name])}."
                )


def _words(names) -> str:
    return ", ".join(names)


def _store_runs(
    files: Files, collection: Collection, by: User | None, settings: Settings
) -> Iterator[str]:
    runs = read_runs(files)
    yield from (run.remark for run in runs if run.remark)
    for stored in add_runs(collection=collection, runs=runs, by=by, **settings):
        report = stored.run.report
        level = Level(stored.run.level)
        remark = "" if stored.is_new else " It was there already."
        if stored.further_count:
            verb = "is" if stored.further_count == 1 else "are"
            remark = f" {counted(stored.further_count, level.singular)} of these {verb} new to it."
        yield (
            f"{stored.run}: {counted(report['topics'], level.singular)}, "
            f"{counted(report['lines'], 'line')}, {counted(report['ties']['count'], 'tie')}, "
            f"{counted(report['contradictions']['count'], 'rank')} against the score.{remark}"
            f"{''.join(f' {sentence}' for sentence in gaps_of_run(stored.run))}"
        )


@one_transaction
def _store_qrels(
    files: Files, collection: Collection, by: User | None, settings: Settings
) -> Iterator[str]:
    problems = Problems()
    judgment_sets = [
        read_qrels(file, problems, name=file.base.rpartition(".")[0] or file.base, level="topic")
        for file in files
    ]
    problems.raise_any()
    sentences = [judgments.remark for judgments in judgment_sets if judgments.remark]
    for judgments in judgment_sets:
        stored = add_judgments(collection=collection, judgments=judgments, by=by, **settings)
        remark = "" if stored.is_new else " They were there already."
        sentences.append(
            f"{stored.judgment_set.key}: {len(judgments.judgments):,} judgments of "
            f"{stored.judgment_set.get_level_display()}.{remark}"
        )
    return iter(sentences)


BESIDE = {
    beside.key: beside
    for beside in [
        Beside(
            "trec-run",
            "TREC runs of six columns, or BIRCO's rankings; each file a run",
            _store_runs,
            {"level": Level.values, "order": Run.Order.values, "kind": System.Kind.values},
        ),
        Beside(
            "trec-qrels",
            "TREC qrels made elsewhere, kept as judgments; each file a set",
            _store_qrels,
            {"level": Level.values},
        ),
    ]
}
