"""One study told from beginning to end, by its people and through the product's own actions."""

import uuid
from decimal import Decimal

from adjudication.actions import decide, reopen
from annotation.assigning.actions.assign import assign_seat, hand_in
from annotation.assigning.actions.batches import lock_topic, make_batches
from annotation.collections.actions import create_with_scheme
from annotation.flags.actions import answer_flag
from annotation.models import Rating
from annotation.rating.rate import rate_pair
from annotation.reading.order import walked_rows
from annotation.sampling.actions import draw_sample
from annotation.schemes.actions import load_definition
from datasets.actions import accept_invitation, invite
from datasets.models import Role
from datasets.runs.files import add_runs, read_runs
from formats.csfcube.sources import find_in_folder
from formats.doris_mae import FILE_NAME
from formats.files import open_files
from imports import csfcube, doris_mae
from imports.run import carry_out

SITE_ADMIN = "site_admin"
MAX_RUN_BYTES = 2**20


class Telling:
    """One run through a story, in the order in which things happened.

    `study` is the folder with the files, `people` are those of the demo with their `accounts` by
    key.
    """

    def __init__(self, study, story, people, accounts):
        self.study = study
        self.story = story
        self.people = people
        self.accounts = accounts
        self.members = {}
        self.collection = None

    def tell(self):
        self._create_collection()
        self._invite()
        self._import()
        for chapter in self.story["batches"]:
            batch = self._hand_out(chapter)
            self._assign(batch, chapter["seats"])
            self._rate(batch, chapter)
            self._decide(batch, chapter)
            if "locked" in chapter:
                lock_topic(topic=self._topic(chapter), by=self._person(Role.LEAD))
        # A rule makes a new version of the guidelines, under which nobody has rated yet.
        for answer in self.story.get("answers", []):
            self._answer(answer)
        self._upload_runs()

    def _person(self, role):
        """The account of the first person in a role."""
        return next(
            self.accounts[person["key"]] for person in self.people if person["role"] == role
        )

    def _create_collection(self):
        admin = self._person(SITE_ADMIN)
        definition = load_definition(self.story["scheme"])
        self.collection = create_with_scheme(
            definition=definition, by=admin, **self.story["collection"]
        )
        scheme = self.collection.scheme
        self.version = scheme.current
        self.options = {option.key: option for option in scheme.options.all()}
        self.reasons = {
            reason.key: reason.name for reason in self.version.words.cannot_judge_reasons
        }

    def _invite(self):
        """The site admin invites the lead, who invites the others."""
        members = [person for person in self.people if person["role"] != SITE_ADMIN]
        for person in sorted(members, key=lambda person: person["role"] != Role.LEAD):
            inviting = SITE_ADMIN if person["role"] == Role.LEAD else Role.LEAD
            account = self.accounts[person["key"]]
            _, token = invite(
                collection=self.collection,
                role=person["role"],
                email=account.email,
                by=self._person(inviting),
            )
            self.members[person["key"]] = accept_invitation(token=token, by=account)

    def _import(self):
        """The lead imports the files, which are in the format that goes with the scheme."""
        lead = self._person(Role.LEAD)
        if self.story["scheme"] == "csfcube":
            sources = find_in_folder(self.study)
            moving = csfcube.read_moving(sources, self.collection, lead, with_ratings=False)
        else:
            path = self.study / FILE_NAME
            moving = doris_mae.read_moving(
                path, path.name, self.collection, lead, **self.story["machine"]
            )
        carry_out(moving)

    def _hand_out(self, chapter):
        """A batch of one topic's pairs, or of a sample drawn from all that wait."""
        lead = self._person(Role.LEAD)
        if "topic" in chapter:
            topics = [self._topic(chapter)]
            [batch] = make_batches(collection=self.collection, topics=topics, by=lead)
        else:
            [batch] = draw_sample(collection=self.collection, by=lead, **chapter["sample"])
        return batch

    def _topic(self, chapter):
        return self.collection.topics.get(external_id=chapter["topic"])

    def _assign(self, batch, seats):
        for seat, seat_in_story in zip(batch.seats.all(), seats, strict=False):
            member = self.members[seat_in_story["annotator"]]
            assign_seat(seat=seat, member=member, by=self._person(Role.LEAD))

    def _rate(self, batch, chapter):
        """Each holder goes through the pairs in their own order, as far as the story says."""
        pairs = batch.pairs.select_related("topic", "document").in_bulk()
        for index, seat_in_story in enumerate(chapter["seats"]):
            seat = batch.seats.get(ordinal=index + 1)
            account = self.accounts[seat_in_story["annotator"]]
            for number, row in enumerate(walked_rows(seat)[: seat_in_story["rated"]], start=1):
                pair = pairs[row["pk"]]
                answer = chapter["ratings"][name_of(pair, chapter)][index]
                saves = [answer["at_first"], answer] if "at_first" in answer else [answer]
                for version, save in enumerate(saves):
                    rate_pair(
                        seat=seat,
                        pair_id=pair.pk,
                        by=account,
                        save_id=uuid.uuid4(),
                        based_on=version,
                        scheme_version=self.version,
                        option=self._option(save),
                        cannot_judge=self.reasons.get(save.get("cannot_judge"), ""),
                        note=save.get("note", ""),
                        is_flagged=save.get("flag", False),
                        components=save.get("components", []),
                        active_seconds=Decimal(save["active_seconds"]),
                        position=number,
                    )
            if seat_in_story["handed_in"]:
                hand_in(seat=seat, by=account)

    def _decide(self, batch, chapter):
        """Decisions in the order made; a reopened one is followed by what was decided then."""
        pairs = {
            name_of(pair, chapter): pair for pair in batch.pairs.select_related("topic", "document")
        }
        for decided in chapter["decisions"]:
            pair = pairs[decided["pair"]]
            decide(
                pair=pair,
                by=self._person(Role.ADJUDICATOR),
                save_id=uuid.uuid4(),
                option=self._option(decided),
                exclusion_reason=decided.get("exclude", ""),
                cause=decided.get("cause", ""),
                rationale=decided.get("rationale", ""),
            )
            if "reopened" in decided:
                reopen(pair=pair, by=self._person(Role.LEAD), reason=decided["reopened"])

    def _answer(self, answer):
        """The lead answers a flag."""
        rating = Rating.objects.get(
            pair__topic__collection=self.collection,
            pair__topic__external_id=answer["topic"],
            pair__document__external_id=answer["document"],
            annotator=self.members[answer["annotator"]],
        )
        answer_flag(
            rating=rating,
            by=self._person(Role.LEAD),
            kind=answer["kind"],
            text=answer.get("text", ""),
            with_example=answer.get("with_example", False),
        )

    def _upload_runs(self):
        """The lead uploads what systems rank, each from its file."""
        for run in self.story.get("runs", []):
            path = self.study / "runs" / run["file"]
            with open_files([path], limit=MAX_RUN_BYTES) as files:
                add_runs(
                    collection=self.collection,
                    runs=read_runs(files),
                    by=self._person(Role.LEAD),
                    **run["system"],
                )

    def _option(self, step):
        return self.options[step["option"]] if "option" in step else None


def name_of(pair, chapter):
    """A pair's name in a story: its document in a topic's batch, else "topic / document"."""
    if "topic" in chapter:
        return pair.document.external_id
    return f"{pair.topic.external_id} / {pair.document.external_id}"
