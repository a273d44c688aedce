"""The passwords of the demo's people: random for each installation, and kept for its owner."""

import secrets

SIGN_INS = "demo-sign-ins.txt"
SHOWN_ROLES = {
    "annotator": "Annotator",
    "adjudicator": "Adjudicator",
    "lead": "Lead",
    "site_admin": "Site admin",
}
# Without letters and digits that are taken for one another.
PASSWORD_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"  # noqa: S105


def random_password():
    """Sixteen signs of 31, which is 79 bits, in groups that are easy to copy by hand."""
    return "-".join("".join(secrets.choice(PASSWORD_SIGNS) for _ in range(4)) for _ in range(4))


def sign_ins(people, passwords):
    """One sign-in per role, then those of the other annotators."""
    first, others = {}, []
    for person in people:
        if first.setdefault(person["role"], person) is not person:
            others.append(person)
    lines = ["Sign-ins of the demo:", ""]
    for role, shown in SHOWN_ROLES.items():
        lines.append(_sign_in(shown, first[role], passwords))
    lines += ["", "The other annotators:", ""]
    lines += [_sign_in(person["name"], person, passwords) for person in others]
    return "\n".join(lines) + "\n"


def _sign_in(shown, person, passwords):
    return f"  {shown:<17} {person['email']:<22} {passwords[person['key']]}"
