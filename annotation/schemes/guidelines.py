"""Guidelines as HTML that is safe to show: they are Markdown written by a lead."""

from functools import lru_cache

import nh3
from django.utils.safestring import mark_safe
from markdown_it import MarkdownIt

TAGS = {
    *("p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "a"),
}
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}

_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(maxsize=64)
def render(text, *, top=2):
    """Render Markdown; its first level of headings becomes level `top`, 6 is the lowest.

    Raw HTML is shown as text; images, scripts, styles and odd link schemes are left out. Cached,
    since the page of every pair brings the same guidelines along.
    """
    tokens = _markdown.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            level = int(token.tag.removeprefix("h")) + top - 1
            token.tag = f"h{min(level, 6)}"
    html = _markdown.renderer.render(tokens, _markdown.options, {})
    clean = nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES)
    return mark_safe(clean)  # noqa: S308 - cleaned one line above
