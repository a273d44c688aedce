"""Members of a collection, and the links by which people become members."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import secret_address
from accounts.forms import NewAccountForm
from accounts.listing import listing
from accounts.outcomes import outcome_as_message
from accounts.sessions import refresh
from audit.refusals import Invalid, Refused
from datasets import actions
from datasets.access import get_member, get_membership, of_member
from datasets.forms import InvitationForm, RolesForm
from datasets.models import Role
from datasets.people import Fate, add_people, hand_place_over, read_people

MAX_NAME_LENGTH = 120
# The orders of members besides that of their names.
ORDERS = {
    "role": (
        "by role",
        lambda person: (not person.is_lead, not person.is_adjudicator, not person.is_annotator),
    ),
    "newest": ("newest first", lambda person: -person.created_at.timestamp()),
}


def _text_of(person):
    return f"{person.name} {person.user.email if person.user else ''} {' '.join(person.roles)}"


@require_safe
def members(request, slug):
    member = get_membership(request.user, slug, Role.LEAD)
    return render(request, "datasets/members.html", members_context(request, member))


def members_context(request, member, **more):
    collection = member.collection
    people = collection.memberships.current().select_related("user")
    searched = listing(people, request.GET, text=_text_of, orders=ORDERS)
    return {
        **of_member(member),
        **searched.context(),
        "invitations": collection.invitations.working().select_related("created_by", "membership"),
        "roles": Role.choices,
        "form": InvitationForm(),
    } | more


@require_POST
def invite(request, slug):
    """Answered with the page itself, not a redirect: the link is shown this once."""
    member = get_membership(request.user, slug, Role.LEAD)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _with_invitations(request, member, form=form, status=422)
    invitation, token = actions.invite(
        collection=member.collection, by=request.user, **form.cleaned_data
    )
    link = invitation_address(request, token)
    return _with_invitations(request, member, invitation=invitation, link=link)


@require_POST
def link_member(request, slug, public_id):
    """Hand an imported person's place to the account of the address given, or make a link that
    does so for whoever opens it."""
    member = get_membership(request.user, slug, Role.LEAD)
    place = get_member(member.collection, public_id)
    try:
        account, invitation, token = hand_place_over(
            place=place, email=request.POST.get("email", ""), by=request.user
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("datasets:members", slug)
    if account:
        messages.success(request, f"{place.name} of the import is {account.name} now.")
        return redirect("datasets:members", slug)
    link = invitation_address(request, token)
    return _with_invitations(request, member, invitation=invitation, link=link)


def _with_invitations(request, member, *, status=200, **more):
    template = "datasets/members.html" + ("#invitations" if request.htmx else "")
    return render(request, template, members_context(request, member, **more), status=status)


def invitation_address(request, token, name=""):
    """The link, with the name that its form begins with."""
    query = {"name": name} if name else None
    address = reverse("datasets:accept-invitation", args=[token], query=query)
    return request.build_absolute_uri(address)


@require_POST
def revoke_invitation(request, slug, public_id):
    member = get_membership(request.user, slug, Role.LEAD)
    invitation = get_object_or_404(member.collection.invitations, public_id=public_id)
    with outcome_as_message(request):
        actions.revoke_invitation(invitation=invitation, by=request.user)
    if request.htmx:
        return _with_invitations(request, member)
    return redirect("datasets:members", slug)


@require_POST
def set_roles(request, slug, public_id):
    member = get_membership(request.user, slug, Role.LEAD)
    changed = get_member(member.collection, public_id)
    form = RolesForm(request.POST)
    with outcome_as_message(request, f"The roles of {changed} are saved."):
        if not form.is_valid():
            raise Invalid("Choose among the roles shown.")
        actions.set_roles(membership=changed, by=request.user, roles=form.cleaned_data["roles"])
    return redirect("datasets:members", slug)


@require_POST
def remove_member(request, slug, public_id):
    member = get_membership(request.user, slug, Role.LEAD)
    removed = get_member(member.collection, public_id)
    with outcome_as_message(request, f"{removed} is no longer a member. Their ratings stay."):
        actions.remove_member(membership=removed, by=request.user)
    return redirect("datasets:members", slug)


@login_not_required
@secret_address
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def accept_invitation(request, token):
    """Join: with the account that is signed in, or by making one."""
    status, wait = 200, ""
    try:
        invitation = actions.find_invitation(token)
        form = None
        if not request.user.is_authenticated:
            name = request.GET.get("name", "")[:MAX_NAME_LENGTH]
            form = NewAccountForm(request.POST or None, email=invitation.email, name=name)
        if request.method == "POST":
            if form is None:
                member = actions.accept_invitation(token=token, by=request.user)
                # The new role's rules hold from now on.
                refresh(request, request.user)
                messages.success(request, f"You are now a member of {invitation.collection}.")
                return _first_page(member)
            if form.is_valid():
                member = actions.join_with_new_account(token=token, **form.details())
                login(request, member.user, backend=settings.AUTHENTICATION_BACKENDS[0])
                messages.success(request, f"Welcome to {invitation.collection}.")
                return _first_page(member)
            status = 422
    except actions.InvitationSpent:
        member = request.user.is_authenticated and actions.member_by_link(token, request.user)
        if member:
            messages.info(request, f"You joined {member.collection} with this link before.")
            return _first_page(member)
        return render(request, "datasets/invitation_spent.html", status=404)
    except Refused as refused:
        status, wait = refused.status, str(refused)
    context = {"invitation": invitation, "form": form, "wait": wait}
    return render(request, "datasets/invitation.html", context, status=status)


def _first_page(member):
    """Where a new member begins: a lead with the collection, everybody else with their work."""
    if member.is_lead:
        return redirect("annotation:collection", member.collection.slug)
    return redirect("home")


@require_http_methods(["GET", "HEAD", "POST"])
def people(request, slug):
    """A pasted list of addresses: read first, then everybody is added with one click."""
    member = get_membership(request.user, slug, Role.LEAD)
    text = request.POST.get("people", "")
    role = request.POST.get("role", Role.ANNOTATOR)
    role = Role(role) if role in Role.values else Role.ANNOTATOR
    entries, error = [], ""
    if request.method == "POST":
        try:
            entries = read_people(text, collection=member.collection, role=role, by=request.user)
            error = "" if entries else "Write an address at least."
        except Invalid as invalid:
            error = str(invalid)
    context = {
        **of_member(member),
        "roles": Role.choices,
        "role": role,
        "text": text,
        "people": entries,
        "joins": sum(person.fate == Fate.JOINS for person in entries),
        "invited": sum(person.fate == Fate.INVITED for person in entries),
        "wrong": sum(person.is_left_out for person in entries),
        "error": error,
    }
    if "add" in request.POST and not error:
        joined, invitations = add_people(
            collection=member.collection, people=entries, by=request.user
        )
        names = {person.email: person.name for person in entries if person.fate == Fate.INVITED}
        left_over = "\n".join(person.text for person in entries if person.is_left_out)
        context |= {
            "people": [],
            "text": left_over,
            "added": joined,
            "links": [
                (invitation, invitation_address(request, token, names[invitation.email]))
                for invitation, token in invitations
            ],
        }
    part = "#list" if request.htmx else ""
    status = 422 if error else 200
    return render(request, f"datasets/people.html{part}", context, status=status)
