"""Storage of static files: hashed and compressed, and each entry as one file.

In `static/` a script is a module that imports others, and a style sheet may import others: short
files to read, and in development the browser fetches each. A collected file holds what it imports,
so that a page takes one request for its script and one for its style. Comments that fill their
lines are left out.
"""

import posixpath
import re

from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = re.compile(r"(js|css)/.+\.(js|css)")  # a package's files stay as they are

SHEET = re.compile(r'^@import "(?P<name>[^"]+)";\n', re.MULTILINE)
# `import { one, other } from "./module.js";` and `import * as module from "./module.js";`
IMPORT = re.compile(
    r'^import (?:\* as (?P<all>\w+)|\{(?P<names>[^}]*)\}) from "(?P<name>\.[^"]+)";\n', re.MULTILINE
)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (?P<name>\w+))", re.M)
# An import or export that is left after both are taken out has a form that we do not read.
OTHER = re.compile(r"^\s*(import|export)\b.*$", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/\n", re.MULTILINE | re.DOTALL)


class StaticFiles(CompressedManifestStaticFilesStorage):
    def post_process(self, paths, dry_run=False, **options):
        yield from super().post_process(with_imports_inside(paths), dry_run, **options)


def with_imports_inside(paths):
    """`paths` as Django collects them, with our own files in which what they import is inside."""

    def read(name):
        if name not in paths:
            raise ValueError(f"A static file imports {name}, which is not there.")
        storage, path = paths[name]
        with storage.open(path) as file:
            return file.read().decode()

    bundles = InMemoryStorage()
    bundled = {}
    for name in paths:
        if OURS.fullmatch(name):
            join = whole_script if name.endswith(".js") else whole_sheet
            text = COMMENT.sub("", join(name, read))
            bundles.save(name, ContentFile(text.encode()))
            bundled[name] = bundles, name
    return paths | bundled


def whole_sheet(name, read_text):
    """A style sheet with those it imports in their places. All of ours are in one folder, so that
    the addresses in them stay right."""
    return SHEET.sub(
        lambda match: whole_sheet(beside(name, match["name"]), read_text), read_text(name)
    )


def whole_script(name, read_text):
    """A script in which each module that it imports, itself or through another, is one function's
    result, made once and before those that import it."""
    functions = {}  # by module, each after those that it needs

    def include(module, importers):
        if module in importers:
            raise ValueError(f"{module} imports itself through {importers[-1]}.")
        if module not in functions:
            body, exported = module_body(
                module, read_text(module), lambda imported: include(imported, (*importers, module))
            )
            functions[module] = (
                f"const {variable(module)} = (() => {{\n{body}"
                f"return {{ {', '.join(exported)} }};\n}})();\n"
            )

    body, _ = module_body(name, read_text(name), lambda imported: include(imported, (name,)))
    return "".join(functions.values()) + body


def module_body(name, text, include):
    """A module's text without `import` and `export`, and the names that it exports."""

    def taken(match):
        imported = beside(name, match["name"])
        include(imported)
        if match["all"]:
            return f"const {match['all']} = {variable(imported)};\n"
        return f"const {{{match['names'].replace(' as ', ': ')}}} = {variable(imported)};\n"

    exported = [match["name"] for match in EXPORT.finditer(text)]
    body = EXPORT.sub("", IMPORT.sub(taken, text))
    if other := OTHER.search(body):
        line = other[0].strip()
        raise ValueError(
            f"{name} has {line!r}; config/static_files.py says which forms are allowed."
        )
    return body, exported


def beside(name, relative):
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), relative))


def variable(name):
    """The variable of a module: `js/rating/hand-in.js` is in `$rating_hand_in`."""
    return "$" + re.sub(r"\W", "_", name.removeprefix("js/").removesuffix(".js"))
