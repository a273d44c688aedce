"""The page of two exports compared by pair, and its files."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts.fragments import is_fragment, render_page
from accounts.listing import listing
from accounts.models import User
from accounts.parameters import is_yes
from agreement.pages.downloads import check_format, table_file
from agreement.pages.frame import Control
from agreement.tables.writing import csv_parts, ndjson_parts
from agreement.templatetags.figures import file_links
from annotation.progress.figures import facet_names, titles_of
from annotation.reading.formulas import plain_formulas
from audit.refusals import Refused
from datasets.access import get_membership, of_member
from datasets.models import Collection, Document, Membership, Role, Topic
from evaluation.pages.controls import measure_control
from evaluation.runs.available import levels_of
from releases.access import export_named, visible_exports
from releases.differences import last_before
from releases.erratum import tables
from releases.erratum.between import Erratum, erratum_of, ids_of, in_order
from releases.erratum.changes import Change, Kind
from releases.erratum.reading import NotComparable
from releases.erratum.runs import RunMoves, level_of
from releases.formats.registry import GRADED
from releases.models import Export

# Exports to choose from; an older one is chosen by its address.
LISTED_EXPORTS = 200
# What else the page shows where somebody asks for it, as it takes a while.
RUNS = "runs"
WRITERS = {
    "csv": (csv_parts, "text/csv; charset=utf-8"),
    "ndjson": (ndjson_parts, "application/x-ndjson"),
}


@dataclass(frozen=True)
class Chosen:
    """Two exports in the order in which they were made, and which of their changes to show."""

    member: Membership
    older: Export
    newer: Export
    kind: str
    topic: str
    facet: str | None
    shows_runs: bool
    measure: str

    @property
    def parameters(self) -> dict[str, str]:
        """As an address has them."""
        return {
            "a": str(self.older.public_id),
            "b": str(self.newer.public_id),
            "kind": self.kind,
            "topic": self.topic,
            "facet": self.facet or "",
            "show": RUNS if self.shows_runs else "",
            "measure": self.measure,
        }

    def address(self, **changes: str) -> str:
        """The query string of the page with other filters."""
        parameters = self.parameters | changes
        return urlencode({name: value for name, value in parameters.items() if value})

    def rows(self, erratum: Erratum) -> Sequence[Change]:
        return erratum.chosen(kind=self.kind, topic=self.topic, facet=self.facet)


@require_safe
def changes(request: Any, slug: str) -> HttpResponse:
    """What changed between two exports, by default the newest one and the one before it."""
    member = get_membership(request.user, slug, Role.LEAD)
    exports = _listed(request.user, member.collection)
    context = of_member(member)
    chosen = _chosen(request, member, exports)
    if chosen:
        for export in (chosen.older, chosen.newer):
            if export not in exports:
                exports.append(export)
        options = [(str(export.public_id), _in_words(export)) for export in exports]
        context |= {
            "chosen": chosen,
            "controls": [
                Control("a", "From", options, str(chosen.older.public_id)),
                Control("b", "To", options, str(chosen.newer.public_id)),
            ],
        }
        try:
            erratum = erratum_of(chosen.older, chosen.newer, viewer=request.user)
        except NotComparable as why:
            context["why_not"] = str(why)
        else:
            context |= _figures(request, chosen, erratum) | _runs(request, chosen, erratum)
    context["is_fragment"] = is_fragment(request)
    return render_page(request, "releases/changes.html", context, part="changes")


@require_safe
def changes_file(request: Any, slug: str, suffix: str) -> StreamingHttpResponse:
    """All changes that the page shows, written as they are sent."""
    member = get_membership(request.user, slug, Role.LEAD)
    if suffix not in WRITERS:
        raise Http404(f"There is no format {suffix!r}; expected one of {', '.join(WRITERS)}.")
    chosen, erratum = _compared(request, member)
    write, content_type = WRITERS[suffix]
    with_notes = is_yes(request.GET, "with_notes")
    rows = tables.file_rows(erratum, chosen.rows(erratum), with_notes=with_notes)
    columns = tables.columns(with_notes=with_notes)
    headers = {"Content-Disposition": f'attachment; filename="{slug}-erratum.{suffix}"'}
    return StreamingHttpResponse(write(columns, rows), content_type=content_type, headers=headers)


@require_safe
def runs_file(request: Any, slug: str, suffix: str) -> HttpResponse:
    """The table of the runs that the page shows."""
    member = get_membership(request.user, slug, Role.LEAD)
    check_format(suffix)
    chosen, erratum = _compared(request, member)
    moves = _moves(request, chosen, erratum)
    measure = moves.measure(chosen.measure)
    return table_file(
        moves.table(measure),
        suffix,
        name=f"{slug}-erratum-runs",
        about=f"{chosen.older} of {chosen.older.made_at}, and of {chosen.newer.made_at}.",
        facts=lambda: ids_of(chosen.older, chosen.newer) | moves.facts(measure),
    )


def _compared(request: Any, member: Membership) -> tuple[Chosen, Erratum]:
    """The two exports of a file, and what changed between them."""
    chosen = _chosen(request, member, _listed(request.user, member.collection))
    if chosen is None:
        raise Http404("There are no two exports to compare.")
    return chosen, erratum_of(chosen.older, chosen.newer, viewer=request.user)


def _moves(request: Any, chosen: Chosen, erratum: Erratum) -> RunMoves:
    collection = chosen.member.collection
    return RunMoves.of(erratum, collection, viewer=request.user, facet=chosen.facet or "")


def _listed(user: User, collection: Collection) -> list[Export]:
    """The exports to choose from, the newest first: those that hold grades."""
    exports = visible_exports(user, collection, newest=LISTED_EXPORTS)
    return [export for export in exports if export.format in GRADED]


def _chosen(request: Any, member: Membership, exports: list[Export]) -> Chosen | None:
    """The two that the address names as `a` and `b`; None where there are no two."""
    named = [_named(request, member, name) for name in ("a", "b")]
    newer = named[1] or next(iter(exports), None)
    older = named[0] or (newer and last_before(newer, exports))
    if newer is None or older is None:
        return None
    older, newer = in_order(older, newer)
    return Chosen(
        member,
        older,
        newer,
        tables.kind_in(request.GET),
        request.GET.get("topic", ""),
        request.GET.get("facet") or None,
        shows_runs=request.GET.get("show") == RUNS,
        measure=request.GET.get("measure", ""),
    )


def _named(request: Any, member: Membership, name: str) -> Export | None:
    text = request.GET.get(name, "")
    if not text:
        return None
    export = export_named(request.user, name, text)
    if export.collection != member.collection:
        raise Http404("There is no such export.")
    return export


def _in_words(export: Export) -> str:
    parts = [
        f"{export.made_at}: {export.get_format_display()}",
        *([export.options["level"]] if "level" in export.options else []),
        *([export.source_in_words] if export.source_in_words else []),
        *(["incomplete"] if export.is_incomplete else []),
    ]
    return ", ".join(parts)


def _figures(request: Any, chosen: Chosen, erratum: Erratum) -> dict[str, object]:
    collection = chosen.member.collection
    names = facet_names(collection.scheme)
    rows = chosen.rows(erratum)
    searched = listing(rows, request.GET, text=_texts(request, collection))
    shown = list(searched.page.object_list)
    topics = Topic.objects.filter(
        collection=collection, external_id__in={row.topic for row in shown}
    )
    ids = dict(topics.values_list("pk", "external_id"))
    titles = {ids[pk]: plain_formulas(title) for pk, title in titles_of(ids).items()}

    def address(**changes: str) -> str:
        return _address(collection, chosen.address(**changes))

    return {
        "erratum": erratum,
        "sentence": tables.sentence(erratum),
        "notes": tables.notes(erratum),
        "by_facet": tables.by_facet(erratum, names, partial(address, topic="")),
        "crossed": tables.crossed(erratum, names),
        "kinds": [
            (words, address(kind=kind), erratum.changes.count(Kind(kind)), kind == chosen.kind)
            for kind, words in tables.IN_WORDS.items()
        ],
        "all_kinds": address(kind=""),
        "facet_name": names.get(chosen.facet or "", chosen.facet),
        "without_facet": address(facet=""),
        "without_topic": address(topic=""),
        "home": reverse("releases:changes", args=[collection.slug]),
        **searched.context(**chosen.parameters),
        "files": chosen.address(),
        "listed": tables.listed(erratum, erratum.known(shown), titles, address) if shown else None,
    }


def _runs(request: Any, chosen: Chosen, erratum: Erratum) -> dict[str, object]:
    """The scores of the runs, computed where the address asks for them."""
    collection = chosen.member.collection
    if level_of(erratum) not in levels_of(collection):
        return {}
    address = _address(collection, chosen.address(show=RUNS))
    context: dict[str, object] = {"runs_href": f"{address}#runs-h"}
    if not chosen.shows_runs:
        return context
    try:
        moves = _moves(request, chosen, erratum)
        measure = moves.measure(chosen.measure)
        return context | {
            "judging": moves.evaluation.judging,
            "remarks": moves.remarks(measure),
            "moved": moves.table(measure),
            "measure_control": measure_control(moves.evaluation, measure),
            "kept_beside_measure": list((chosen.parameters | {"measure": ""}).items()),
            "run_files": file_links(
                "releases:changes-runs", [collection.slug], chosen.address(show=""), picture=False
            ),
        }
    except Refused as refused:
        return context | {"why_no_scores": str(refused)}


def _address(collection: Collection, query: str) -> str:
    return f"{reverse('releases:changes', args=[collection.slug])}?{query}"


def _texts(request: Any, collection: Collection) -> Callable[[Change], str]:
    """What a search looks through, read where somebody searches."""
    if not request.GET.get("words"):
        return lambda row: ""
    documents = dict(
        Document.objects.filter(collection=collection).values_list("external_id", "title")
    )
    topics = dict(Topic.objects.filter(collection=collection).values_list("pk", "external_id"))
    titles = {topics[pk]: title for pk, title in titles_of(topics).items()}

    def text(row: Change) -> str:
        names = (row.document, documents.get(row.document), row.topic, titles.get(row.topic))
        return " ".join(name for name in names if name)

    return text
