"""Static files as they are collected: each entry holds what it imports."""

import re

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage

from config.static_files import with_imports_inside


@pytest.fixture
def collect():
    """`collect({name: text})`: the text of each file as it is collected."""

    def collected(texts):
        source = InMemoryStorage()
        for name, text in texts.items():
            source.save(name, ContentFile(text.encode()))
        paths = with_imports_inside({name: (source, name) for name in texts})
        return {name: storage.open(path).read().decode() for name, (storage, path) in paths.items()}

    return collected


def test_a_script_holds_each_module_that_it_imports_once_and_before_its_use(collect):
    main = collect(
        {
            "js/bench/main.js": 'import { a as b } from "./a.js";\n'
            'import * as c from "./c.js";\nb(c.d);\n',
            "js/bench/a.js": 'import { d } from "./c.js";\nexport function a() {\n  return d;\n}\n',
            "js/bench/c.js": "const hidden = 1;\nexport const d = hidden;\nexport class E {}\n",
        }
    )["js/bench/main.js"]

    assert main == (
        "const $bench_c = (() => {\n"
        "const hidden = 1;\nconst d = hidden;\nclass E {}\n"
        "return { d, E };\n})();\n"
        "const $bench_a = (() => {\n"
        "const { d } = $bench_c;\nfunction a() {\n  return d;\n}\n"
        "return { a };\n})();\n"
        "const { a: b } = $bench_a;\nconst c = $bench_c;\nb(c.d);\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        "export default function a() {}",
        "export let count = 0;",
        "export { a };",
        'import a from "./a.js";',
        'import "./a.js";',
        "import { a } from './a.js';",
    ],
)
def test_what_would_be_collected_wrongly_is_refused(collect, line):
    with pytest.raises(ValueError, match=re.escape(line)):
        collect({"js/main.js": f"{line}\n", "js/a.js": "export const a = 1;\n"})


def test_modules_that_import_each_other_are_refused(collect):
    with pytest.raises(ValueError, match=r"js/a.js imports itself through js/b.js"):
        collect(
            {
                "js/a.js": 'import { b } from "./b.js";\nexport const a = 1;\n',
                "js/b.js": 'import { a } from "./a.js";\nexport const b = 1;\n',
            }
        )


def test_a_module_that_is_not_there_is_refused(collect):
    with pytest.raises(ValueError, match=r"js/gone.js, which is not there"):
        collect({"js/a.js": 'import { b } from "./gone.js";\n'})


def test_a_style_sheet_holds_those_that_it_imports_in_their_places(collect):
    texts = {"css/all.css": '@import "a.css";\n@import "b.css";\n\nc {}\n'}
    texts |= {"css/a.css": "a {}\n", "css/b.css": "b {}\n"}

    assert collect(texts)["css/all.css"] == "a {}\nb {}\n\nc {}\n"


def test_comments_that_fill_their_lines_are_left_out(collect):
    text = (
        '/* One\n   two. */\nconst a = 1; /* stays */\n  /* three */\n/* four */ const b = "/*";\n'
    )

    assert collect({"js/a.js": text})["js/a.js"] == (
        'const a = 1; /* stays */\n/* four */ const b = "/*";\n'
    )


def test_files_of_packages_stay_as_they_are(collect):
    texts = {"django_htmx/htmx.js": "/* licence */\nexport default 1;\n"}

    assert collect(texts) == texts
