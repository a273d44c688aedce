"""Whatever stands in a field of a form breaks no page, on PostgreSQL either.

Every form is read from its page as its people see it, and sent with a field that nobody typed.
"""

import random
from dataclasses import dataclass

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import Resolver404, resolve
from lxml import html

from tests.proof.permissions import MATRIX
from tests.proof.world import make_world

NUL = "a\x00b"
HOSTILE = [
    NUL,
    "",
    "-0",
    "1e400",
    "Infinity",
    "１２",
    "9" * 5000,
    str(2**63),
    "\ud800",
    "\u202e",
    "x" * 3000,
    "[" * 5000,
    "http://[",
    "9999-12-31T23:59",
    "00000000-0000-4000-8000-000000000000",
]
FILES = {
    "a.csv": b'a,"\r\n' * 50,
    "a.jsonl": b'{"a": "\\ud800", "b": 1e999}',
    "a.xlsx": b"PK\x03\x04rubbish",
    "a.gz": b"\x1f\x8b\x08rubbish",
    "a.txt": b"q 0 d\x00 1e999\n",
    "a": b"",
}
# People of whom one sees each form.
READERS = ["lena", "carol", "alice", "ada", "anonymous"]


@dataclass(frozen=True)
class Form:
    """A form as it is sent where nobody types; `files` are the names of its fields for files."""

    person: str
    address: str
    fields: dict[str, list[str]]
    files: list[str]


@pytest.fixture(params=[pytest.param("facets", marks=pytest.mark.full), "aspects"])
def world(db, request):
    return make_world(of_aspects=request.param == "aspects")


def forms_of(world):
    """One form of each route and button."""
    forms = {}
    for route, methods in MATRIX.items():
        readers = methods["GET"].allowed if "GET" in methods else ()
        person = next((name for name in READERS if name in readers), None)
        if person is None or route.startswith("api:"):
            continue
        answer = world.browser(person).get(world.address(route))
        if answer.status_code == 200 and "html" in answer["Content-Type"]:
            for form in forms_on(answer.content, person, world.address(route)):
                forms.setdefault((route_of(form.address), *form.fields, *form.files), form)
    return list(forms.values())


def forms_on(page, person, address):
    for form in html.fromstring(page).forms:
        if form.method != "POST" or "sign-out" in (form.action or ""):
            continue
        fields = {name: [""] for name in form.fields}
        for name, value in form.form_values():
            fields[name] = [*filter(None, fields[name]), value]
        files = [field.name for field in form.inputs if field.get("type") == "file"]
        del fields["csrfmiddlewaretoken"]
        for name in {*files, None} & fields.keys():
            del fields[name]
        target = (form.action or address).partition("?")[0] or address
        buttons = {button.get("name"): button.get("value") for button in form.iter("button")}
        for name, value in buttons.items() or [(None, None)]:
            sent = fields | ({name: [value or ""]} if name else {})
            if sent or files:
                yield Form(person, target, sent, files)


def route_of(address):
    try:
        return resolve(address).view_name
    except Resolver404:
        return address


def typed(form, chance, hostile):
    """What is sent: as the page has it, or plain words, but for one field or two."""
    data = {
        name: values if any(values) else [chance.choice(["", "Some words."])]
        for name, values in form.fields.items()
    }
    for name in chance.sample(sorted(data), min(len(data), chance.choice([1, 1, 2]))):
        data[name] = [chance.choice(hostile).encode("utf-8", "surrogatepass")]
    for name in form.files:
        file = chance.choice(sorted(FILES))
        data[name] = [SimpleUploadedFile(file, FILES[file])]
    return data


def test_no_field_of_a_form_breaks_its_page(world, stress):
    forms = forms_of(world)
    assert len({form.address for form in forms}) > 30
    broken = []
    for seed in range(stress(1, 20)):
        chance = random.Random(seed)
        for form in forms:
            browser = world.browser(form.person, raise_request_exception=False)
            data = typed(form, chance, HOSTILE if seed else [NUL])
            with transaction.atomic():
                answer = browser.post(form.address, data)
                transaction.set_rollback(True)
            if answer.status_code >= 500:
                broken.append(f"{route_of(form.address)} by {form.person}: {data}")
    assert broken == []
