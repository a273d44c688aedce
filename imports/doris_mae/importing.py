"""Importing a DORIS-MAE file: queries with their aspects, pools and abstracts; the ratings of its
test set, and its machine answers, which become a run of their own."""

import hashlib

from annotation.reading.fixed import held_documents, held_topics, is_held
from annotation.schemes.actions import create_scheme, load_definition
from audit.refusals import Invalid, Refused
from datasets.models import Topic
from formats import doris_mae
from formats.doris_mae.read import read_dataset
from imports import machine as machine_in
from imports import stored as stored_pairs
from imports.answers import OptionsOfTopics, options_by_value
from imports.doris_mae import rows as datasets_in
from imports.doris_mae.ratings import as_batches, new_ratings_of
from imports.published import PublishedMoving
from imports.run import carry_out, no_progress

KIND = "doris-mae"
SCHEME = "doris-mae"
LISTED = 100
# The name of a machine run whose file does not say what made it.
DEFAULT_MODEL = doris_mae.ANNOTATION
MAX_RUN_NAME_LENGTH = 120


def import_doris_mae(
    *, path, name, collection, by, model="", run="", progress=no_progress, effect=None
):
    """Bring a DORIS-MAE file into a collection, whole or not at all.

    `name` is that of the file. Its machine answers go to the run of that `model` and `run`
    name; without them to the one of earlier files, or one called after this file. What the
    collection holds already is compared: new queries, aspects and candidates are added, their
    pairs wait for a batch; another text or tree of what is in a held batch, and another rating, is
    refused.
    `progress(done, total, stage)` is called now and then. `effect` is a context manager for the
    last transaction, by default one of its own.

    Raises BadInputError with everything that is wrong, ImportRunningError, or Refused where the
    scheme does not fit.
    """
    moving = read_moving(path, name, collection, by, model=model, run=run, progress=progress)
    return carry_out(moving, progress=progress, effect=effect)


def read_moving(path, name, collection, by, *, model="", run="", progress=no_progress):
    """The file, read and ready to be compared and written."""
    collection.refresh_from_db()
    scheme = _scheme(collection, by)
    run_name = _run_name(collection, name, model, run)
    dataset = read_dataset(
        path,
        name=name,
        values=options_by_value(scheme.scale_of("")),
        progress=lambda done, total: progress(done, total, "Reading the file"),
    )
    return _Moving(dataset, collection, by, scheme=scheme, run=run_name)


def _scheme(collection, by):
    """The collection's scheme, if it judges aspects; one of its own where it has none."""
    scheme = getattr(collection, "scheme", None)
    if scheme is None:
        return create_scheme(collection=collection, definition=load_definition(SCHEME), by=by)
    if scheme.facets.exists():
        raise Refused(
            f"{collection} judges facets of papers, and a DORIS-MAE file brings aspects of "
            "queries. Import it into a collection with a scheme for aspects."
        )
    return scheme


def _run_name(collection, name, model, run):
    noted = datasets_in.noted_run(collection)
    if noted and not model and not run:
        return noted
    names = model.strip() or DEFAULT_MODEL, run.strip() or name.rpartition(".")[0] or name
    if max(map(len, names)) > MAX_RUN_NAME_LENGTH:
        raise Invalid(
            f"The names of the model and of its run have at most {MAX_RUN_NAME_LENGTH} characters."
        )
    return names


class _Moving(PublishedMoving):
    """One file on its way in."""

    kind = KIND

    def __init__(self, dataset, collection, by, *, scheme, run):
        super().__init__(collection, by)
        self.dataset, self.options = dataset, OptionsOfTopics(scheme)
        self.model, self.run = run

    @property
    def fingerprint(self):
        parts = f"{self.dataset.digest} {(self.model, self.run)}"
        return hashlib.sha256(parts.encode()).hexdigest()

    # Comparing

    def compare(self):
        self.changes = datasets_in.plan(self.dataset, self.collection, run=(self.model, self.run))
        self.pairs = stored_pairs.plan_pairs(self.dataset.pairs, self.collection)
        self._refuse_lacking_aspects()
        self._refuse_changes_of_what_is_fixed()
        new_ratings = new_ratings_of(self.dataset, self.collection, self.by, self.problems)
        self.ratings = as_batches(new_ratings)
        self._compare_scores()

    @property
    def is_empty(self):
        return self.changes.is_empty and not self.pairs.new and not self.new_scores

    def _add(self, place, message, remedy, *, about=""):
        self.problems.add(self.dataset.name, place, message, remedy, about=about)

    def _refuse_lacking_aspects(self):
        places = {query.query_id: query.place for query in self.dataset.queries}
        for query_id, aspects in self.changes.lacking.items():
            self._add(
                places[query_id],
                f"the query {query_id} has no longer {', '.join(aspects)}, which "
                f"{'is' if len(aspects) == 1 else 'are'} stored among its aspects.",
                "An import takes no aspect away. Remove it on the query's page, or add it here.",
            )

    def _refuse_changes_of_what_is_fixed(self):
        changes = self.changes
        changed = [*changes.reworded, *changes.rearranged]
        if not (changes.retold or changed or changes.reworded_aspects):
            return
        batches = held_documents(
            self.collection, [abstract.paper_id for abstract in changes.retold]
        )
        for abstract in changes.retold:
            if batch := batches.get(abstract.paper_id):
                self._add(
                    abstract.place,
                    f"the title or text of {abstract.paper_id} differs from what is stored. "
                    f"{is_held(batch)}",
                    "Leave the abstract as it is, or import into a new collection.",
                )
        batches = held_topics(self.collection)
        for aspect in changes.reworded_aspects:
            if aspect not in batches:
                continue
            self._add(
                f"{doris_mae.ID2TEXT}[{aspect}]",
                f"the text of the aspect {aspect} differs from what is stored. "
                f"{is_held(batches[aspect])}",
                "Leave the aspect as it is, or import into a new collection.",
            )
        for query in changed:
            batch = next((batches[aspect] for aspect in query.aspects if aspect in batches), None)
            if batch:
                self._add(
                    query.place,
                    f"the text, sentences or tree of the query {query.query_id} differ from what "
                    f"is stored. {is_held(batch)}",
                    "Leave the query as it is, or import into a new collection.",
                )

    def _compare_scores(self):
        stored = machine_in.stored_scores(self.collection, model=self.model, name=self.run)
        self.stored_scores = stored.keys()
        if not stored:
            self.new_scores = self.dataset.answers_count
            return
        self.new_scores = 0
        for answer in self.dataset.answers():
            stored_score = stored.get(answer.key)
            if stored_score is None:
                self.new_scores += 1
            elif stored_score != (answer.value, hash(answer.response)):
                self._add(
                    answer.place,
                    f"the run {self.run} of {self.model} has another score or response for aspect "
                    f"{answer.aspect_id} with abstract {answer.abstract_id}.",
                    "Give the run of this file another name.",
                )

    # Writing

    def write(self, writer, writing):
        dataset = self.dataset
        self.write_pairs(
            self.options,
            datasets_in.write(self.changes, dataset, writer, writing),
            writer,
            name_of=lambda name: name.replace("_", " ").capitalize(),
            writing=writing,
        )
        if self.new_scores:
            machine_in.write_scores(
                (answer for answer in dataset.answers() if answer.key not in self.stored_scores),
                writer,
                model=self.model,
                name=self.run,
                progress=writing,
            )

    @property
    def row_count(self):
        changes = self.changes
        rows = [changes.abstracts, changes.queries, changes.candidates, changes.aspects]
        return sum(map(len, rows)) + self.pairs.count + self.ratings_count + self.new_scores

    # The last transaction

    def apply(self):
        self._refuse_changes_of_what_is_fixed()
        self.problems.raise_any()
        datasets_in.apply_changes(self.changes, self.dataset, self.collection)

    @property
    def stakes(self):
        changes = self.changes
        grown = {query for query, _ in changes.candidates} | {
            query.query_id for query in [*changes.queries, *changes.extended, *changes.rearranged]
        }
        aspects = {
            aspect
            for query in self.dataset.queries
            if query.query_id in grown
            for aspect in query.aspects
        }
        topics = Topic.objects.filter(collection=self.collection).values_list("external_id", "pk")
        return [pk for external_id, pk in topics if external_id in aspects]

    def summary(self):
        changes, dataset = self.changes, self.dataset
        without_text = list(dataset.without_text)
        return {
            "papers": len(changes.abstracts),
            "queries": len(changes.queries),
            "candidates": len(changes.candidates),
            "topics": len(changes.aspects),
            "pairs": self.pairs.count,
            "ratings": self.ratings_count,
            "decisions": 0,
            "machine_scores": self.new_scores,
            "machine_run": [self.model, self.run] if self.new_scores else None,
            "changed": changes.changed_count,
            "abstracts_read": dataset.abstracts_read,
            "with_ratings": bool(dataset.rated),
            "without_text": without_text[:LISTED],
            "without_text_count": len(without_text),
            "unparsed": dataset.unparsed[:LISTED],
            "unparsed_count": dataset.unparsed_count,
            "notes": dataset.notes[:LISTED],
        }
