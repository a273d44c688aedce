"""Writing queries and their aspects."""

from django.contrib import messages
from django.db.models import BigIntegerField
from django.db.models.fields.json import KT
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.authoring.actions import aspects, queries
from annotation.authoring.forms import AboutQueryForm, AspectForm, NewQueryForm, SentencesForm
from annotation.authoring.report import query_page, query_rows
from annotation.authoring.rules import place_in, sentences_token
from audit.refusals import Invalid, Refused
from datasets.access import get_for, get_membership, of_member
from datasets.models import Query, Role
from datasets.tree import Step
from formats.whole_numbers import whole_number

USUAL_TYPES = ["ML", "NLP", "CV", "AI", "Composite"]


@require_safe
def authoring(request, slug):
    """The queries that are texts, for writing them on."""
    member = get_membership(request.user, slug, Role.LEAD)
    judges_aspects = member.collection.scheme.current.judges_aspects
    context = {
        **of_member(member),
        "rows": query_rows(member.collection) if judges_aspects else [],
        "judges_aspects": judges_aspects,
    }
    return render(request, "annotation/queries/authoring.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def new_query(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    collection = member.collection
    form = NewQueryForm(request.POST or None)
    error, status = "", 422 if form.errors else 200
    if request.method == "POST" and form.is_valid():
        try:
            query = queries.write_query(collection=collection, by=request.user, **form.cleaned_data)
        except Refused as refused:
            error, status = str(refused), refused.status
        else:
            messages.success(request, "Check the sentences, then write the aspects.")
            return redirect("annotation:edit-query", query.public_id)
    context = {
        **of_member(member),
        "form": form,
        "wait": error,
        "types": _types(collection),
        "judges_aspects": collection.scheme.current.judges_aspects,
    }
    return render(request, "annotation/queries/new.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_query(request, public_id):
    """The page of a query; POST saves its text, as sentences."""
    query, member = get_query(request.user, public_id)
    if request.method != "POST":
        return render_query(request, member, query)
    form = SentencesForm(request.POST)
    try:
        queries.edit_query(query=query, by=request.user, **form.checked())
    except Refused as refused:
        typed_text = request.POST.get("sentences", "")
        return render_query(request, member, query, refused, "text", typed=typed_text)
    messages.success(request, "The text is saved.")
    return redirect("annotation:edit-query", public_id)


@require_POST
def describe_query(request, public_id):
    query, member = get_query(request.user, public_id)
    form = AboutQueryForm(request.POST)
    try:
        queries.describe_query(query=query, by=request.user, **form.checked())
    except Refused as refused:
        return render_query(request, member, query, refused, "about", about=form)
    messages.success(request, "Type and notes are saved.")
    return redirect("annotation:edit-query", public_id)


@require_POST
def remove_query(request, public_id):
    query, member = get_query(request.user, public_id)
    try:
        queries.remove_query(query=query, by=request.user)
    except Refused as refused:
        return render_query(request, member, query, refused, "about")
    messages.success(request, f"Query {query.external_id} is removed.")
    return redirect("annotation:authoring", member.collection.slug)


@require_POST
def link_sentences(request, public_id):
    """Save which aspects each sentence asks for: `s1` has the topics of the first, and so on."""
    query, member = get_query(request.user, public_id)
    links = [request.POST.getlist(f"s{n}") for n in range(1, len(query.sentences) + 1)]
    try:
        queries.link_sentences(
            query=query, links=links, seen=request.POST.get("seen", ""), by=request.user
        )
    except Refused as refused:
        return render_query(request, member, query, refused, "links")
    query.refresh_from_db()
    if request.htmx:
        # Only the hints: the boxes stand as they were ticked, and keep the focus.
        return render_query(request, member, query, part="hints")
    messages.success(request, "The links between sentences and aspects are saved.")
    return redirect("annotation:edit-query", public_id)


@require_POST
def add_aspect(request, public_id):
    query, member = get_query(request.user, public_id)
    form = AspectForm(request.POST)
    parent = request.POST.get("parent", "")
    try:
        typed = form.checked()
        place = aspects.add_aspect(
            query=query,
            parent=_place(query, parent) if parent else None,
            by=request.user,
            **typed,
        )
    except Refused as refused:
        new = {"text": request.POST.get("text", ""), "parent": parent}
        return _tree_answer(request, member, query, refused=refused, new=new)
    # The cursor stays in the field, for the next one under the same aspect.
    return _tree_answer(request, member, query, place=place.pk, new={"parent": parent})


@require_POST
def change_aspect(request, public_id):
    """One step with one aspect: `do` is "edit" or a step of the tree."""
    query, member = get_query(request.user, public_id)
    do, place = request.POST.get("do", ""), None
    try:
        place = _place(query, request.POST.get("place", ""))
        index = [row.place for row in query_page(query).aspects].index(place.pk)
        if do == "edit":
            form = AspectForm(request.POST)
            aspects.edit_aspect(place=place, by=request.user, **form.checked())
        elif do in list(Step):
            aspects.move_aspect(place=place, step=do, by=request.user)
        else:
            raise Invalid("Choose what to do with the aspect.")
    except Refused as refused:
        typed = request.POST.get("text", "")
        return _tree_answer(
            request, member, query, place=place and place.pk, do=do, refused=refused, typed=typed
        )
    if do == Step.REMOVE:
        return _tree_answer(request, member, query, index=index)
    return _tree_answer(request, member, query, place=place.pk, do=do)


def get_query(user, public_id):
    """A query of a collection that the person leads, and their membership."""
    queries = Query.objects.select_related("document")
    return get_for(user, Role.LEAD, queries, public_id)


def _place(query, text):
    return place_in(query, whole_number(text, most=BigIntegerField.MAX_BIGINT))


def _tree_answer(
    request, member, query, *, place=None, do="", index=None, refused=None, new=None, typed=""
):
    """The workspace for htmx, with the focus where it was; else the page, or a redirect to it.

    The focus goes to the control `do` of the aspect at `place`, or to the aspect itself where it
    has no such control any more. After a removal it goes to the aspect that moved up to `index`,
    after an addition to the field for a `new` one.
    """
    if not request.htmx and not refused:
        address = reverse("annotation:edit-query", args=[query.public_id])
        return redirect(f"{address}#aspect-{place}" if place else f"{address}#aspects")
    query.refresh_from_db()
    page = query_page(query)
    rows = page.aspects
    if index is not None and rows:
        rows[min(index, len(rows) - 1)].focus = "self"
    for row in rows:
        if row.place == place and new is None:
            row.focus = do if do == "edit" or do in row.steps else "self"
            row.typed = typed if refused else ""
    can_edit = any(row.place == place and not row.is_fixed for row in rows)
    at = "new" if new is not None else "edit" if do == "edit" and can_edit else "aspects"
    return render_query(
        request,
        member,
        query,
        refused,
        at,
        part="workspace" if request.htmx else "",
        page=page,
        new=new or {},
        focus_new=new is not None or not rows,
    )


def render_query(request, member, query, refused=None, field="", *, part="", **more):
    """The page of a query, or a part of it; `field` names the panel or form that tells a
    refusal."""
    query.refresh_from_db()
    context = {
        **of_member(member),
        "query": query,
        "page": more.get("page") or query_page(query),
        "judges_aspects": member.collection.scheme.current.judges_aspects,
        "seen": sentences_token(query),
        "about": AboutQueryForm(initial=query.metadata),
        "types": _types(member.collection),
        "errors": {field: str(refused)} if refused else {},
    } | more
    template = "annotation/queries/edit.html" + (f"#{part}" if part else "")
    return render(request, template, context, status=refused.status if refused else 200)


def _types(collection):
    """Types to offer: those in use, else the published ones."""
    queries = Query.objects.filter(collection=collection)
    used = set(queries.values_list(KT("metadata__query_type"), flat=True))
    return sorted(filter(None, used)) or USUAL_TYPES
