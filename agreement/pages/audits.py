"""Audits of a collection: drawing them, their figures, closing them."""

import secrets

from django.contrib import messages
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.downloads import CSV, attached
from adjudication.audits.actions import close_audit as close
from adjudication.audits.actions import draw_audit
from adjudication.audits.drawing import Limits, agreed_pairs, control_pairs
from agreement.pages.downloads import json_file
from agreement.pages.forms import AuditForm
from agreement.pages.frame import pages_of
from agreement.study.selection import unit_under
from agreement.subjects.audits.reading import as_csv, as_json, is_hidden_from, read_reports
from agreement.subjects.audits.tables import (
    audits_of,
    audits_table,
    differences_table,
    differing_table,
    result_table,
)
from annotation.access import get_scheme
from audit.refusals import NotAllowed, Refused
from datasets.access import get_membership, of_member
from datasets.models import Role

ROUTE = "agreement:audits"


@require_http_methods(["GET", "HEAD", "POST"])
def audits(request, slug):
    """Every audit with its result, and the form that draws another."""
    member = get_membership(request.user, slug, Role.LEAD)
    get_scheme(member.collection)
    if request.method != "POST":
        return _list(request, member, _empty_form(member.collection))
    form = AuditForm(request.POST, collection=member.collection)
    if not form.is_valid():
        return _list(request, member, form, status=422)
    try:
        drawn = draw_audit(collection=member.collection, by=request.user, **form.cleaned_data)
    except Refused as refused:
        form.add_error(None, str(refused))
        return _list(request, member, form, status=refused.status)
    messages.success(request, f"{drawn.name} is drawn. Its adjudicators find it in their queue.")
    return redirect("agreement:audit", slug, drawn.public_id)


@require_safe
def audit(request, slug, public_id):
    member, audit = get_audit(request.user, slug, public_id)
    context = _context(member) | {"audit": audit} | _people(audit, request.user)
    if not context["is_blind"]:
        audit_read = _read(audit, request.user)
        topics, bare = audit_read.report.topics
        context |= {
            "report": audit_read.report,
            "tables": {
                "result": result_table(audit_read.report),
                "differing": differing_table(audit_read.report),
                "differences": differences_table(audit_read.report),
            },
            "withheld": audit_read.withheld,
            "topics": topics,
            "bare": bare,
        }
    return render(request, "agreement/audit.html", context)


@require_POST
def close_audit(request, slug, public_id):
    """The figures are final from now on."""
    _, audit = get_audit(request.user, slug, public_id)
    try:
        close(audit=audit, by=request.user)
    except NotAllowed as refusal:
        raise Http404(str(refusal)) from refusal
    messages.success(request, "The audit is closed. Its figures are final.")
    return redirect("agreement:audit", slug, public_id)


@require_safe
def audit_csv(request, slug, public_id):
    """Every drawn pair, people under their pseudonyms."""
    audit, read = get_read(request.user, slug, public_id)
    return attached(as_csv(audit, read.report), CSV, f"{_file_name(audit)}.csv")


@require_safe
def audit_json(request, slug, public_id):
    audit, read = get_read(request.user, slug, public_id)
    return json_file(as_json(audit, read), f"{_file_name(audit)}.json")


def get_audit(user, slug, public_id):
    """The lead's membership and an audit of that collection."""
    member = get_membership(user, slug, Role.LEAD)
    audits = member.collection.audits.select_related(
        "collection__scheme", "query", "batch", "drawn_by", "closed_by"
    )
    audit = audits.filter(public_id=public_id).first()
    if audit is None:
        raise Http404("There is no such audit.")
    return member, audit


def get_read(user, slug, public_id):
    """An audit's figures; they do not exist yet for a lead who works through it."""
    _, audit = get_audit(user, slug, public_id)
    if _people(audit, user)["is_blind"]:
        raise Http404("There are no figures for you until the audit is closed.")
    return audit, _read(audit, user)


def _read(audit, viewer):
    return read_reports([audit], collection=audit.collection, viewer=viewer)[audit.pk]


def _file_name(audit):
    return f"{audit.collection.slug}-{slugify(audit.name) or 'audit'}"


def _people(audit, viewer):
    adjudicators = list(audit.adjudicators.all())
    return {
        "adjudicators": adjudicators,
        "leading": [member for member in adjudicators if member.is_lead],
        "is_blind": is_hidden_from(audit, viewer),
    }


def _context(member):
    """The common context of the pages: the collection and the navigation of the section."""
    unit = unit_under(member.collection.scheme)
    pages = pages_of(member.collection, unit, ROUTE)
    return of_member(member) | {"pages": pages}


def _list(request, member, form, *, status=200):
    audits = audits_of(member.collection)
    open_to_viewer = [audit for audit in audits if not is_hidden_from(audit, request.user)]
    reports = read_reports(open_to_viewer, collection=member.collection, viewer=request.user)
    of = {
        "collection": member.collection,
        "adjudicators": list(form.members.values()),
        "limits": Limits(),
    }
    agreed_count = agreed_pairs(**of).count()
    if agreed_count and not form.is_bound:
        form.initial["size"] = min(form.fields["size"].initial, agreed_count)
    context = _context(member) | {
        "form": form,
        "table": audits_table(audits, reports),
        "has_figures": bool(reports),
        "address": "",  # no filters, and none in its downloads
        "agreed_count": agreed_count,
        "control_count": control_pairs(**of).count(),
    }
    return render(request, "agreement/audits.html", context, status=status)


def _empty_form(collection):
    names = set(collection.audits.values_list("name", flat=True))
    number = next(n for n in range(1, len(names) + 2) if f"Audit {n}" not in names)
    form = AuditForm(
        collection=collection,
        initial={"name": f"Audit {number}", "seed": str(secrets.randbelow(10**8))},
    )
    if len(form.members) == 1:
        form.initial["adjudicators"] = list(form.members)
    return form
