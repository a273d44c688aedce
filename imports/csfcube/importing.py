"""Importing a CSFCube release: documents, queries, pools and topics; on request also its ratings
and the decisions on them, so that a finished study can be moved in."""

import hashlib
from decimal import Decimal

from adjudication.models import Decision
from annotation.rating.settle import set_decision
from annotation.reading.fixed import held_documents, is_held
from annotation.schemes.actions import create_scheme, load_definition
from audit.refusals import Refused
from datasets.models import Membership, Role
from formats import csfcube
from formats.csfcube.read import read_release
from imports import pairs as pairs_in
from imports import stored as stored_pairs
from imports.answers import OptionsOfTopics, options_by_value
from imports.csfcube import rows as datasets_in
from imports.csfcube.ratings import ANNOTATOR, RatingsComparison
from imports.published import PublishedMoving
from imports.run import carry_out, no_progress

KIND = "csfcube"
SCHEME = "csfcube"
ADJUDICATOR = "adjudicator"
LISTED = 100


def import_csfcube(
    *, sources, collection, by, with_ratings=False, progress=no_progress, effect=None
):
    """Bring a CSFCube release into a collection, whole or not at all.

    `sources` is what `find_in_folder` or `find_sources` made of the files. What the collection
    holds already is compared: new topics and candidates are added, their pairs wait for a batch;
    another text or label of a paper in a held batch, and another rating, is refused.
    `progress(done, total, stage)` is called now and then. `effect` is a context manager for the
    last transaction, by default one of its own.

    Raises BadInputError with everything that is wrong, or ImportRunningError.
    """
    moving = read_moving(sources, collection, by, with_ratings=with_ratings, progress=progress)
    return carry_out(moving, progress=progress, effect=effect)


def read_moving(sources, collection, by, *, with_ratings, progress=no_progress):
    """The release, read and ready to be compared and written."""
    collection.refresh_from_db()
    release = read_release(
        sources,
        scales=_scales(collection),
        progress=lambda done, total: progress(done, total, "Reading the files"),
    )
    return _Moving(release, collection, by, with_ratings=with_ratings)


def _scales(collection):
    """{facet: its values} of the collection's scheme, or of the one that it is about to get."""
    scheme = getattr(collection, "scheme", None)
    if scheme is None:
        definition = load_definition(SCHEME)
        values = [Decimal(option["value"]) for option in definition["options"]]
        return {facet["key"]: values for facet in definition["facets"]}
    facets = list(scheme.facets.values_list("key", flat=True))
    if not facets:
        raise Refused(
            f"{collection} judges aspects of queries, and a CSFCube release brings facets of "
            "papers. Import it into a collection with a scheme for facets."
        )
    return {facet: set(options_by_value(scheme.scale_of(facet))) for facet in facets}


class _Moving(PublishedMoving):
    """One release on its way in."""

    kind = KIND

    def __init__(self, release, collection, by, *, with_ratings):
        super().__init__(collection, by)
        self.release, self.with_ratings = release, with_ratings
        self.adjudicated = {}
        self.numbers = {}  # annotators who get the number of the readable files
        self.decided = {}  # (topic, document): the option that an adjudicator gave

    @property
    def fingerprint(self):
        parts = f"{self.release.fingerprint} {self.with_ratings}"
        return hashlib.sha256(parts.encode()).hexdigest()

    # Comparing

    def compare(self):
        release, collection = self.release, self.collection
        self.changes = datasets_in.plan(release, collection)
        self.pairs = stored_pairs.plan_pairs(
            {row.topic_id: release.judged(row) for row in release.rows}, collection
        )
        self._refuse_retold_papers()
        if self.with_ratings:
            comparison = RatingsComparison(release, collection, self.by, self.problems)
            comparison.compare({row.topic_id for row in self.changes.topics})
            self.ratings, self.adjudicated = comparison.ratings, comparison.adjudicated
            self.numbers = comparison.numbers()

    @property
    def is_empty(self):
        return self.changes.is_empty and not self.pairs.new and not self.numbers

    def _refuse_retold_papers(self):
        retold = {paper.paper_id: paper for paper in self.changes.retold}
        for paper_id, batch in sorted(held_documents(self.collection, retold).items()):
            self.problems.add(
                csfcube.ABSTRACTS,
                retold[paper_id].place,
                f"the title, text or labels of {paper_id} differ from what is stored. "
                f"{is_held(batch)}",
                "Leave the paper as it is, or import into a new collection.",
            )

    # Writing

    def write(self, writer, writing):
        options = OptionsOfTopics(self._scheme())
        documents = datasets_in.write(self.changes, self.release, writer, writing)
        self.write_pairs(
            options,
            documents,
            writer,
            name_of=lambda name: f"Annotator {name.removeprefix(ANNOTATOR)}",
            decide=self._decide_with(options),
            writing=writing,
        )
        if self.decided:
            self._write_decisions(writer)

    def _decide_with(self, options):
        """Decides a pair which the raters dispute, or on which the file has another grade."""

        def decide(pair, topic_id, document_id):
            grades = self.adjudicated.get(topic_id)
            if grades is None:
                return
            option = options[topic_id][grades[document_id]]
            if pair.gold_origin and pair.gold_value == option.value:
                return
            set_decision(pair, option)
            self.decided[topic_id, document_id] = option

        return decide

    def _scheme(self):
        scheme = getattr(self.collection, "scheme", None)
        if scheme is None:
            scheme = create_scheme(
                collection=self.collection,
                definition=load_definition(SCHEME),
                by=self.by,
            )
        return scheme

    @property
    def row_count(self):
        changes = self.changes
        rows = len(changes.papers) + len(changes.queries) + len(changes.candidates)
        return rows + 2 * len(changes.topics) + self.pairs.count + self.ratings_count

    def _write_decisions(self, writer):
        [adjudicator] = pairs_in.write_people(
            {ADJUDICATOR: [Role.ADJUDICATOR.value]}, writer, names={ADJUDICATOR: "Adjudicator"}
        ).values()
        pair_ids = pairs_in.pair_ids_of(writer.imported)
        writer.insert(
            Decision,
            (
                Decision(pair_id=pair_ids[key], adjudicator=adjudicator, option=option)
                for key, option in self.decided.items()
            ),
        )

    # The last transaction

    def apply(self):
        self._refuse_retold_papers()
        self.problems.raise_any()
        datasets_in.apply_changes(self.changes, self.collection)
        for external_id, number in self.numbers.items():
            Membership.objects.filter(collection=self.collection, external_id=external_id).update(
                readable_id=number
            )

    def summary(self):
        changes, release = self.changes, self.release
        changed = [changes.retold, changes.annotated, changes.resourced, changes.reworded]
        return {
            "papers": len(changes.papers),
            "queries": len(changes.queries),
            "candidates": len(changes.candidates),
            "topics": len(changes.topics),
            "pairs": self.pairs.count,
            "ratings": self.ratings_count,
            "decisions": len(self.decided),
            "machine_scores": 0,
            "changed": sum(map(len, changed)),
            "papers_read": release.papers_read,
            "with_ratings": self.with_ratings,
            "with_readable": bool(release.readable_numbers),
            "without_text": release.without_text[:LISTED],
            "without_text_count": len(release.without_text),
            "notes": release.notes,
        }
