"""README and docs name what is there, and all of it."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import BaseCommand, get_commands, load_command_class
from django.urls import get_resolver

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCS = [
    ROOT / "README.md",
    ROOT / "client" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)[1]


def first_column(text):
    """The first cells of a section's table rows, less heads and rules."""
    cells = re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE)
    return [cell for cell in cells if cell not in {"variable", "package"}]


def pinned(name):
    return set(re.findall(r"^([\w-]+)(?:\[\w+\])?==", (ROOT / name).read_text(), re.MULTILINE))


def test_configuration_lists_every_variable_that_is_read():
    settings = (ROOT / "config" / "settings.py").read_text()
    gunicorn = (ROOT / "config" / "gunicorn.py").read_text()
    read = set(re.findall(r'(?:env\.\w+|secret_key)\(\s*"(\w+)"', settings))
    read |= set(re.findall(r'environ\.get\("(\w+)"', gunicorn))

    assert {cell.strip("`") for cell in first_column(section("Configuration"))} == read


def test_dependencies_give_a_reason_for_every_pinned_package():
    run_time, tools = section("Dependencies").split("For tests and tools")
    named = [
        {name for cell in first_column(text) for name in cell.split(", ")}
        for text in (run_time, tools)
    ]

    assert named == [pinned("requirements.txt"), pinned("requirements-dev.txt")]


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_to_files_that_are_there(path):
    targets = re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8"))
    local = [target for target in targets if not target.startswith("http")]

    assert [target for target in local if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_lines_of_prose_have_at_most_a_hundred_characters(path):
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    prose = [line for line in text.splitlines() if not line.startswith(("|", "    "))]

    assert [line for line in prose if len(line) > 100] == []


FOLDERS = {folder.name for folder in ROOT.iterdir() if folder.is_dir()} - {"var", "node_modules"}
FILE = re.compile(
    r"(?<![\w./-])(?:[\w-]+/)+[\w.-]+\.(?:py|js|json|jsonc|md|css|conf|sql|env|yaml)\b"
)


def missing_files(named):
    """The names below our own folders that are no file of the project, nor one of a pattern."""
    ours = {name for name in named if name.split("/")[0] in FOLDERS}
    return {name for name in ours if not any(ROOT.glob(name))}


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_folders_that_are_named_are_there(path):
    text = path.read_text(encoding="utf-8")
    named = {*FILE.findall(text), *re.findall(r"`((?:[\w-]+/)+)`", text)}

    assert missing_files(named) == set()


def views(patterns):
    """The view of every address, less those of programs, which are one declaration each."""
    for pattern in patterns:
        if str(pattern.pattern) == "api/v1/":
            continue
        if hasattr(pattern, "url_patterns"):
            yield from views(pattern.url_patterns)
        else:
            yield inspect.unwrap(pattern.callback)


def test_every_screen_has_its_room_and_templates_in_the_table():
    text = (ROOT / "docs" / "developing.md").read_text("utf-8")
    rows = re.findall(r"^\| [^|]+ \| ([^|]*`\S+/\S*`[^|]*) \|([^|]*)\|$", text, re.MULTILINE)
    rooms = {room for cell, _ in rows for room in re.findall(r"`([^`]+)`", cell)}
    templates = {name for _, cell in rows for name in re.findall(r"`(templates/\S+)`", cell)}
    files = {
        view.__module__.replace(".", "/") + ".py" for view in views(get_resolver().url_patterns)
    }

    assert [file for file in sorted(files) if not file.startswith(tuple(rooms))] == []
    assert [name for name in templates if not (ROOT / name).exists()] == []
    assert len(templates) > 15


def test_code_speaks_of_files_that_are_there():
    sources = [
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        if not {"migrations", ".venv"} & set(path.parts)
    ]
    named = {name: path for path in sources for name in FILE.findall(path.read_text("utf-8"))}

    assert missing_files(name for name in named if name.endswith((".py", ".md"))) == set()


OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
CALL = re.compile(r"(?:manage\.py|deploy/manage) ([a-z_]+)((?:[^`\n]|\n(?!\n|    ))*)")


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_that_are_named_exist_with_their_options(path):
    apps, unknown = get_commands(), []
    for name, arguments in CALL.findall(path.read_text(encoding="utf-8")):
        if name not in apps:
            unknown.append(name)
            continue
        parser = load_command_class(apps[name], name).create_parser("manage.py", name)
        known = {option for action in parser._actions for option in action.option_strings}
        unknown += [
            f"{name} {option}" for option in OPTION.findall(arguments) if option not in known
        ]

    assert unknown == []


OURS = sorted(
    name
    for name, app in get_commands().items()
    if (ROOT / app).is_dir() and name != "migrate"  # Django's own, as another user
)


@pytest.mark.parametrize("name", OURS)
def test_every_argument_of_a_command_says_what_it_is_and_stands_in_a_document(name):
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    usual = BaseCommand().create_parser("manage.py", "usual")
    arguments = [
        action
        for action in parser._actions
        if not set(action.option_strings) & set(usual._option_string_actions)
    ]
    options = {option for action in arguments for option in action.option_strings}
    text = "".join(path.read_text("utf-8") for path in DOCS)

    assert [action.dest for action in arguments if not action.help] == []
    assert options - set(OPTION.findall(text)) == set()


TOOLS = {
    path.name: path.read_text("utf-8")
    for path in sorted((ROOT / "bench").glob("*.py"))
    if "__main__" in path.read_text("utf-8")
}


def options_of(text):
    """The options that a tool's source adds, less those that it keeps to itself."""
    added = re.findall(r'add_argument\(\s*"(--[a-z-]+)"([^\n]*)', text)
    return {option for option, rest in added if "SUPPRESS" not in rest}


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_says_at_its_top_all_that_it_takes(name):
    shared = "".join(path.read_text("utf-8") for path in (ROOT / "bench" / "shared").glob("*.py"))
    named = set(OPTION.findall(TOOLS[name].split('"""')[1]))

    assert options_of(TOOLS[name]) - named == set()
    assert named - options_of(TOOLS[name]) - options_of(shared) == set()


def test_the_tools_of_bench_are_those_of_the_table():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = re.findall(r"^\| ((?:`\w+\.py`(?:, )?)+) \|", text, re.MULTILINE)

    assert {name for row in rows for name in re.findall(r"`(\S+)`", row)} == set(TOOLS)


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_programs_import_what_they_use(path):
    """A reader copies the blocks of a page one after the other."""
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821", "-"]

    result = subprocess.run(ruff, input="\n".join(blocks), capture_output=True, text=True)

    assert result.returncode == 0, result.stdout


def test_pictures_of_the_screens_are_small():
    pictures = list((ROOT / "docs" / "screens").glob("*.png"))

    assert pictures
    assert [path.name for path in pictures if path.stat().st_size > 250_000] == []
