"""What the workbench's script fetches and is answered, as HTML.

Many wait for these answers at the same time, and a template takes ten times as long.
"""

from html import escape
from typing import Any

from django.template.loader import get_template
from django.utils.safestring import SafeString

from accounts.models import User
from annotation.models import RatingRevision
from annotation.reading.markup import candidate_pane
from annotation.workbench.bench import PlaceState
from annotation.workbench.cache import Step


def save_answer(revision: RatingRevision, step: Step, edition: str) -> SafeString:
    """The answer to a save: it names the rating and how it stands, and brings no text."""
    state = PlaceState.RATED if revision.option_id else PlaceState.CANNOT_JUDGE
    return SafeString(
        f'<div id="saved" data-save-id="{revision.save_id}" data-position="{step.position}" '
        f'data-version="{revision.version}" data-state="{state}"'
        f'{" data-flagged" if revision.is_flagged else ""} data-edition="{edition}"></div>\n'
    )


def text_ahead(context: dict[str, Any], user: User) -> SafeString:
    """A pair that a script fetches ahead: what it has not got yet of the texts, and how the pair
    stands. `user` is who reads it: their keys and their folding are shown."""
    bench = context["bench"]
    data = {
        "position": context["step"].position,
        "url": context["url"],
        "topic": context["topic_number"],
        "document": context["document_number"],
        "facet": context["facet_key"],
        "query-key": context["query_key"],
        "paper-key": context["paper_key"],
        "standing": context["standing"],
        "edition": bench.edition,
    }
    attributes = "".join(f' data-{name}="{escape(str(value))}"' for name, value in data.items())
    paper = query = ""
    if context["brings_paper"]:
        paper = candidate_pane(
            user,
            context["document"],
            context["candidate_lens"],
            predicted=bench.terms.labels_facets,
            numbered=context["shown"].aspect,
            facet_key=context["facet_key"],
            facet_name=context["facet_name"],
            is_labelled=context["facet_is_labelled"],
            number=context["candidate_number"],
            side_text=context["side_text"],
        )
    if context["brings_query"]:
        query = get_template("annotation/workbench/query.html").render(context | {"user": user})
    elif context["shown"].aspect:
        query = get_template("annotation/tree.html").render(context)
    return SafeString(f'<div class="pair"{attributes}>{paper}{query}</div>\n')
