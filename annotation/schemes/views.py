"""The pages of a scheme: read by every member, edited by its leads."""

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.schemes import actions as schemes
from annotation.schemes import guidelines
from annotation.schemes.examples import guidelines_for
from annotation.schemes.fixed import is_fixed, rules_of
from annotation.schemes.forms import RulesForm, WordingForm
from audit.refusals import Invalid, Refused
from datasets.access import get_membership, of_member
from datasets.models import Role


@require_safe
def scheme(request, slug, number=None):
    """The current version, or an earlier one as ratings were made under it."""
    member = get_membership(request.user, slug)
    scheme_shown = member.collection.scheme
    versions = list(scheme_shown.versions.select_related("created_by").order_by("-number"))
    shown = versions[0]
    if number is not None:
        shown = next((version for version in versions if version.number == number), None)
        if shown is None:
            raise Http404("There is no such version.")
    text = guidelines_for(request.user, shown)
    context = {
        **of_member(member),
        "scheme": scheme_shown,
        "version": shown,
        "current": versions[0],
        "versions": versions,
        "rule": scheme_shown.rule_in_words,
        "guidelines": guidelines.render(text, top=3),
        "outdated": member.is_lead and shown == versions[0] and _outdated(text, shown, versions),
        "is_fixed": not member.is_lead or is_fixed(scheme_shown, by=request.user),
        **_in_words(scheme_shown, shown),
    }
    return render(request, "annotation/scheme.html", context)


def _outdated(text, version, versions):
    earlier = [before.words for before in versions]
    return guidelines.outdated_names(text, version.words, earlier=earlier)


def _in_words(scheme, version):
    """Facets and their options with what a version calls them."""
    facets = [
        _judged(scheme, version, facet.key) | {"labels": facet.sentence_labels}
        for facet in scheme.facets.all()
    ]
    if version.judges_aspects:
        facets.append(_judged(scheme, version, ""))
    return {"facets": facets, "words": version.words}


def _judged(scheme, version, key):
    words, options = version.words.judged(key), version.words.options_for(key)
    scale = scheme.scale_of(key)
    return {
        "key": key,
        "name": version.words.facet_name(key),
        "question": words.question,
        "scale": scale,
        "definitions": [
            {
                "option": option,
                "name": options[option.key].name if option.key in options else option.key,
                "shortcut": options[option.key].shortcut if option.key in options else "",
                "text": words.definitions.get(option.key, ""),
            }
            for option in scale.offered
        ],
    }


@require_http_methods(["GET", "HEAD", "POST"])
def edit_scheme(request, slug):
    """Saving makes a new version; "preview" only shows the guidelines as they would look."""
    member = get_membership(request.user, slug, Role.LEAD)
    scheme_shown = member.collection.scheme
    version = scheme_shown.current
    of_form = {"scheme": scheme_shown, "version": version, "reader": request.user}
    if request.method != "POST":
        form = WordingForm(**of_form)
        return _edit_page(request, member, form=form)
    if "preview" in request.POST:
        shown = guidelines.render(request.POST.get("guidelines", ""), top=3)
        if request.htmx:
            return render(request, "annotation/edit_scheme.html#preview", {"preview": shown})
        form = WordingForm(**of_form, initial=request.POST.dict())
        return _edit_page(request, member, form=form, preview=shown)
    form = WordingForm(request.POST, **of_form)
    try:
        if not form.is_valid():
            raise Invalid("Something is missing. Look at the marked fields.")
        saved = schemes.edit_wording(
            scheme=scheme_shown,
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


@require_http_methods(["GET", "HEAD", "POST"])
def change_rules(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    scheme_shown = member.collection.scheme
    are_rules_fixed = is_fixed(scheme_shown, by=request.user)
    form = RulesForm(
        request.POST if request.method == "POST" else None,
        initial=rules_of(scheme_shown),
        is_fixed=are_rules_fixed,
    )
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                schemes.change_rules(scheme=scheme_shown, by=request.user, **form.cleaned_data)
            except Refused as refused:
                form.add_error(None, str(refused))
                status = refused.status
            else:
                messages.success(request, "Saved.")
                return redirect("annotation:scheme", slug)
    context = {
        **of_member(member),
        "form": form,
        "is_fixed": are_rules_fixed,
        "rule": scheme_shown.rule_in_words,
    }
    return render(request, "annotation/rules.html", context, status=status)


def _edit_page(request, member, *, form, status=200, **more):
    scheme_shown = member.collection.scheme
    current = scheme_shown.current
    context = {
        **of_member(member),
        "current": current,
        "outdated": _outdated(form.guidelines, current, scheme_shown.versions.all()),
        "form": form,
    }
    return render(request, "annotation/edit_scheme.html", context | more, status=status)
