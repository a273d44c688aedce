"""From the records of a study to what is stored: options, members, pools and pairs."""

from collections import Counter, defaultdict
from functools import cached_property
from typing import Any, NamedTuple

from annotation.models import Scheme
from datasets.models import Collection, Document, Membership, Role, Topic, TopicPlace
from formats.gaps import completed_ratings
from formats.grouping import grouped
from formats.problems import Problems
from formats.records import MAX_OVERLAP, NOT_RATED, Place, Published, Study
from formats.strict import as_seen, cut, shown
from imports.answers import NOT_IN_FILE, Answer
from imports.study.entries import Key, Person, Resolved, SideText, Verdict, is_gap
from imports.study.terms import Matching, Terms

MAX_NAME_LENGTH = 120
MAX_REASON_LENGTH = 200
MAX_TITLE_LENGTH = 200
# A cell that is no grade may hold a whole page.
SHOWN_LENGTH = 60
# The title of a side text whose file gives none.
UNTITLED = "Beside the document"
# The name of an adjudicator whom no file names.
ADJUDICATOR = "adjudicator"


class Members(NamedTuple):
    """The collection's: by what files call them, and by public id those who may be matched, with
    the addresses of those who sign in."""

    named: dict[str, Membership]
    current: dict[str, Membership]
    addressed: dict[str, Membership]

    def called(self, name: str, role: Role) -> Membership | None:
        """The member whom files call so, else the one in this role whose address it is."""
        member = self.addressed.get(name.lower())
        has_role = member is not None and getattr(member, f"is_{role}")
        return self.named.get(name) or (member if has_role else None)


class Resolver:
    """Resolves one study against one collection; adds to `problems` what cannot be."""

    def __init__(
        self, study: Study, collection: Collection, matching: Matching, problems: Problems
    ) -> None:
        self.study, self.collection, self.problems = study, collection, problems
        self.matching = matching
        self.terms = Terms(Scheme.objects.get(collection=collection), matching.grades)
        self.resolved = Resolved()
        self.names = study.published.names if study.published else {}
        # Facets of topics and the queries in which each stands, as stored and as read.
        stored = Topic.objects.filter(collection=collection)
        self.facets = dict(stored.values_list("external_id", "facet"))
        self.queries: dict[str, list[str]] = defaultdict(list)
        self.topics: dict[str, list[str]] = defaultdict(list)
        self._place_topics()
        self.has_text = set(study.documents.ids) - study.documents.without_text
        self.has_text |= set(
            Document.objects.filter(collection=collection).values_list("external_id", flat=True)
        )
        # Grades that stand for no option, each with its count and first place.
        self.unknown: Counter[tuple[str, str]] = Counter()
        self.first_unknown: dict[tuple[str, str], Place] = {}

    def _place_topics(self) -> None:
        places = TopicPlace.objects.filter(query__collection=self.collection)
        rows = places.order_by("query__position", "position", "id").values_list(
            "topic__external_id", "query__external_id"
        )
        for topic, query in rows:
            self._place(topic, query)
        for record in self.study.topics:
            self.facets.setdefault(record.id, record.facet)
            for place in record.places:
                self._place(record.id, place.query)

    def _place(self, topic: str, query: str) -> None:
        if query not in self.queries[topic]:
            self.queries[topic].append(query)
            self.topics[query].append(topic)

    def resolve(self) -> Resolved:
        self._resolve_ratings()
        self._resolve_decisions()
        if self.study.published:
            self._take_pool(self.study.published)
        else:
            self._resolve_pool()
        self._list_without_text()
        self._refuse_pairs_without_text()
        self._list_unknown_grades()
        return self.resolved

    # Pools and pairs

    def _resolve_pool(self) -> None:
        """Rated pairs stand first in a topic, in the order of the ratings; then the pool's."""
        pools, pairs = self.resolved.pools, self.resolved.pairs
        for key in self.resolved.answers:
            pairs.setdefault(key[0], {})[key[1]] = None
        for entry in self.study.pool:
            sources = pools.setdefault(entry.query, {}).setdefault(entry.document, [])
            sources += [source for source in entry.sources if source not in sources]
            if entry.document not in self.has_text:
                continue
            for topic in [entry.topic] if entry.topic else self.topics.get(entry.query, ()):
                pairs.setdefault(topic, {})[entry.document] = None
                if entry.side_text:
                    key = topic, entry.document
                    title = entry.side_title[:MAX_TITLE_LENGTH] or UNTITLED
                    self.resolved.side_texts[key] = SideText(title, entry.side_text)
        for topic, documents in pairs.items():
            for query in self.queries[topic]:
                pool = pools.setdefault(query, {})
                for document in documents:
                    pool.setdefault(document, [])

    def _take_pool(self, published: Published) -> None:
        """The pool of a published dataset as it stands there, which names its pairs itself."""
        for entry in self.study.pool:
            pool = self.resolved.pools.setdefault(entry.query, {})
            pool[entry.document] = list(entry.sources)
        self.resolved.pairs = published.pairs

    def _list_without_text(self) -> None:
        pools = self.resolved.pools.values()
        pooled = dict.fromkeys(document for pool in pools for document in pool)
        self.resolved.without_text = [
            document for document in pooled if document not in self.has_text
        ]

    def _refuse_pairs_without_text(self) -> None:
        answered: dict[str, Place] = {}
        for (_, document), pair_answers in self.resolved.answers.items():
            place = next(iter(pair_answers.values())).place
            if document not in self.has_text:
                answered.setdefault(document, place)
        for document, place in answered.items():
            self.problems.at(
                place,
                f"the document {document} is judged here, but has no text.",
                "Add its text. Only a document that nobody judges may be without.",
            )

    # Ratings

    def _resolve_ratings(self) -> None:
        answers, people = self.resolved.answers, self.resolved.raters
        for rating in self.study.ratings:
            if rating.topic not in self.facets:
                self._refuse_topic(rating.topic, rating.place)
                continue
            if rating.rater not in people:
                people[rating.rater] = self._person(rating.rater, Role.ANNOTATOR, rating.place)
            key = rating.topic, rating.document
            pair_answers = answers.setdefault(key, {})
            if rating.overlap:
                self.resolved.overlaps[key] = rating.overlap
            if rating.rater in pair_answers:
                self.problems.at(
                    rating.place,
                    f"the rater {rating.rater} rates {rating.topic} with {rating.document} twice.",
                    "Take one of the two out.",
                )
                continue
            grade, facet = rating.grade, self.facets[rating.topic]
            if grade is None or self.terms.is_cannot_judge(facet, grade):
                # A literal that is no grade says why.
                reason = rating.reason if grade is None else grade
                pair_answers[rating.rater] = self._cannot_judge(reason, rating.note, rating.place)
                continue
            option = self._option(rating.topic, grade, rating.place)
            # What an unknown grade stands for does not matter: it is refused.
            pair_answers[rating.rater] = Answer(option, "", rating.note, rating.place)
        self._fill_gaps()
        self._tell_like_names()

    def _tell_like_names(self) -> None:
        """Say which raters look alike but for capital letters: they may be one person."""
        names = grouped(
            (as_seen(name).casefold(), name)
            for name, person in self.resolved.raters.items()
            if person.member is None
        )
        for alike in names.values():
            if len(alike) > 1:
                raters = " and ".join(map(shown, alike))
                self.study.notes.append(
                    f"{raters} differ in capital letters or in what is not seen alone, and come in "
                    "as different people. If they are one, write the name alike in the files."
                )

    def _fill_gaps(self) -> None:
        """People of a pair's batch who left it out did not rate it; see `completed_ratings`."""
        answers = self.resolved.answers
        filled: dict[Key, dict[str, Answer]] = defaultdict(dict)
        for rating in completed_ratings(self.study.ratings):
            key = rating.topic, rating.document
            if key in answers:
                gap = Answer(None, NOT_IN_FILE, "", rating.place)
                filled[key][rating.rater] = answers[key].get(rating.rater, gap)
        for key, ordered in filled.items():
            if len(ordered) > MAX_OVERLAP:
                self.problems.at(
                    next(iter(ordered.values())).place,
                    f"{len(ordered)} people rate {key[0]} with {key[1]}.",
                    f"A pair has at most {MAX_OVERLAP} ratings.",
                )
            answers[key] = ordered

    def _cannot_judge(self, reason: str, note: str, place: Place) -> Answer:
        if reason in ("", NOT_RATED):
            reason = NOT_IN_FILE
        if len(reason) > MAX_REASON_LENGTH:
            note = f"{reason}\n\n{note}".strip()
            reason = cut(reason, MAX_REASON_LENGTH)
        return Answer(None, reason, note, place)

    def _option(self, topic: str, literal: str, place: Place) -> Any:
        facet = self.facets[topic]
        option = self.terms.option(facet, literal)
        if option is None:
            key = self.terms.scale(facet), literal
            self.unknown[key] += 1
            self.first_unknown.setdefault(key, place)
        return option

    def _list_unknown_grades(self) -> None:
        for (scale, literal), count in self.unknown.items():
            options = ", ".join(
                self.terms.label(scale, option, " ")
                for option in self.terms.options(scale)
                if not option.is_import_only
            )
            lines = "line" if count == 2 else "lines"
            others = f", and on {count - 1:,} further {lines}," if count > 1 else ""
            of_scale = f" of {scale}" if scale else ""
            self.problems.at(
                self.first_unknown[scale, literal],
                f'the grade "{_short(literal)}" here{others} is not on the scale{of_scale}.',
                f"Say which option it means ({options}) or that it is “cannot judge”, or put it "
                "right in the file.",
            )

    # Decisions

    def _resolve_decisions(self) -> None:
        for decision in self.study.decisions:
            key: Key = decision.topic, decision.document
            place = decision.place
            if decision.topic not in self.facets:
                self._refuse_topic(decision.topic, place)
                continue
            if key in self.resolved.verdicts:
                self.problems.at(
                    place,
                    f"there is a decision on {key[0]} with {key[1]} already.",
                    "Take one of the two out.",
                )
                continue
            # Where these files have no ratings of the pair, the collection may have.
            pair_answers = self.resolved.answers.get(key, {})
            name = decision.adjudicator or ADJUDICATOR
            if name in pair_answers:
                # Whoever left the pair out has a seat of it all the same.
                did = "left out" if is_gap(pair_answers[name]) else "rated"
                self.problems.at(
                    place,
                    f"the adjudicator {name} decides on {key[0]} with {key[1]} and {did} the pair "
                    "as a rater.",
                    "Nobody decides on pairs that they rate. Name somebody else, or leave it out.",
                )
                continue
            if name not in self.resolved.adjudicators:
                self.resolved.adjudicators[name] = self._person(name, Role.ADJUDICATOR, place)
            option = None
            if decision.grade is not None:
                option = self._option(decision.topic, decision.grade, place)
            exclusion = "" if decision.grade is not None else decision.reason or "Left out"
            self.resolved.verdicts[key] = Verdict(
                option, exclusion, name, decision.cause, decision.rationale, place
            )

    # People

    def _person(self, name: str, role: Role, place: Place) -> Person:
        if not as_seen(name):
            self.problems.at(
                place,
                f"nothing can be seen of the name {shown(name)}.",
                "Write the person's name, or leave the cell empty.",
            )
        if len(name) > MAX_NAME_LENGTH:
            # Gaps stand before their rater's own answers.
            answers = (
                rating.place
                for rating in self.study.ratings
                if rating.rater == name and rating.reason != NOT_RATED
            )
            self.problems.at(
                next(answers, place),
                f"a name of {len(name)} characters: {name[:40]}…",
                f"Names have at most {MAX_NAME_LENGTH} characters.",
            )
        shown_name = self.names.get(name, name)
        if public_id := self.matching.people.get(name):
            # However a program writes it.
            member = self._members.current.get(str(public_id).replace("-", "").lower())
            if member is None:
                self.problems.at(
                    place,
                    f"the member matched to {name} is no longer a member.",
                    "Choose another, or let it be a new member.",
                )
            return Person(name, shown_name, member)
        return Person(name, shown_name, self._members.called(name, role))

    @cached_property
    def _members(self) -> Members:
        """Read once: files of a crowd name thousands of people."""
        members = Membership.objects.filter(collection=self.collection)
        current = list(members.current().select_related("user"))
        return Members(
            {member.external_id: member for member in members.exclude(external_id="")},
            {member.public_id.hex: member for member in current},
            {member.user.email: member for member in current if member.user},
        )

    def _refuse_topic(self, topic: str, place: Place) -> None:
        self.problems.at(
            place,
            f"the topic {topic} is neither in these files nor in the collection.",
            "Add its query, or correct the name.",
        )


def _short(literal: str) -> str:
    """A grade as it can stand in a sentence."""
    return literal if len(literal) <= SHOWN_LENGTH else f"{literal[:SHOWN_LENGTH]}…"
