"""The demo: studies and a story of each as data, made real through the same actions as any other.

`demo/people.json` says who works there. Each study is a folder with the files that its import
reads and a `story.json`: which pairs were handed out, how far each batch has come, what every
annotator answered and what the adjudicator decided.
"""

import json

from django.conf import settings
from django.db import transaction

from accounts.actions import create_account
from accounts.models import User
from config.demo.sign_ins import SIGN_INS, random_password, sign_ins
from config.demo.telling import SITE_ADMIN, Telling
from config.private import keep_private
from datasets.models import Collection

DEMO = settings.BASE_DIR / "demo"
STUDIES = [DEMO / "study", DEMO / "aspects"]


class NotEmptyError(Exception):
    """There are accounts already, to which the demo's own site admin must not be added."""


def read_people():
    return json.loads((DEMO / "people.json").read_text(encoding="utf-8"))


def read_story(study):
    return json.loads((study / "story.json").read_text(encoding="utf-8"))


def is_loaded():
    slugs = [read_story(study)["collection"]["slug"] for study in STUDIES]
    return Collection.objects.filter(slug__in=slugs).exists()


def load():
    """Load the demo, whole or not at all; returns the text of the sign-ins.

    The sign-ins are in their file before the studies are committed: studies whose passwords nobody
    knows would be of no use.
    """
    people = read_people()
    if User.objects.exists():
        raise NotEmptyError
    passwords = {person["key"]: random_password() for person in people}
    with transaction.atomic():
        accounts = {
            person["key"]: create_account(
                email=person["email"],
                name=person["name"],
                password=passwords[person["key"]],
                is_site_admin=person["role"] == SITE_ADMIN,
            )
            for person in people
        }
        for study in STUDIES:
            Telling(study, read_story(study), people, accounts).tell()
        text = sign_ins(people, passwords)
        keep_private(settings.STATE_DIR / SIGN_INS, text)
    return text
