"""That the tests' axe-core, which remembers what it passed, still sees what cannot be read."""

import pytest

PAGE = """<!doctype html><html lang="en"><head><title>Texts</title><style>
main { background: white } .pale { color: #999 } .dark { background: #444 } .small { opacity: 0.5 }
</style></head><body><main><h1>Texts</h1><p>Black</p>{text}</main></body></html>"""


TOO_PALE = [
    '<p class="pale">on white</p>',
    '<p class="dark">Black on grey</p>',
    '<div class="dark"><p>Black on what is around it</p></div>',
    '<div class="small"><div class="small"><p>Nearly transparent</p></div></div>',
    '<input aria-label="Name" class="pale" value="typed">',
]


def test_a_text_that_cannot_be_read_is_found_beside_those_that_passed(page, assert_accessible):
    for text in ["<p>Black again</p>", "<p>And again</p>"]:
        page.set_content(PAGE.replace("{text}", text))
        assert_accessible(page)

    for text in TOO_PALE:
        page.set_content(PAGE.replace("{text}", text))
        with pytest.raises(AssertionError, match="color-contrast"):
            assert_accessible(page)
