"""Values and states as templates print them."""

from django import template

from annotation.progress.markup import progress_bars
from annotation.progress.setting_up import way_of
from annotation.rating.components import WORDS
from annotation.reading import markup
from annotation.reading.formulas import plain_formulas
from formats.decimals import printed_grade, typeset
from formats.words import counted

register = template.Library()
register.filter(plain_formulas)
register.filter("grade", printed_grade)
register.filter(typeset)
register.simple_tag(progress_bars)

# The step of setting up that each tab of a collection is about.
STEPS = {
    "scheme": "scheme",
    "import": "data",
    "runs": "pool",
    "members": "people",
    "assign": "seats",
}
TONES = {"partial": "warn", "agreed": "ok", "disputed": "bad", "adjudicated": "info"}


@register.filter
def file_size(count):
    """Bytes in the units of the settings, which count by thousands: "200 MB"."""
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= unit:
            return f"{count / unit:.1f}".removesuffix(".0") + f"\N{NO-BREAK SPACE}{name}"
    return counted(count, "byte")


@register.filter
def duration(minutes):
    """Minutes as people say them: "134" is "2 h 14 min"."""
    if not minutes:
        return "less than a minute"
    hours, remaining_minutes = divmod(minutes, 60)
    return " ".join(
        part
        for part in (hours and f"{hours:,} h", remaining_minutes and f"{remaining_minutes} min")
        if part
    )


@register.filter
def state_tone(state):
    """The colour of a pair's state, which is always printed as well."""
    return TONES.get(state, "")


@register.filter
def met_words(met):
    """The degree to which a key component is met: "Partly" for "partly"; empty for other text."""
    return WORDS.get(met, "")


@register.simple_tag(takes_context=True)
def lens_text(context, lens, *, predicted=False, numbered=False, asks=False):
    """A text under the lens (annotation.reading.lens): what is about the topic in sight, the rest
    folded, unless the reader wants whole texts."""
    is_open = markup.wants_whole_texts(context.get("user"))
    return markup.LensMarkup(lens, bool(predicted), bool(numbered), asks, is_open).html()


@register.simple_tag(takes_context=True)
def candidate_pane(context, document, lens, **details):
    """The document beside the query; `details` are those of `markup.candidate_pane`."""
    return markup.candidate_pane(context.get("user"), document, lens, **details)


@register.inclusion_tag("annotation/way.html", takes_context=True)
def way(context, tab):
    """The line of setting up, for a lead on a page of the way."""
    member = context["member"]
    if tab not in STEPS or not member.is_lead:
        return {}
    collection = context["collection"]
    return {
        "way": way_of(collection, context["user"]),
        "here": STEPS[tab],
        "collection": collection,
    }
