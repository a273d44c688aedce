"""The demo study: papers and a story as data, made real through the same actions as any other.

`demo/study/` is a CSFCube-shaped folder with a `story.json` beside it: who the people are, how far
each topic has come, what every annotator answered and what the adjudicator decided.
"""

import json
import os
import secrets
import uuid
from decimal import Decimal

from django.conf import settings
from django.db import transaction

from accounts.actions import create_account
from accounts.models import User
from adjudication.actions import decide, reopen
from adjudication.importing import import_csfcube
from annotation.actions.assign import assign_seat, hand_in
from annotation.actions.batches import lock_topic, make_batches
from annotation.actions.rate import rate_pair
from annotation.actions.schemes import create_scheme, load_definition
from annotation.order import ordered_pairs
from datasets.actions import accept_invitation, create_collection, invite
from datasets.formats.csfcube.read import find_in_folder
from datasets.models import Collection, Role

STUDY = settings.BASE_DIR / "demo" / "study"
SIGN_INS = "demo-sign-ins.txt"
SITE_ADMIN = "site_admin"
SHOWN_ROLES = {
    "annotator": "Annotator",
    "adjudicator": "Adjudicator",
    "lead": "Lead",
    "site_admin": "Site admin",
}
# Without letters and digits that are taken for one another.
PASSWORD_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"  # noqa: S105


class NotEmptyError(Exception):
    """There are accounts already, to which the demo's own site admin must not be added."""


def read_story():
    return json.loads((STUDY / "story.json").read_text(encoding="utf-8"))


def is_loaded():
    return Collection.objects.filter(slug=read_story()["collection"]["slug"]).exists()


def load():
    """Load the demo study, whole or not at all; returns the text of the sign-ins.

    The sign-ins are in their file before the study is committed: a study whose passwords nobody
    knows would be of no use.
    """
    story = read_story()
    if User.objects.exists():
        raise NotEmptyError
    passwords = {person["key"]: random_password() for person in story["people"]}
    with transaction.atomic():
        _Telling(story).tell(passwords)
        text = sign_ins(story["people"], passwords)
        keep_private(settings.STATE_DIR / SIGN_INS, text)
    return text


def random_password():
    """Sixteen signs of 31, which is 79 bits, in groups that are easy to copy by hand."""
    return "-".join("".join(secrets.choice(PASSWORD_SIGNS) for _ in range(4)) for _ in range(4))


def sign_ins(people, passwords):
    """One sign-in per role, then those of the other annotators."""
    first, others = {}, []
    for person in people:
        if first.setdefault(person["role"], person) is not person:
            others.append(person)
    lines = ["Sign-ins of the demo study:", ""]
    for role, shown in SHOWN_ROLES.items():
        lines.append(_sign_in(shown, first[role], passwords))
    lines += ["", "The other annotators:", ""]
    lines += [_sign_in(person["name"], person, passwords) for person in others]
    return "\n".join(lines) + "\n"


def _sign_in(shown, person, passwords):
    return f"  {shown:<17} {person['email']:<22} {passwords[person['key']]}"


def keep_private(path, text):
    """Write a file that only its owner reads, in place of an older one."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)


class _Telling:
    """One run through the story, by its people, in the order in which things happened."""

    def __init__(self, story):
        self.story = story
        self.accounts = {}
        self.members = {}
        self.collection = None

    def tell(self, passwords):
        self._create_collection(passwords)
        self._invite()
        self._import()
        for chapter in self.story["topics"]:
            topic = self.collection.topics.get(external_id=chapter["topic"])
            seats = self._assign(topic, chapter["seats"])
            self._rate(seats, chapter)
            self._decide(topic, chapter["decisions"])
            if "locked" in chapter:
                lock_topic(topic=topic, by=self._person(Role.LEAD))

    def _person(self, role):
        """The account of the first person in a role."""
        return next(
            self.accounts[person["key"]]
            for person in self.story["people"]
            if person["role"] == role
        )

    def _create_collection(self, passwords):
        for person in self.story["people"]:
            self.accounts[person["key"]] = create_account(
                email=person["email"],
                name=person["name"],
                password=passwords[person["key"]],
                is_site_admin=person["role"] == SITE_ADMIN,
            )
        admin = self._person(SITE_ADMIN)
        self.collection = create_collection(by=admin, **self.story["collection"])
        definition = load_definition(self.story["scheme"])
        scheme = create_scheme(collection=self.collection, definition=definition, by=admin)
        self.version = scheme.current
        self.options = {option.key: option for option in scheme.options.all()}
        self.reasons = {
            reason["key"]: reason["name"] for reason in self.version.wording["cannot_judge_reasons"]
        }

    def _invite(self):
        """The site admin invites the lead, who invites the others."""
        members = [person for person in self.story["people"] if person["role"] != SITE_ADMIN]
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
        import_csfcube(
            sources=find_in_folder(STUDY), collection=self.collection, by=self._person(Role.LEAD)
        )

    def _assign(self, topic, seats):
        [batch] = make_batches(
            collection=self.collection, topics=[topic], by=self._person(Role.LEAD)
        )
        return [
            assign_seat(
                seat=batch.seats.get(ordinal=ordinal),
                member=self.members[told["annotator"]],
                by=self._person(Role.LEAD),
            )
            for ordinal, told in enumerate(seats, start=1)
        ]

    def _rate(self, seats, chapter):
        """Each holder goes through the pairs in their own order, as far as the story says."""
        for index, (seat, told) in enumerate(zip(seats, chapter["seats"], strict=True)):
            account = self.accounts[told["annotator"]]
            answered = ordered_pairs(seat)[: told["rated"]]
            for position, pair in enumerate(answered, start=1):
                answer = chapter["ratings"][pair.document.external_id][index]
                saves = [answer["at_first"], answer] if "at_first" in answer else [answer]
                for version, save in enumerate(saves):
                    rate_pair(
                        seat=seat,
                        pair=pair,
                        by=account,
                        save_id=uuid.uuid4(),
                        based_on=version,
                        scheme_version=self.version,
                        option=self._option(save),
                        cannot_judge=self.reasons.get(save.get("cannot_judge"), ""),
                        note=save.get("note", ""),
                        is_flagged=save.get("flag", False),
                        active_seconds=Decimal(save["active_seconds"]),
                        position=position,
                    )
            if told["handed_in"]:
                hand_in(seat=seat, by=account)

    def _decide(self, topic, decisions):
        """Decisions in the order made; a reopened one is followed by what was decided then."""
        for told in decisions:
            pair = topic.pairs.get(document__external_id=told["document"])
            decide(
                pair=pair,
                by=self._person(Role.ADJUDICATOR),
                save_id=uuid.uuid4(),
                option=self._option(told),
                exclusion_reason=told.get("exclude", ""),
                cause=told.get("cause", ""),
                rationale=told.get("rationale", ""),
            )
            if "reopened" in told:
                reopen(pair=pair, by=self._person(Role.LEAD), reason=told["reopened"])

    def _option(self, told):
        return self.options[told["option"]] if "option" in told else None
