"""What is served beside pages: vendored files as recorded, icons that exist, no inline code."""

import hashlib
import re
import tomllib
from pathlib import Path

import pytest
from django.conf import settings

STATIC = settings.BASE_DIR / "static"
TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
FLOORS = ["adjudication", "agreement", "annotation", "evaluation", "imports"]
CODE = [path for floor in FLOORS for path in (settings.BASE_DIR / floor).rglob("*.py")]
# Whatever may name a class or an icon.
PROGRAM = "\n".join(
    path.read_text() for path in [*TEMPLATES, *(STATIC / "js").rglob("*.js"), *CODE]
)
VENDOR = tomllib.loads((STATIC / "vendor/vendor.toml").read_text())


def test_vendored_files_are_the_recorded_bytes():
    recorded = {
        name: digest for package in VENDOR["package"] for name, digest in package["sha256"].items()
    }

    digests = {name: hashlib.sha256((STATIC / name).read_bytes()).hexdigest() for name in recorded}

    assert digests == recorded


def test_every_vendored_file_is_recorded_with_its_licence():
    recorded = {name for package in VENDOR["package"] for name in package["sha256"]}
    present = {
        str(path.relative_to(STATIC))
        for path in (STATIC / "vendor").rglob("*")
        if path.is_file() and path.name != "vendor.toml"
    }

    assert present == recorded - {"icons.svg"}
    for package in VENDOR["package"]:
        assert package["licence"]
        assert package["source"].startswith("npm package ")
        assert any(Path(name).name == "LICENSE" for name in package["sha256"])


def test_widths_and_heights_of_windows_are_told_in_em():
    """So that text which the browser makes larger has the layout of a smaller window: at twice the
    size the grades of the workbench would else leave no room for the abstracts."""
    queries = {
        query
        for path in [*(STATIC / "css").glob("*.css"), *(STATIC / "js").rglob("*.js")]
        for query in re.findall(r"@media[^{]*|matchMedia\([^;{]*", path.read_text())
    }

    assert any("em)" in query for query in queries)
    assert not [query for query in queries if re.search(r"\dpx", query)]


def test_the_sprite_has_every_icon_that_is_named_and_no_other():
    symbols = set(re.findall(r'<symbol id="([\w-]+)"', (STATIC / "icons.svg").read_text()))
    used = {
        name
        for path in TEMPLATES
        for name in re.findall(r'icon\.html" with name="([\w-]+)"', path.read_text())
    } | {
        name
        for path in (STATIC / "js").rglob("*.js")
        for name in re.findall(r'icon\("([\w-]+)"\)', path.read_text())
    }

    assert used
    assert used <= symbols
    # The others are chosen in the program.
    assert [name for name in sorted(symbols - used) if f'"{name}"' not in PROGRAM] == []


def test_titles_of_papers_and_topics_are_shown_with_plain_formulas():
    raw = re.compile(r"\{\{ [\w.]*(?:document|topic|unit|strip|item|next)\.title(?!\|plain)")

    shown = {path.name: raw.findall(path.read_text()) for path in TEMPLATES}

    assert {name: titles for name, titles in shown.items() if titles} == {}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(path.parents[1])))
def test_templates_hold_no_inline_code_and_trust_no_text(path):
    """The Content-Security-Policy would refuse the first, and text of people is never trusted."""
    text = path.read_text()

    assert not re.search(r"<style|\sstyle=|\son(?!e=)\w+=|hx-on|javascript:", text)
    assert not re.search(r"<script(?![^>]*\ssrc=)(?![^>]*type=\"application/json\")", text)
    assert not re.search(r"\|safe\b|autoescape off", text)


def test_style_sheets_name_files_that_exist():
    for sheet in (STATIC / "css").glob("*.css"):
        for name in re.findall(r'url\("([^"#]+)"\)', sheet.read_text()):
            assert (sheet.parent / name).is_file(), f"{sheet.name} names {name}"


def test_style_sheets_have_no_rule_for_a_class_that_nothing_has():
    words = set(re.findall(r"[\w-]+", PROGRAM))
    beginnings = "|".join(set(re.findall(r"([\w-]+-)\{", PROGRAM)))  # "level-{{ depth }}"
    made = re.compile(rf"(?:{beginnings})\w+|[gh]\d")

    for sheet in (STATIC / "css").glob("*.css"):
        rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
        selectors = " ".join(re.findall(r"([^{}]+)\{", rules))
        classes = set(re.findall(r"\.([a-zA-Z][\w-]*)", selectors))
        unused = {name for name in classes - words if not made.fullmatch(name)}
        assert unused == set(), f"{sheet.name} has rules for classes that nothing has"


def test_every_way_to_sign_out_clears_what_the_device_keeps():
    forms = [
        form
        for file in TEMPLATES
        for form in re.findall(r"<form[^>]*>", file.read_text())
        if "'accounts:sign-out'" in form
    ]

    assert len(forms) > 1
    assert all('data-sign-out="{{ user.public_id }}"' in form for form in forms)
