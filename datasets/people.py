"""A pasted list of people: reading it, and adding everybody at once."""

import re
from collections.abc import Collection as Container
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from accounts.models import User
from audit.actions import record
from audit.refusals import Invalid
from audit.transactions import one_transaction
from audit.verbs import Verb
from datasets.actions import add_role, invite, link_account
from datasets.models import Collection, Invitation, Membership, Role

MAX_LIST_LENGTH = 20_000
MAX_PEOPLE = 200
ROLES = {
    **dict.fromkeys(("annotator", "annotators", "rater", "raters"), Role.ANNOTATOR),
    **dict.fromkeys(("adjudicator", "adjudicators"), Role.ADJUDICATOR),
    **dict.fromkeys(("lead", "leads"), Role.LEAD),
}
ROLE = "|".join(ROLES)
PART = rf"[^@]*@[^,;\s]*(?:\s+(?:{ROLE})\b)?|[^@]+"


class Fate(StrEnum):
    """What adding everybody does with a line of the list."""

    JOINS = "joins"  # has an account, and gets the role at once
    INVITED = "invited"  # has no account, and gets a link
    MEMBER = "member"  # has the role already
    YOURSELF = "yourself"  # is who adds them: nobody changes their own roles
    TWICE = "twice"  # stands above already
    WRONG = "wrong"  # is no address
    NO_ROLE = "no role"  # has a word in the place of the role that is none


@dataclass(frozen=True)
class Entry:
    """A part of the list. `line` counts from 1, `text` is what stands there; the address is in
    small letters, and `name` stood beside it, if anything. `is_misspelt` says that a word
    stands in the place of its role that is none."""

    line: int
    text: str
    email: str
    role: Role
    name: str
    is_misspelt: bool


@dataclass(frozen=True)
class Person(Entry):
    """One address of the list, with its fate; `place` is that of the imported person without
    sign-in which they take."""

    fate: Fate
    place: Membership | None

    @property
    def is_left_out(self) -> bool:
        return self.fate in (Fate.WRONG, Fate.NO_ROLE)


def read_people(text: str, *, collection: Collection, role: Role, by: User) -> list[Person]:
    """Everybody whom the list names, and what adding them would do; `role` is for those who have
    none of their own. A longer list than MAX_PEOPLE is refused. Nobody changes their own roles.

    An address, or the name before it, may be that of an imported person without sign-in. Its owner
    takes that place with the roles of the import, unless they are or were a member already.
    """
    if len(text) > MAX_LIST_LENGTH:
        raise Invalid(
            f"The list has {len(text):,} characters; at most {MAX_LIST_LENGTH:,} are read at once. "
            "Add the people in parts."
        )
    places = _imported(collection)
    entries = list(_entries(text, role, places))
    if len(entries) > MAX_PEOPLE:
        raise Invalid(
            f"The list has {len(entries):,} people; at most {MAX_PEOPLE} are added at once. "
            "Add them in parts."
        )
    emails = {entry.email for entry in entries if is_address(entry.email)}
    users = User.objects.filter(email__in=emails, is_active=True)
    accounts = {user.email.lower(): user.pk for user in users}
    members = Membership.objects.filter(collection=collection, user__in=accounts.values())
    roles = {member.user_id: member.roles for member in members.current()}
    ever = set(members.values_list("user", flat=True))
    emails_above: set[str] = set()
    people = []
    for entry in entries:
        email = entry.email
        if not is_address(email):
            fate = Fate.WRONG
        elif entry.is_misspelt:
            fate = Fate.NO_ROLE
        elif email in emails_above:
            fate = Fate.TWICE
        elif email not in accounts:
            fate = Fate.INVITED
        elif entry.role in roles.get(accounts[email], ()):
            fate = Fate.MEMBER
        else:
            fate = Fate.YOURSELF if accounts[email] == by.pk else Fate.JOINS
        emails_above.add(email)
        place = None
        if fate in (Fate.JOINS, Fate.INVITED) and accounts.get(email) not in ever:
            place = places.get(email) or places.get(entry.name.casefold())
            if place:
                places = {key: imported for key, imported in places.items() if imported != place}
        people.append(Person(**vars(entry), fate=fate, place=place))
    return people


def _imported(collection: Collection) -> dict[str, Membership]:
    """{address or name, in small letters: imported person without sign-in}, without those that
    several people share."""
    members: dict[str, Membership] = {}
    shared: set[str] = set()
    for member in Membership.objects.current().filter(collection=collection, user=None):
        for key in {member.external_id.casefold(), member.name.casefold()}:
            if key in members:
                shared.add(key)
            members[key] = member
    return {key: member for key, member in members.items() if key and key not in shared}


def _entries(text: str, role: Role, places: Container[str]) -> Iterator[Entry]:
    """Every part that is not empty. A line with one address is one part, and what else it says is
    the name, if it can be one. Of several addresses, each ends a part. A role may follow the
    address."""
    for number, line in enumerate(text.splitlines(), start=1):
        # "a@b.org; adjudicator": a role alone belongs to the address before it.
        normalised = re.sub(rf"[,;]\s*({ROLE})\s*(?=[,;]|$)", r" \1", line, flags=re.I)
        wholes = re.findall(PART, normalised, re.I) if line.count("@") > 1 else [normalised]
        for part in [part for whole in wholes for part in _without_strays(whole, places)]:
            words = re.sub(r"[<>;]", " ", part.strip(" ,;")).replace(",", ", ").split()
            if not words:
                continue
            own_role = ROLES.get(words[-1].lower())
            if own_role and len(words) > 1:
                words = words[:-1]
            address = next((word for word in words if "@" in word), words[-1])
            place = words.index(address)
            before, after = words[:place], words[place + 1 :]
            words.remove(address)
            name = " ".join(words).strip(" ,\"'“”()")
            email = address.rstrip(",").lower()
            # Of several addresses, a word behind one stands before the next.
            meant = before[:1] if len(wholes) > 1 else after[-1:]
            is_misspelt = not own_role and any(map(_is_nearly_a_role, meant))
            yield Entry(number, part.strip(" ,;"), email, own_role or role, name, is_misspelt)


def _without_strays(part: str, places: Container[str]) -> list[str]:
    """The part; apart from it the pieces between commas that are nobody's name, since somebody may
    have taken them for addresses. A name stands on one side of the address."""
    pieces = [piece.strip() for piece in re.split("[,;]", part) if piece.strip()]
    place = next((place for place, piece in enumerate(pieces) if "@" in piece), None)
    if place is None or any(_is_nearly_a_role(piece) for piece in pieces):
        return [part]
    before, address, after = pieces[:place], pieces[place], pieces[place + 1 :]
    # "Haas, Noor <noor@example.org>": the name goes on to the address.
    if any(word.lower() not in ROLES for word in address.split() if "@" not in word):
        return [", ".join([*before, address]), *after]
    if _is_a_name(before, address, places):
        return [", ".join([*before, address]), *after]
    if _is_a_name(after, address, places):
        return [*before, ", ".join([address, *after])]
    return pieces


def _is_a_name(pieces: list[str], address: str, places: Container[str]) -> bool:
    """Whether the pieces are the name of an imported person; else whether one of them has two
    words, or a word of the address, and none is like the name of a host."""
    if ", ".join(pieces).casefold() in places:
        return True
    local = address.casefold().partition("@")[0]
    words = [piece.casefold().strip("\"'“”()").split() for piece in pieces]
    return not any(re.search(r"\w\.\w\w", piece) for piece in pieces) and any(
        len(of_piece) > 1 or any(word in local for word in of_piece) for of_piece in words
    )


def _is_nearly_a_role(word: str) -> bool:
    return bool(get_close_matches(word.lower(), ROLES, n=1, cutoff=0.8))


def is_address(email: str) -> bool:
    try:
        validate_email(email)
    except ValidationError:
        return False
    return True


@one_transaction
def add_people(
    *, collection: Collection, people: list[Person], by: User
) -> tuple[list[Membership], list[tuple[Invitation, str]]]:
    """Give those with an account their role at once, and make a link for every other.

    All or none. People who have the role already, and lines without an address, are passed over.
    Whoever takes the place of an imported person gets the roles of that place. Returns the members,
    and the invitations with their tokens, which are only here.
    """
    joined, invited = [], []
    for person in people:
        if person.fate == Fate.INVITED:
            invited.append(
                invite(
                    collection=collection,
                    role=person.place.roles[0] if person.place else person.role,
                    email=person.email,
                    membership=person.place,
                    by=by,
                )
            )
        elif person.fate == Fate.JOINS and person.place:
            user = User.objects.get(email=person.email)
            joined.append(link_account(membership=person.place, user=user, by=by))
        elif person.fate == Fate.JOINS:
            user = User.objects.get(email=person.email)
            before = Membership.objects.current().filter(collection=collection, user=user).first()
            roles_before = before.roles if before else []
            member = add_role(collection, user, person.role)
            record(
                Verb.SET_ROLES,
                member,
                by=by,
                collection=collection,
                before={"roles": roles_before},
                after={"roles": member.roles, "account": user.public_id},
            )
            joined.append(member)
    return joined, invited


@one_transaction
def hand_place_over(
    *, place: Membership, email: str, by: User
) -> tuple[User | None, Invitation | None, str]:
    """Give an imported person's place to the account of an address. Where there is none, make a
    link that does so for whoever opens it. Returns the account, or the invitation and its token."""
    email = email.strip().lower()
    if email and not is_address(email):
        raise Invalid(f"“{email}” is no e-mail address.")
    if account := User.objects.filter(email=email, is_active=True).first():
        link_account(membership=place, user=account, by=by)
        return account, None, ""
    invitation, token = invite(
        collection=place.collection, role=place.roles[0], email=email, by=by, membership=place
    )
    return None, invitation, token
