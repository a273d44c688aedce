"""Writing a scheme before anything is rated under it: the builder, its preview, and files."""

from django.contrib import messages
from django.db.models import BigIntegerField
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.downloads import attached
from annotation.schemes import actions
from annotation.schemes.builder import Builder
from annotation.schemes.draft import Draft
from annotation.schemes.draft_form import draft_of, focus_after, open_after, press
from annotation.schemes.files import MAX_BYTES, as_file, definition_of, shown_definition
from annotation.schemes.fixed import is_fixed
from annotation.schemes.interface import read_brought
from audit.refusals import Invalid, Refused
from datasets.access import get_membership, of_member
from datasets.models import Membership, Role
from formats.whole_numbers import whole_number


@require_http_methods(["GET", "HEAD", "POST"])
def write_scheme(request, slug):
    """The builder. What is typed is kept in the form alone until it is saved.

    `do` is the button: empty or "save", "preview", "file" for a definition that is brought, or one
    that adds, moves or removes a row.
    """
    member = get_membership(request.user, slug, Role.LEAD)
    scheme = member.collection.scheme
    if is_fixed(scheme, by=request.user):
        if request.method == "POST":
            return _page(request, member, Builder(_posted(request, scheme)), status=423)
        return redirect("annotation:edit-scheme", slug)
    if request.method != "POST":
        draft, source = _start(request, scheme)
        return _page(request, member, Builder(draft), source=source)
    button = request.POST.get("do", "")
    if button == "file":
        return _bring(request, member)
    draft = _posted(request, scheme)
    if button in ("", "save", "preview"):
        for scale in draft.scales:
            scale.give_missing_keys()
    if button == "preview":
        open_facet = open_after(request.POST, button, draft)
        builder = Builder(draft, draft.problems(), open_facet)
        context = {"builder": builder, "collection": member.collection}
        return render(request, "annotation/build_scheme.html#preview", context)
    if button not in ("", "save"):
        press(draft, button)
        open_facet = open_after(request.POST, button, draft)
        focus = focus_after(button, draft)
        return _page(request, member, Builder(draft, open_facet=open_facet, focus=focus))
    return _save(request, member, draft)


def _save(request, member, draft):
    problems = draft.problems()
    open_facet = open_after(request.POST, "save", draft)
    if problems:
        return _page(request, member, Builder(draft, problems, open_facet), status=422)
    based_on = whole_number(request.POST.get("based_on", ""), most=BigIntegerField.MAX_BIGINT)
    try:
        actions.write_scheme(
            scheme=member.collection.scheme,
            definition=draft.definition(),
            based_on=based_on,
            by=request.user,
        )
    except Refused as refused:
        builder = Builder(draft, open_facet=open_facet)
        return _page(request, member, builder, error=str(refused), status=refused.status)
    messages.success(request, "The scheme is saved. It may change until the first rating.")
    page = reverse("annotation:scheme", args=[member.collection.slug])
    return HttpResponseClientRedirect(page) if request.htmx else redirect(page)


def _bring(request, member):
    """A definition, or a labelling interface, from a file or as it was pasted, put into the form;
    nothing is saved yet."""
    present = definition_of(member.collection.scheme)
    file, pasted = request.FILES.get("file"), request.POST.get("pasted", "").strip()
    try:
        if file is None and not pasted:
            raise Invalid("Choose a file first, or paste its text.")
        name = file.name if file else "The pasted text"
        content = file.read(MAX_BYTES + 1) if file else pasted.encode()
        draft, changes = read_brought(content, name, present)
    except Invalid as refused:
        builder = Builder(Draft.of_definition(present))
        return _page(request, member, builder, error=str(refused), status=refused.status)
    source = file.name if file else "pasted text"
    return _page(request, member, Builder(draft, draft.problems()), source=source, changes=changes)


def _start(request, scheme):
    """The draft to begin with, and what it came from: `start` names a shipped scheme, or another
    collection that the person leads."""
    kind, _, name = request.GET.get("start", "").partition(":")
    if kind == "shipped" and name in actions.shipped_schemes():
        definition = actions.load_definition(name)
        return Draft.of_definition(definition), definition["title"]
    if kind == "collection":
        other = _led_by(request.user).filter(collection__slug=name).first()
        if other:
            definition = shown_definition(other.collection.scheme, request.user)
            return Draft.of_definition(definition), other.collection.name
    return Draft.of_definition(definition_of(scheme)), ""


def _led_by(user):
    """The person's places as a lead in collections that have a scheme."""
    leads = Membership.objects.leads().filter(user=user, collection__scheme__isnull=False)
    return leads.select_related("collection__scheme").order_by("collection__name")


def _posted(request, scheme):
    key_of_name = {
        row["name"]: row["key"]
        for definition in [
            *(actions.load_definition(key) for key in actions.shipped_schemes()),
            definition_of(scheme),
        ]
        for name in ("cannot_judge_reasons", "causes")
        for row in definition[name]
    }
    return draft_of(request.POST, key_of_name)


def _page(request, member, builder, *, status=200, **more):
    scheme = member.collection.scheme
    context = {
        **of_member(member),
        "scheme": scheme,
        "based_on": request.POST.get("based_on") or scheme.current.number,
        "builder": builder,
        "shipped": actions.shipped_schemes(),
        "others": [
            place.collection
            for place in _led_by(request.user)
            if place.collection_id != member.collection_id
        ],
    }
    part = "#builder" if request.htmx else ""
    return render(request, f"annotation/build_scheme.html{part}", context | more, status=status)


@require_safe
def scheme_file(request, slug):
    """The scheme as a file, which another collection or `--scheme` can start from."""
    member = get_membership(request.user, slug, Role.LEAD)
    definition = shown_definition(member.collection.scheme, request.user)
    definition["key"] = definition["key"] or member.collection.slug
    return attached(as_file(definition), "application/json", f"{slug}-scheme.json")
