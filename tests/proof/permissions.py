"""The permission matrix: who may do what, for every route and method there is.

A row names the methods of a route and, for each, who is let in; everybody else's answer follows
from the rule of refusals (ADR 4): signed out goes to the sign-in page, somebody who is no member
gets 404, a member whose roles never allow it gets 403, and a role that allows it gets 404 for an
object that is not theirs.
"""

from dataclasses import dataclass

# One person of each kind. Alice and Bob are annotators of the study: "alice" holds the seat in the
# routes' arguments. Olga leads another collection, Dave has an account and nothing else, Ada is the
# site admin, Rita was a lead and was removed, and Nora leads the study but holds a seat of the
# batch that is still being rated.
MEMBERS = {
    "alice": {"annotator"},
    "bob": {"annotator"},
    "carol": {"adjudicator"},
    "lena": {"lead"},
    "nora": {"lead", "annotator"},
}
OUTSIDERS = {"olga", "dave", "ada", "rita"}
SIGNED_IN = set(MEMBERS) | OUTSIDERS
EVERYBODY = SIGNED_IN | {"anonymous"}


@dataclass(frozen=True)
class Access:
    """Who is let in; members outside `roles` get 403, or 404 where the object is personal."""

    allowed: frozenset
    refused_member: int = 404
    refused_outsider: int = 404
    refused_anonymous: int | str = "sign-in"

    def refusal(self, person):
        if person == "anonymous":
            return self.refused_anonymous
        return self.refused_member if person in MEMBERS else self.refused_outsider


def role(*names, but=()):
    """A page of the collection for members with one of these roles."""
    allowed = {person for person, roles in MEMBERS.items() if roles & set(names)}
    return Access(frozenset(allowed - set(but)), refused_member=403)


def only(*names):
    """An object that is these people's own; to everybody else it does not exist."""
    return Access(frozenset(names))


@dataclass(frozen=True)
class ByToken(Access):
    """An endpoint for programs. Dave has no membership, and so no token; Rita's died with hers;
    Ada's creates collections, and Olga's is of another one. Members without the role get 403;
    `role_only` says who has it, where the object is somebody's own."""

    role_only: frozenset = frozenset()
    elsewhere: int = 404

    def refusal(self, person):
        if person in MEMBERS:
            return 404 if person in self.role_only else 403
        return self.elsewhere if person in {"olga", "ada"} else 401


def by_token(*names, owners=()):
    """An endpoint for members with one of these roles, or for the owners of its object."""
    holders = role(*names).allowed
    return ByToken(frozenset(owners) or holders, role_only=holders)


PUBLIC = Access(frozenset(EVERYBODY))
PERSONAL = Access(frozenset(SIGNED_IN))
MEMBER = role("annotator", "adjudicator", "lead")
LEAD = role("lead")
ADJUDICATOR = role("adjudicator")
NOBODY = Access(frozenset(), refused_anonymous=404)
SITE_ADMIN = Access(frozenset({"ada"}), refused_member=403, refused_outsider=403)

LEAD_TOKEN = by_token("lead")
MEMBER_TOKEN = by_token("annotator", "adjudicator", "lead")
ANNOTATOR_TOKEN = by_token("annotator")
# Of a seat that is Alice's.
OWN_TOKEN = by_token("annotator", owners=["alice"])

MATRIX = {
    "healthz": {"GET": PUBLIC},
    # For programs with the token of the metrics, whoever else they are.
    "metrics": {"GET": NOBODY},
    "home": {"GET": PERSONAL},
    "accounts:sign-in": {"GET": PUBLIC, "POST": PUBLIC},
    # Without a password shown before, it leads back to where that is typed.
    "accounts:sign-in-code": {"GET": PUBLIC, "POST": PUBLIC},
    "accounts:sign-out": {"POST": PUBLIC},
    "accounts:password-change": {"GET": PERSONAL, "POST": PERSONAL},
    "accounts:password-reset": {"GET": PUBLIC, "POST": PUBLIC},
    "accounts:password-set": {"GET": PUBLIC, "POST": PUBLIC},
    "accounts:settings": {"GET": PERSONAL, "POST": PERSONAL},
    "accounts:save-display": {"POST": PERSONAL},
    "accounts:second-factor": {"GET": PERSONAL},
    "accounts:begin-second-factor": {"POST": PERSONAL},
    "accounts:second-factor-qr": {"GET": PERSONAL},
    "accounts:confirm-second-factor": {"POST": PERSONAL},
    "accounts:recovery-codes": {"POST": PERSONAL},
    "accounts:turn-off-second-factor": {"POST": PERSONAL},
    # Once there is an account, the set-up address does not exist for anyone.
    "accounts:set-up": {"GET": NOBODY, "POST": NOBODY},
    "accounts:people": {"GET": SITE_ADMIN},
    "accounts:deactivate": {"POST": SITE_ADMIN},
    "accounts:reactivate": {"POST": SITE_ADMIN},
    "accounts:sign-out-everywhere": {"POST": SITE_ADMIN},
    "accounts:remove-second-factor": {"POST": SITE_ADMIN},
    "accounts:reset-link": {"POST": SITE_ADMIN},
    "imports:import": {"GET": LEAD, "POST": LEAD},
    "imports:check": {"POST": LEAD},
    "imports:start": {"POST": LEAD},
    "imports:clear": {"POST": LEAD},
    "imports:problems": {"GET": LEAD},
    "imports:template": {"GET": LEAD},
    "datasets:members": {"GET": LEAD},
    "datasets:invite": {"POST": LEAD},
    "datasets:people": {"GET": LEAD, "POST": LEAD},
    "datasets:set-roles": {"POST": LEAD},
    "datasets:link-member": {"POST": LEAD},
    "datasets:remove-member": {"POST": LEAD},
    "datasets:revoke-invitation": {"POST": LEAD},
    "datasets:accept-invitation": {"GET": PUBLIC, "POST": PUBLIC},
    "datasets:tokens": {"GET": MEMBER, "POST": MEMBER},
    "datasets:set-programs": {"POST": LEAD},
    "datasets:admin-tokens": {"GET": SITE_ADMIN, "POST": SITE_ADMIN},
    # Its person's and the leads'; the token of these walks is Lena's.
    "datasets:revoke-token": {"POST": only("lena", "nora")},
    "annotation:collections": {"GET": SITE_ADMIN},
    "annotation:create-collection": {"GET": SITE_ADMIN, "POST": SITE_ADMIN},
    "annotation:lead-link": {"POST": SITE_ADMIN},
    "annotation:collection": {"GET": MEMBER},
    "annotation:details": {"GET": LEAD, "POST": LEAD},
    "annotation:set-sign-in-rules": {"POST": LEAD},
    "annotation:scheme": {"GET": MEMBER},
    "annotation:scheme-version": {"GET": MEMBER},
    "annotation:edit-scheme": {"GET": LEAD, "POST": LEAD},
    "annotation:write-scheme": {"GET": LEAD, "POST": LEAD},
    "annotation:scheme-file": {"GET": LEAD},
    "annotation:change-rules": {"GET": LEAD, "POST": LEAD},
    "annotation:assign": {"GET": LEAD},
    "annotation:make-batches": {"POST": LEAD},
    "annotation:given-pairs": {"GET": LEAD, "POST": LEAD},
    "annotation:plan": {"GET": LEAD, "POST": LEAD},
    "annotation:samples": {"GET": LEAD, "POST": LEAD},
    "imports:runs-pool": {"GET": LEAD, "POST": LEAD},
    "imports:draw-unjudged": {"POST": LEAD},
    "datasets:runs": {"GET": LEAD, "POST": LEAD},
    "datasets:set-scoring-guard": {"POST": LEAD},
    "datasets:run": {"GET": LEAD, "POST": LEAD},
    "datasets:remove-run": {"POST": LEAD},
    "datasets:judgments": {"GET": LEAD, "POST": LEAD},
    "datasets:judgment-set": {"GET": LEAD, "POST": LEAD},
    "datasets:judgments-qrels": {"GET": LEAD},
    "datasets:remove-judgments": {"POST": LEAD},
    "annotation:authoring": {"GET": LEAD},
    "annotation:new-query": {"GET": LEAD, "POST": LEAD},
    "annotation:edit-query": {"GET": LEAD, "POST": LEAD},
    "annotation:describe-query": {"POST": LEAD},
    "annotation:remove-query": {"POST": LEAD},
    "annotation:link-sentences": {"POST": LEAD},
    "annotation:add-aspect": {"POST": LEAD},
    "annotation:change-aspect": {"POST": LEAD},
    "annotation:pool": {"GET": LEAD},
    "annotation:add-candidates": {"POST": LEAD},
    "annotation:add-corpus": {"POST": LEAD},
    "annotation:remove-candidates": {"POST": LEAD},
    "annotation:batch": {"GET": LEAD},
    "annotation:set-way": {"POST": LEAD},
    "annotation:raise-overlap": {"POST": LEAD},
    "annotation:waive-reading": {"POST": LEAD},
    "annotation:assign-seat": {"POST": LEAD},
    "annotation:return-seat": {"POST": LEAD},
    "annotation:topic": {"GET": LEAD},
    "annotation:lock-topic": {"POST": LEAD},
    "annotation:unlock-topic": {"POST": LEAD},
    "annotation:flags": {"GET": LEAD},
    "annotation:lock-done-topics": {"POST": LEAD},
    "annotation:unlock-topics": {"POST": LEAD},
    "annotation:hand-over": {"GET": LEAD, "POST": LEAD},
    "annotation:answer-flag": {"POST": LEAD},
    "annotation:undecidable": {"GET": LEAD},
    "agreement:pair": {"GET": LEAD},
    "agreement:pair-history": {"GET": LEAD},
    "agreement:pairs": {"GET": LEAD},
    "annotation:seat": {"GET": only("alice")},
    "annotation:rate-pair": {"GET": only("alice"), "POST": only("alice")},
    "annotation:texts": {"GET": only("alice")},
    "annotation:recent": {"GET": only("alice")},
    "annotation:hand-in": {"GET": only("alice"), "POST": only("alice")},
    "annotation:guidelines": {"GET": only("alice")},
    "adjudication:queue": {"GET": ADJUDICATOR},
    "adjudication:sequence": {"GET": ADJUDICATOR},
    "adjudication:topic": {"GET": ADJUDICATOR},
    "adjudication:take-topic": {"POST": ADJUDICATOR},
    "adjudication:decide-pair": {"GET": ADJUDICATOR, "POST": ADJUDICATOR},
    "adjudication:guidelines": {"GET": ADJUDICATOR},
    "adjudication:audit": {"GET": ADJUDICATOR},
    "adjudication:audit-pair": {"GET": ADJUDICATOR, "POST": ADJUDICATOR},
    "adjudication:audit-guidelines": {"GET": ADJUDICATOR},
    "adjudication:reopen-pair": {"POST": LEAD},
    "agreement:agreement": {"GET": LEAD},
    "agreement:audits": {"GET": LEAD, "POST": LEAD},
    "agreement:audit": {"GET": LEAD},
    "agreement:close-audit": {"POST": LEAD},
    "agreement:audit-csv": {"GET": LEAD},
    "agreement:audit-json": {"GET": LEAD},
    "agreement:agreement-csv": {"GET": LEAD},
    "agreement:agreement-json": {"GET": LEAD},
    "agreement:table": {"GET": LEAD},
    "agreement:report": {"GET": LEAD},
    "agreement:queries": {"GET": LEAD},
    "agreement:disagreements": {"GET": LEAD},
    "agreement:annotators": {"GET": LEAD},
    "agreement:facets": {"GET": LEAD},
    "agreement:pool": {"GET": LEAD},
    "agreement:time": {"GET": LEAD},
    # The study is not closed, so that there is no such page.
    "agreement:closed": {"GET": only()},
    "agreement:working": {"GET": LEAD},
    "agreement:input": {"GET": LEAD},
    "evaluation:queries": {"GET": LEAD},
    "evaluation:query": {"GET": LEAD},
    "evaluation:query-statistics": {"GET": LEAD},
    "evaluation:runs": {"GET": LEAD},
    "evaluation:against": {"GET": LEAD},
    "evaluation:compare": {"GET": LEAD},
    "evaluation:stability": {"GET": LEAD},
    "evaluation:table": {"GET": LEAD},
    "evaluation:lab": {"GET": LEAD},
    "evaluation:mappings": {"GET": LEAD, "POST": LEAD},
    "evaluation:mapping": {"GET": LEAD, "POST": LEAD},
    "evaluation:protocols": {"GET": LEAD},
    "evaluation:protocol": {"GET": LEAD, "POST": LEAD},
    "releases:exports": {"GET": LEAD, "POST": LEAD},
    "releases:changes": {"GET": LEAD},
    "releases:changes-file": {"GET": LEAD},
    "releases:changes-runs": {"GET": LEAD},
    "releases:download": {"GET": LEAD},
    "webhooks:hooks": {"GET": LEAD, "POST": LEAD},
    "webhooks:hook": {"GET": LEAD, "POST": LEAD},
    "webhooks:renew-secret": {"POST": LEAD},
    "webhooks:turn-on": {"POST": LEAD},
    "webhooks:turn-off": {"POST": LEAD},
    "webhooks:send-test": {"POST": LEAD},
    "webhooks:remove": {"POST": LEAD},
    "webhooks:resend": {"POST": LEAD},
    # A job is its creator's; site admins look after the worker.
    "jobs:job-page": {"GET": only("lena", "ada")},
    # For programs, each with a token of its person.
    "api-page": {"GET": PUBLIC},
    "openapi": {"GET": PUBLIC},
    "api:home": {"GET": NOBODY},
    "api:nothing": {"GET": NOBODY},
    "api:collections": {
        "GET": ByToken(frozenset(SIGNED_IN - {"dave", "rita"})),
        "POST": ByToken(frozenset({"ada"}), elsewhere=403),
    },
    "api:collection": {"GET": MEMBER_TOKEN, "PATCH": LEAD_TOKEN},
    "api:scheme": {"GET": MEMBER_TOKEN, "PUT": LEAD_TOKEN},
    "api:members": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:members-row": {"GET": LEAD_TOKEN, "PATCH": LEAD_TOKEN, "DELETE": LEAD_TOKEN},
    "api:invitations": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:invitations-row": {"GET": LEAD_TOKEN, "DELETE": LEAD_TOKEN},
    "api:documents": {"GET": LEAD_TOKEN},
    "api:documents-row": {"GET": LEAD_TOKEN},
    "api:queries": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:queries-row": {"GET": LEAD_TOKEN, "PATCH": LEAD_TOKEN, "DELETE": LEAD_TOKEN},
    "api:topics": {"GET": LEAD_TOKEN},
    "api:topics-row": {"GET": LEAD_TOKEN},
    "api:pairs": {"GET": LEAD_TOKEN},
    "api:pairs-row": {"GET": LEAD_TOKEN},
    "api:batches": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:batches-row": {"GET": LEAD_TOKEN, "PATCH": LEAD_TOKEN},
    "api:seats": {"GET": LEAD_TOKEN},
    "api:seats-row": {"GET": LEAD_TOKEN, "PATCH": LEAD_TOKEN},
    "api:ratings": {"GET": LEAD_TOKEN},
    "api:ratings-row": {"GET": LEAD_TOKEN},
    "api:decisions": {"GET": LEAD_TOKEN},
    "api:decisions-row": {"GET": LEAD_TOKEN},
    "api:pools": {"GET": LEAD_TOKEN},
    "api:gold": {"GET": LEAD_TOKEN},
    "api:own-seats": {"GET": ANNOTATOR_TOKEN},
    "api:own-seats-row": {"GET": OWN_TOKEN},
    "api:own-ratings": {"GET": ANNOTATOR_TOKEN},
    "api:systems": {"GET": LEAD_TOKEN},
    "api:systems-row": {"GET": LEAD_TOKEN, "PATCH": LEAD_TOKEN},
    "api:runs": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:runs-row": {"GET": LEAD_TOKEN, "DELETE": LEAD_TOKEN},
    "api:judgments": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:judgments-row": {"GET": LEAD_TOKEN, "PATCH": LEAD_TOKEN, "DELETE": LEAD_TOKEN},
    "api:machine-runs": {"GET": LEAD_TOKEN},
    "api:machine-runs-row": {"GET": LEAD_TOKEN},
    "api:jobs": {"GET": LEAD_TOKEN},
    "api:jobs-row": {"GET": by_token("lead", owners=["lena"])},
    "api:imports": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:imports-row": {"GET": LEAD_TOKEN},
    "api:exports": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:exports-row": {"GET": LEAD_TOKEN},
    "api:machine-scores": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:sources": {"GET": LEAD_TOKEN},
    "api:progress": {"GET": LEAD_TOKEN},
    "api:trail": {"GET": LEAD_TOKEN},
    "api:agreement": {"GET": LEAD_TOKEN},
    "api:agreement-page": {"GET": LEAD_TOKEN},
    "api:agreement-table": {"GET": LEAD_TOKEN},
    "api:scores": {"GET": LEAD_TOKEN},
    "api:runs-table": {"GET": LEAD_TOKEN},
    "api:rankings": {"GET": LEAD_TOKEN},
    "api:grades": {"GET": LEAD_TOKEN},
    "api:qrels": {"GET": LEAD_TOKEN},
    "api:adjudication": {"GET": by_token("adjudicator")},
    "api:case": {"GET": by_token("adjudicator"), "POST": by_token("adjudicator")},
    "api:own-pairs": {"GET": OWN_TOKEN},
    "api:own-pair": {"GET": OWN_TOKEN, "PUT": OWN_TOKEN},
    "api:hand-in": {"POST": OWN_TOKEN},
    "api:export-file": {"GET": LEAD_TOKEN},
    "api:export-changes": {"GET": LEAD_TOKEN},
    "api:export-changes-runs": {"GET": LEAD_TOKEN},
    "api:raise-overlap": {"POST": LEAD_TOKEN},
    "api:return-seat": {"POST": LEAD_TOKEN},
    "api:lock-topic": {"POST": LEAD_TOKEN},
    "api:unlock-topic": {"POST": LEAD_TOKEN},
    "api:reopen-pair": {"POST": LEAD_TOKEN},
    "api:settings": {"GET": LEAD_TOKEN},
    "api:change-sign-in-rules": {"PATCH": LEAD_TOKEN},
    "api:change-scoring-guard": {"PATCH": LEAD_TOKEN},
    "api:change-programs": {"PATCH": LEAD_TOKEN},
    "api:invite-first-lead": {"POST": ByToken(frozenset({"ada"}), elsewhere=403)},
    "api:link-member": {"POST": LEAD_TOKEN},
    "api:hand-over": {"POST": LEAD_TOKEN},
    "api:wording": {"GET": LEAD_TOKEN, "PATCH": LEAD_TOKEN},
    "api:change-rules": {"PATCH": LEAD_TOKEN},
    "api:aspects": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:edit-aspect": {"PUT": LEAD_TOKEN},
    "api:move-aspect": {"POST": LEAD_TOKEN},
    "api:edit-query": {"PUT": LEAD_TOKEN},
    "api:link-sentences": {"PUT": LEAD_TOKEN},
    "api:add-candidates": {"POST": LEAD_TOKEN},
    "api:add-corpus": {"POST": LEAD_TOKEN},
    "api:remove-candidates": {"POST": LEAD_TOKEN},
    "api:preview-sample": {"POST": LEAD_TOKEN},
    "api:draw-sample": {"POST": LEAD_TOKEN},
    "api:hand-out-given": {"POST": LEAD_TOKEN},
    "api:preview-plan": {"POST": LEAD_TOKEN},
    "api:apply-plan": {"POST": LEAD_TOKEN},
    "api:preview-pool": {"POST": LEAD_TOKEN},
    "api:make-pool": {"POST": LEAD_TOKEN},
    "api:draw-unjudged": {"POST": LEAD_TOKEN},
    "api:waive-reading": {"POST": LEAD_TOKEN},
    "api:lock-done-topics": {"POST": LEAD_TOKEN},
    "api:unlock-topics": {"POST": LEAD_TOKEN},
    "api:flags": {"GET": LEAD_TOKEN},
    "api:answer-flag": {"POST": LEAD_TOKEN},
    "api:audit-pairs": {"GET": by_token("adjudicator")},
    "api:audit-pair": {"GET": by_token("adjudicator"), "POST": by_token("adjudicator")},
    "api:take-topic": {"POST": by_token("adjudicator")},
    "api:audits": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:audits-row": {"GET": LEAD_TOKEN},
    "api:audit-report": {"GET": LEAD_TOKEN},
    "api:close-audit": {"POST": LEAD_TOKEN},
    "api:mappings": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:change-mapping": {"PUT": LEAD_TOKEN},
    "api:protocols": {"GET": LEAD_TOKEN},
    "api:change-protocol": {"PATCH": LEAD_TOKEN},
    "api:hooks": {"GET": LEAD_TOKEN, "POST": LEAD_TOKEN},
    "api:hooks-row": {"GET": LEAD_TOKEN, "PATCH": LEAD_TOKEN, "DELETE": LEAD_TOKEN},
    "api:renew-secret": {"POST": LEAD_TOKEN},
    "api:turn-on": {"POST": LEAD_TOKEN},
    "api:turn-off": {"POST": LEAD_TOKEN},
    "api:send-test": {"POST": LEAD_TOKEN},
    "api:deliveries": {"GET": LEAD_TOKEN},
    "api:deliveries-row": {"GET": LEAD_TOKEN},
    "api:resend": {"POST": LEAD_TOKEN},
}
