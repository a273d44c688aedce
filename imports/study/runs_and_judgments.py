"""Runs and judgments of others that come with a study: they stand beside its pairs.

The one place from which an import reaches their tables.
"""

from collections.abc import Collection as Ids
from typing import Any

from audit.refusals import Refused
from datasets.models import Collection, JudgmentSet, Level, Run
from datasets.runs.actions import add_run, topics_to_add
from datasets.runs.judgments import SAID, add_judgments, are_judgments_stored, key_of
from datasets.runs.levels import level_of
from datasets.runs.strangers import KnownDocuments, strangers_in_words
from formats import records
from formats.problems import BadInputError, Problems
from formats.words import listed

WITHOUT_QUERIES = "the collection has no queries yet, so there is nothing that this could be about."
IMPORT_THEM = "Import the queries before it, or with it."
SHARES_NOTHING = "it has none of the queries that come with it; it has {}."
CORRECT = "Correct its ids, or leave it out."
FURTHER = "{} is stored already and gets rankings of further topics ({:,}): {}."
LISTED = 3


class Beside:
    """The runs and judgments of a study that are not stored yet, by the hash of their file."""

    def __init__(self, study: records.Study, collection: Collection, by: Any) -> None:
        self.collection, self.by = collection, by
        self.has_new_queries = bool(study.queries)
        self.brings_documents = bool(len(study.documents))
        self.coming_queries = {query.id for query in study.queries}
        self.coming_topics = {topic.id for topic in study.topics}
        self.may_have_sub_queries = not any(topic.facet for topic in study.topics)
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
        for judgments in self.judgment_sets:
            subjects = {judgment.subject for judgment in judgments.judgments}
            level = SAID.get(judgments.level, "")
            self._refuse_strangers_alone(judgments.file, subjects, problems, level=level)
        for run in self.runs:
            self._refuse_strangers_alone(run.file, run.topics, problems)
            self._look_at_documents(run, problems)

    def _refuse_strangers_alone(
        self, file: str, names: Ids[str], problems: Problems, *, level: str = ""
    ) -> None:
        """Refuse a file about nothing that is stored or comes with it."""
        if any(self._comes(name, level) for name in names):
            return
        try:
            level_of(self.collection, names, level=level)
        except Refused as refused:
            if self.collection.queries.exists():
                problems.add(file, "", str(refused))
            else:
                shown_names = listed(list(names), LISTED)
                problems.add(file, "", SHARES_NOTHING.format(shown_names), CORRECT)

    def _comes(self, name: str, level: str) -> bool:
        """Whether files bring a query of this name, a part of one, or a topic."""
        is_topic = level != Level.QUERIES and name in self.coming_topics
        is_part = self.may_have_sub_queries and name.rpartition("_")[0] in self.coming_queries
        return is_topic or is_part or name in self.coming_queries

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
            topics = topics_to_add(collection=self.collection, run=run)
        except Refused as refused:
            problems.add(run.file, "", str(refused))
            return False
        if topics:
            self.notes.append(FURTHER.format(run.tag, len(topics), listed(topics, LISTED)))
        return topics == []

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
