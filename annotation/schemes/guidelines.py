"""Guidelines as HTML that is safe to show: they are Markdown written by a lead."""

import re
from functools import lru_cache

import nh3
from django.utils.safestring import mark_safe
from markdown_it import MarkdownIt

TAGS = {
    *("p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "a"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}, "*": {"dir"}}
SCHEMES = {"http", "https", "mailto"}

_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(maxsize=64)
def render(text, *, top=2):
    """Render Markdown; its first level of headings becomes level `top`, 6 is the lowest. Each
    block is written in the direction of its own first letter.

    Raw HTML is shown as text; images, scripts, styles and odd link schemes are left out. Cached,
    since the page of every pair brings the same guidelines along.
    """
    tokens = _markdown.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            level = int(token.tag.removeprefix("h")) + top - 1
            token.tag = f"h{min(level, 6)}"
        if token.nesting == 1:
            token.attrSet("dir", "auto")
    html = _markdown.renderer.render(tokens, _markdown.options, {})
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES)
    return mark_safe(clean)  # noqa: S308 - cleaned one line above


def outdated_names(text, words, *, earlier):
    """What guidelines still call grades and facets, though only `earlier` wordings have them.

    A grade is called by its name or by its digit. Numbers of a list, and numbers of things, as in
    "2 papers", are no grades.
    """
    current = _names_of(words)
    former = {name for wording in earlier for name in _names_of(wording)} - current
    text = re.sub(r"(?m)^[^\S\n]*+\d++[.)]", "", text)
    for name in sorted(current, key=len, reverse=True):
        text = re.sub(_whole(name), "", text)
    return sorted(name for name in former if re.search(_whole(name), text))


def _names_of(words):
    judged = [*words.facets.values(), *([words.aspects] if words.aspects else [])]
    options = [words.options, *(each.options for each in judged)]
    names = {each.name for each in judged}
    for option in (option for scale in options for option in scale.values()):
        names |= {option.name, option.shortcut if option.shortcut.isdecimal() else ""}
    return names - {""}


def _whole(name):
    things = r"(?! (?!and |or |to )[a-z])" if name.isdecimal() else ""
    return rf"(?<![\w.,]){re.escape(name)}(?!\w|[.,]\d){things}"
