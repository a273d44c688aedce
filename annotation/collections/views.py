"""Starting collections: for site admins, who see that a collection exists and who leads it.

And what every export of a collection carries, which its leads edit.
"""

import copy

from django import forms
from django.contrib import messages
from django.db.models import Count, Prefetch, Q
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import site_admin_required
from accounts.listing import listing
from accounts.sessions import refresh
from annotation.collections.actions import invite_first_lead, start_collection
from annotation.collections.forms import DetailsForm, SignInRulesForm
from annotation.schemes.actions import shipped_schemes
from audit.refusals import Invalid, Refused
from datasets.access import get_membership, of_member
from datasets.actions import accept_invitation, change_details, change_sign_in_rules
from datasets.models import Collection, Membership, Role

MAX_SHORT_NAME = 60
CAN_WAIT = ["description", "licence", "source", "citation"]


class NewCollectionForm(forms.Form):
    name = forms.CharField(max_length=160, help_text="For example: CSFCube, second round.")
    slug = forms.SlugField(
        label="Short name",
        max_length=MAX_SHORT_NAME,
        required=False,
        help_text="In addresses and file names: letters, digits, - and _. Empty: from the name.",
        error_messages={
            "invalid": "Only letters, digits, - and _. The part that can be used is filled in."
        },
    )
    scheme = forms.ChoiceField(
        # Nothing is chosen beforehand: after the first rating a scheme cannot be exchanged.
        choices=lambda: [("", "Choose one"), *shipped_schemes().items()],
        help_text="How pairs are judged. The lead can change all of it until the first rating.",
    )
    lead_email = forms.EmailField(
        label="E-mail address of the lead",
        required=False,
        max_length=254,
        help_text="You get a link that makes whoever uses it the first lead. Nothing is mailed.",
    )
    description = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    licence = forms.CharField(
        required=False, max_length=200, help_text="Of the data. Every export carries it."
    )
    source = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    citation = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def first_fields(self):
        return [field for field in self if field.name not in CAN_WAIT]

    def later_fields(self):
        return [field for field in self if field.name in CAN_WAIT]

    def clean(self):
        cleaned = super().clean()
        if "slug" in self.errors:
            self.show_short_name(self.data["slug"])
        elif not cleaned["slug"]:
            cleaned["slug"] = slugify(cleaned.get("name", ""))[:MAX_SHORT_NAME].strip("-_")
            if not cleaned["slug"] and "name" not in self.errors:
                self.add_error("slug", "This name gives no short name. Type one.")
        return cleaned

    def show_short_name(self, text):
        """Fill in the nearest short name there may be, in place of what was refused."""
        self.data = self.data.copy()
        self.data["slug"] = slugify(text)[:MAX_SHORT_NAME].strip("-_")


# The orders of collections besides that of their names.
ORDERS = {"newest": ("newest first", lambda collection: -collection.created_at.timestamp())}


@site_admin_required
@require_safe
def collections(request):
    return render(request, "annotation/collections.html", _context(request))


def _context(request, **more):
    leads = Membership.objects.leads().filter(user__is_active=True)
    collections = (
        Collection.objects.order_by("name")
        .annotate(member_count=Count("memberships", filter=Q(memberships__removed_at=None)))
        .prefetch_related(Prefetch("memberships", queryset=leads, to_attr="leads"))
    )
    searched = listing(collections, request.GET, text=_text_of, orders=ORDERS)
    return searched.context() | more


def _text_of(collection):
    leads = " ".join(lead.name for lead in collection.leads)
    return f"{collection.name} {collection.slug} {leads}"


@site_admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def create_collection(request):
    """Start a collection, led by whoever starts it or by somebody with a link.

    The link comes with a page, not after a redirect: it is shown this once.
    """
    form = NewCollectionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            collection, invitation, token = start_collection(by=request.user, **form.cleaned_data)
        except Invalid as invalid:
            form.add_error("slug", str(invalid))
            form.show_short_name(form.data.get("slug") or form.data["name"])
        else:
            if "lead" not in request.POST:
                return _with_link(request, collection, invitation, token)
            accept_invitation(token=token, by=request.user)
            refresh(request, request.user)
            messages.success(request, f"You lead {collection} now.")
            return redirect("annotation:collection", collection.slug)
    return render(
        request,
        "annotation/create_collection.html",
        {"form": form},
        status=422 if form.errors else 200,
    )


@site_admin_required
@require_POST
def lead_link(request, slug):
    collection = get_object_or_404(Collection, slug=slug)
    try:
        invitation, token = invite_first_lead(collection=collection, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("annotation:collections")
    return _with_link(request, collection, invitation, token)


def _with_link(request, collection, invitation, token):
    path = reverse("datasets:accept-invitation", args=[token])
    return render(
        request,
        "annotation/collections.html",
        _context(
            request,
            started=collection,
            invitation=invitation,
            link=request.build_absolute_uri(path),
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def edit_details(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    # The form writes what was typed into its instance, which the page's head must not show.
    form = DetailsForm(request.POST or None, instance=copy.copy(member.collection))
    if request.method == "POST" and form.is_valid():
        change_details(collection=member.collection, by=request.user, **form.cleaned_data)
        messages.success(request, "Saved. Exports made from now on carry these details.")
        return redirect("annotation:collection", slug)
    return _details_page(request, member, form=form)


@require_POST
def set_sign_in_rules(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    form = SignInRulesForm(request.POST, instance=copy.copy(member.collection))
    if not form.is_valid():
        return _details_page(request, member, rules_form=form)
    change_sign_in_rules(collection=member.collection, by=request.user, **form.cleaned_data)
    messages.success(request, "Saved. It holds for every member within a few minutes.")
    return redirect("annotation:details", slug)


def _details_page(request, member, *, form=None, rules_form=None):
    context = {
        **of_member(member),
        "form": form or DetailsForm(instance=copy.copy(member.collection)),
        "rules_form": rules_form or SignInRulesForm(instance=copy.copy(member.collection)),
    }
    has_errors = any(typed and typed.errors for typed in (form, rules_form))
    return render(request, "annotation/details.html", context, status=422 if has_errors else 200)
