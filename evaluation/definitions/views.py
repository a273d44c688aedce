"""The pages on which leads define mappings, and protocols of their own."""

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.access import get_scheme
from audit.refusals import Refused
from datasets.access import get_membership, of_member
from datasets.models import Role
from evaluation.definitions import actions
from evaluation.definitions.forms import MappingForm, ProtocolForm
from evaluation.definitions.reading import latest_of, versions_of
from evaluation.models import MappingVersion, ProtocolVersion
from evaluation.protocols import shipped


@require_http_methods(["GET", "HEAD", "POST"])
def mappings(request, slug):
    """The mappings of a collection, and a form for another."""
    member, scheme = _lead(request, slug)
    collection = member.collection
    form = MappingForm(request.POST or None, scheme=scheme)
    if request.method == "POST" and form.is_valid():
        add = actions.add_mapping
        if version := _stored(request, form, add, collection=collection, **form.mapping):
            return redirect("evaluation:mapping", slug, version.key)
    stored = latest_of(MappingVersion, collection)
    return _page(request, member, "evaluation/definitions/mappings.html", form, mappings=stored)


@require_http_methods(["GET", "HEAD", "POST"])
def mapping(request, slug, key):
    """A mapping with all its versions; POST adds one."""
    member, scheme = _lead(request, slug)
    versions = versions_of(MappingVersion, member.collection, key)
    if not versions:
        raise Http404("There is no such mapping.")
    form = MappingForm(request.POST or None, scheme=scheme, version=versions[0])
    if request.method == "POST" and form.is_valid():
        content = {"collection": member.collection, "key": key, **form.mapping}
        if version := _stored(request, form, actions.add_mapping, **content):
            return redirect("evaluation:mapping", slug, version.key)
    return _page(request, member, "evaluation/definitions/mapping.html", form, versions=versions)


@require_safe
def protocols(request, slug):
    """The protocols that come with the program, and those of the collection."""
    member, _ = _lead(request, slug)
    stored = latest_of(ProtocolVersion, member.collection)
    lists = {"shipped": shipped().values(), "stored": stored}
    return _page(request, member, "evaluation/definitions/protocols.html", **lists)


@require_http_methods(["GET", "HEAD", "POST"])
def protocol(request, slug, key):
    """A protocol. POST copies a shipped one under another name; of one's own it adds a version."""
    member, _ = _lead(request, slug)
    collection = member.collection
    versions = versions_of(ProtocolVersion, collection, key)
    latest = shipped().get(key) or (versions[0].protocol if versions else None)
    if latest is None:
        raise Http404("There is no such protocol.")
    form = ProtocolForm(request.POST or None, protocol=latest)
    if request.method == "POST" and form.is_valid():
        content = {"key": key if versions else "", "protocol": form.protocol}
        add = actions.add_protocol
        if version := _stored(request, form, add, collection=collection, **content):
            return redirect("evaluation:protocol", slug, version.key)
    shown = {"protocol": latest, "versions": versions}
    return _page(request, member, "evaluation/definitions/protocol.html", form, **shown)


def _stored(request, form, add, **content):
    """The version that is stored now; None where it was refused, and the form says why."""
    try:
        version = add(by=request.user, **content)
    except Refused as refused:
        is_of_name = isinstance(refused, actions.NameRefused)
        form.add_error("name" if is_of_name else None, str(refused))
        return None
    messages.success(request, f"Stored: {version}.")
    return version


def _lead(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    return member, get_scheme(member.collection)


def _page(request, member, template, form=None, **more):
    context = of_member(member) | {"form": form, **more}
    return render(request, template, context, status=422 if form and form.errors else 200)
