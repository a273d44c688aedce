"""Machine scores of pairs from a file. They never touch a seat."""

from collections.abc import Callable

from annotation.models import MachineRun, MachineScore, Pair
from datasets.models import Collection
from formats.problems import Problems
from formats.records import MachineAnswers
from imports.life import Writer

EXTRA_KEY = "record"


class NewScores:
    """The answers of a file's run that are not stored under its name yet; `count` of them."""

    def __init__(self, answers: MachineAnswers, collection: Collection) -> None:
        self.answers, self.collection = answers, collection
        self.model, self.run = answers.model, answers.run
        # Hashes instead of responses, of which a run may have a hundred megabytes.
        rows = MachineScore.objects.filter(
            run__collection=collection, run__model=self.model, run__name=self.run
        ).values_list(
            "pair__topic__external_id", "pair__document__external_id", "value", "response"
        )
        self.stored = {
            (topic, document): (value, hash(response))
            for topic, document, value, response in rows.iterator()
        }
        self.count = answers.count

    @property
    def name(self) -> list[str] | None:
        """Model and run to which new scores go."""
        return [self.model, self.run] if self.count else None

    def compare(self, problems: Problems) -> None:
        """Count what is new; what differs from a stored answer is added to `problems`."""
        if not self.stored:
            return  # all of them are new
        self.count = 0
        for answer in self.answers.read():
            stored = self.stored.get(answer.key)
            if stored is None:
                self.count += 1
            elif stored != (answer.value, hash(answer.response)):
                topic, document = answer.key
                problems.add(
                    self.answers.file,
                    answer.place,
                    f"the run {self.run} of {self.model} has another score or response for "
                    f"{topic} with {document}.",
                    "Give the run of this file another name.",
                )

    def write(self, writer: Writer, progress: Callable[[int], None]) -> None:
        """Insert the new scores under the run of that name. A run that is missing is made."""
        imported, collection = writer.imported, self.collection
        machine = {"collection": collection, "model": self.model, "name": self.run}
        run = MachineRun.objects.filter(**machine).first()
        if run is None:
            [run] = writer.create(MachineRun, [MachineRun(imported=imported, **machine)])
        pairs = Pair.including_inactive.filter(topic__collection=collection).values_list(
            "topic__external_id", "document__external_id", "pk"
        )
        pair_ids = {(topic, document): pk for topic, document, pk in pairs.iterator()}
        writer.insert_plain(
            MachineScore,
            ["imported_id", "run_id", "pair_id", "value", "response", "extra"],
            (
                (
                    imported.pk,
                    run.pk,
                    pair_ids[answer.key],
                    answer.value,
                    answer.response,
                    {EXTRA_KEY: answer.record} if answer.record else {},
                )
                for answer in self.answers.read()
                if answer.key not in self.stored
            ),
            progress=progress,
        )
