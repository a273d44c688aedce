"""How a collection is judged: read by every member, edited by its leads."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.schemes import actions as schemes
from annotation.schemes import guidelines
from annotation.schemes.forms import RulesForm, WordingForm
from audit.refusals import Invalid, Refused
from datasets.access import get_membership
from datasets.models import Role


@login_required
@require_safe
def scheme(request, slug, number=None):
    """The current version, or an earlier one as ratings were made under it."""
    member = get_membership(request.user, slug)
    found = member.collection.scheme
    versions = list(found.versions.select_related("created_by").order_by("-number"))
    shown = versions[0]
    if number is not None:
        shown = next((version for version in versions if version.number == number), None)
        if shown is None:
            raise Http404("There is no such version.")
    context = {
        "collection": member.collection,
        "member": member,
        "scheme": found,
        "version": shown,
        "current": versions[0],
        "versions": versions,
        "rule": found.rule_in_words,
        "guidelines": guidelines.render(shown.guidelines, top=3),
        "is_fixed": not member.is_lead or schemes.is_fixed(found, by=request.user),
        **_in_words(found, shown),
    }
    return render(request, "annotation/scheme.html", context)


def _in_words(found, version):
    """Facets and their options with what a version calls them."""
    facets = [
        _judged(found, version, facet.key) | {"labels": facet.sentence_labels}
        for facet in found.facets.all()
    ]
    if version.judges_aspects:
        facets.append(_judged(found, version, ""))
    return {"facets": facets, "wording": version.wording}


def _judged(found, version, key):
    words = version.words_for(key)
    definitions, named = words.get("definitions", {}), version.options_for(key)
    scale = found.scale_of(key)
    return {
        "key": key,
        "name": words.get("name", key),
        "question": words.get("question", ""),
        "scale": scale,
        "definitions": [
            {
                "option": option,
                "name": named.get(option.key, {}).get("name", option.key),
                "shortcut": named.get(option.key, {}).get("shortcut", ""),
                "text": definitions.get(option.key, ""),
            }
            for option in scale.offered
        ],
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_scheme(request, slug):
    """Saving makes a new version; "preview" only shows the guidelines as they would look."""
    member = get_membership(request.user, slug, Role.LEAD)
    found = member.collection.scheme
    version = found.current
    if request.method != "POST":
        form = WordingForm(scheme=found, version=version)
        return _edit_page(request, member, form=form)
    if "preview" in request.POST:
        shown = guidelines.render(request.POST.get("guidelines", ""), top=3)
        if request.htmx:
            return render(request, "annotation/edit_scheme.html#preview", {"preview": shown})
        form = WordingForm(scheme=found, version=version, initial=request.POST.dict())
        return _edit_page(request, member, form=form, preview=shown)
    form = WordingForm(request.POST, scheme=found, version=version)
    try:
        if not form.is_valid():
            raise Invalid("Something is missing. Look at the marked fields.")
        saved = schemes.edit_wording(
            scheme=found,
            wording=form.edited,
            guidelines=form.cleaned_data["guidelines"],
            change_note=form.cleaned_data["change_note"],
            based_on=form.cleaned_data["based_on"],
            by=request.user,
        )
    except Refused as refused:
        return _edit_page(request, member, form=form, error=str(refused), status=refused.status)
    if saved.number == version.number:
        messages.info(request, "Nothing differs, so there is no new version.")
    else:
        messages.success(
            request, f"Version {saved.number} is saved. New ratings are made under it."
        )
    return redirect("annotation:scheme", slug)


@login_required
@require_POST
def change_rules(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    found = member.collection.scheme
    form = RulesForm(
        request.POST,
        initial=schemes.rules_of(found),
        is_fixed=schemes.is_fixed(found, by=request.user),
    )
    try:
        if not form.is_valid():
            raise Invalid("Something is missing. Look at the marked fields.")
        schemes.change_rules(scheme=found, by=request.user, **form.cleaned_data)
    except Refused as refused:
        wording = WordingForm(scheme=found, version=found.current)
        return _edit_page(
            request,
            member,
            form=wording,
            rules=form,
            rules_error=str(refused),
            status=refused.status,
        )
    messages.success(request, "Saved.")
    return redirect("annotation:scheme", slug)


def _edit_page(request, member, *, form, rules=None, status=200, **more):
    found = member.collection.scheme
    is_fixed = schemes.is_fixed(found, by=request.user)
    context = {
        "collection": member.collection,
        "member": member,
        "scheme": found,
        "current": found.current,
        "form": form,
        "rules": rules or RulesForm(initial=schemes.rules_of(found), is_fixed=is_fixed),
        "is_fixed": is_fixed,
        "rule": found.rule_in_words,
    }
    return render(request, "annotation/edit_scheme.html", context | more, status=status)
