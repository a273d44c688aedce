"""Runs and judgments of others that come with a study: they stand beside its pairs.

The one place from which an import reaches their tables.
"""

from typing import Any

from audit.refusals import Refused
from datasets.models import Collection, JudgmentSet, Run
from datasets.runs.actions import add_run, is_run_stored
from datasets.runs.judgments import add_judgments, are_judgments_stored, key_of
from datasets.runs.strangers import KnownDocuments, strangers_in_words
from formats import records
from formats.problems import BadInputError, Problems

WITHOUT_QUERIES = "the collection has no queries yet, so there is nothing that this could be about."
IMPORT_THEM = "Import the queries before it, or with it."


class Beside:
    """The runs and judgments of a study that are not stored yet, by the hash of their file."""

    def __init__(self, study: records.Study, collection: Collection, by: Any) -> None:
        self.collection, self.by = collection, by
        self.has_new_queries = bool(study.queries)
        self.brings_documents = bool(len(study.documents))
        self.notes: list[str] = []
        self.pooled = {source for entry in study.pool for source in entry.sources}
        self.documents = KnownDocuments(collection, coming=study.documents)
        runs = Run.objects.filter(system__collection=collection)
        known_runs = set(runs.values_list("tag", "file_sha256"))
        self.runs = [run for run in study.runs if (run.tag, run.sha256) not in known_runs]
        sets = JudgmentSet.objects.filter(collection=collection)
        known_sets = set(sets.values_list("name", "file_sha256"))
        self.judgment_sets = [
            judgments
            for judgments in study.judgments
            if (judgments.name, judgments.sha256) not in known_sets
        ]

    def compare(self, problems: Problems) -> None:
        """Leave out what is stored from another file, and note what `store` would refuse: other
        rankings or judgments under a name in use."""
        files: dict[str, str] = {}
        for judgments in self.judgment_sets:
            first = files.setdefault(key_of(judgments.name), judgments.file)
            if first != judgments.file:
                problems.add(
                    judgments.file,
                    "",
                    f"the judgments have the same name as those of {first}.",
                    "Give one of the files another name.",
                )
        if self._lack_queries():
            for run in self.runs:
                problems.add(run.file, "", WITHOUT_QUERIES, IMPORT_THEM)
            for judgments in self.judgment_sets:
                problems.add(judgments.file, "", WITHOUT_QUERIES, IMPORT_THEM)
            return
        self.runs = [run for run in self.runs if not self._is_run_stored(run, problems)]
        self.judgment_sets = [
            judgments
            for judgments in self.judgment_sets
            if not self._are_judgments_stored(judgments, problems)
        ]
        for run in self.runs:
            self._look_at_documents(run, problems)

    def _look_at_documents(self, run: records.Run, problems: Problems) -> None:
        """Refuse a run on another corpus, and note what the collection lacks of a run's."""
        if not self.brings_documents:
            try:
                self.documents.refuse_strangers_alone(run.lines)
            except Refused as refused:
                problems.add(run.file, "", str(refused))
                return
        strangers = vars(self.documents.strangers(run.lines))
        if sentence := strangers_in_words({"strangers": strangers, "lines": len(run.lines)}):
            self.notes.append(f"{run.tag}: {sentence}")

    def _lack_queries(self) -> bool:
        """Whether nothing is there that a run or judgment could be about."""
        if self.is_empty or self.has_new_queries:
            return False
        return not self.collection.queries.exists()

    def _is_run_stored(self, run: records.Run, problems: Problems) -> bool:
        try:
            return is_run_stored(collection=self.collection, run=run)
        except Refused as refused:
            problems.add(run.file, "", str(refused))
            return False

    def _are_judgments_stored(self, judgments: records.JudgmentSet, problems: Problems) -> bool:
        try:
            return are_judgments_stored(collection=self.collection, judgments=judgments)
        except Refused as refused:
            problems.add(judgments.file, "", str(refused))
        except BadInputError as bad:
            for problem in bad.problems:
                problems.add(problem.file, problem.place, problem.message, problem.remedy)
        return False

    @property
    def is_empty(self) -> bool:
        return not self.runs and not self.judgment_sets

    def store(self) -> None:
        """Store them, in the transaction of the caller; raises Refused where one cannot be."""
        for run in self.runs:
            is_pooled = run.tag in self.pooled
            add_run(collection=self.collection, run=run, by=self.by, is_pooled=is_pooled)
        for judgments in self.judgment_sets:
            add_judgments(collection=self.collection, judgments=judgments, by=self.by)
