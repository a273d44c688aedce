"""Two studies with everybody in them, for tests that walk every route."""

import functools
import uuid
from dataclasses import dataclass, field

from django.conf import settings
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from annotation.assigning.actions.assign import assign_seat
from annotation.assigning.actions.batches import make_batches
from datasets.actions import change_programs
from datasets.models import Invitation, Membership
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from jobs.models import Job
from releases.models import Export
from tests.adjudication.audits import make_audit
from tests.factories.definitions import add_binary, add_ours
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import (
    Study,
    make_aspect_query,
    make_aspect_study,
    make_member,
    make_study,
    make_topic,
    make_user,
)
from tests.factories.tokens import token_of, used_tomorrow
from webhooks.actions import add_hook, send_test

# Routes about a query that is being written.
WRITING = [
    "annotation:edit-query",
    "annotation:describe-query",
    "annotation:remove-query",
    "annotation:link-sentences",
    "annotation:add-aspect",
    "annotation:change-aspect",
    "annotation:pool",
    "annotation:add-candidates",
    "annotation:add-corpus",
    "annotation:remove-candidates",
    *("api:aspects", "api:edit-aspect", "api:move-aspect", "api:edit-query", "api:link-sentences"),
    *("api:add-candidates", "api:add-corpus", "api:remove-candidates"),
]

# Routes about an audit as a whole.
AUDIT = [
    "adjudication:audit",
    "agreement:audit",
    "agreement:close-audit",
    "agreement:audit-csv",
    "agreement:audit-json",
    *("api:audits-row", "api:audit-report", "api:close-audit"),
]


# Routes about a run, and about judgments of others.
RUN = ["datasets:run", "datasets:remove-run", "imports:draw-unjudged", "api:draw-unjudged"]
JUDGMENTS = ["datasets:judgment-set", "datasets:judgments-qrels", "datasets:remove-judgments"]
# Routes about a webhook.
HOOK = [
    *("api:hooks-row", "api:renew-secret", "api:turn-on", "api:turn-off", "api:send-test"),
    *("webhooks:hook", "webhooks:renew-secret", "webhooks:turn-on", "webhooks:turn-off"),
    *("webhooks:send-test", "webhooks:remove"),
]


# What an argument of these routes names, which is another thing elsewhere.
OF_ROUTES = {"api:agreement-table": {"table": "confusion"}}


@dataclass
class World:
    """`study` has a finished topic with a dispute and one in progress; `other` is not theirs."""

    study: Study
    other: Study
    people: dict
    tokens: dict
    # What a walk asks for a thousand times, read once.
    named: dict = field(default_factory=dict)
    sessions: dict = field(default_factory=dict)
    handlers: dict = field(default_factory=dict)

    def browser(self, person, **options):
        """A new browser in which this person is signed in, by one sign-in for all of theirs; it
        also sends the token of their program."""
        if person in self.tokens:
            options["headers"] = {"Authorization": f"Bearer {self.tokens[person]}"}
        browser = Client(**options)
        # The middleware is set up once, as in a server, and not for each browser.
        checks = browser.handler.enforce_csrf_checks
        browser.handler = self.handlers.setdefault(checks, browser.handler)
        if person != "anonymous":
            if person not in self.sessions:
                browser.force_login(self.people[person])
                self.sessions[person] = browser.cookies[settings.SESSION_COOKIE_NAME].value
            browser.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[person]
        return browser

    def arguments(self, study=None):
        """Values for every argument that a route of this study may take."""
        study = study or self.study
        if study.collection.pk not in self.named:
            self.named[study.collection.pk] = self._arguments(study)
        return self.named[study.collection.pk]

    def _arguments(self, study):
        finished, running = study.collection.batches.all()[:2]
        seat = running.seats.get(holder=study.members["alice"])
        pair = finished.pairs.all()[1]  # the one they dispute
        audit = study.collection.audits.get()
        return {
            "slug": study.collection.slug,
            "seat_id": seat.public_id,
            "position": 1,
            "place": 1,
            "number": 1,
            "token": "spent-or-never-made",
            "name": "manifest.json",
            "page": "disagreements",
            "sheet": "confusion",
            "suffix": "csv",
            "table": "ratings",
            "figure": "scores",
            "rest": "nowhere",
            "key": "binary",
        }, {
            **dict.fromkeys(WRITING, study.collection.queries.first().public_id),
            "annotation:batch": finished.public_id,
            "annotation:hand-over": study.members["bob"].public_id,
            "annotation:set-way": finished.public_id,
            "annotation:raise-overlap": finished.public_id,
            "annotation:waive-reading": finished.public_id,
            "annotation:assign-seat": finished.seats.first().public_id,
            "annotation:return-seat": finished.seats.first().public_id,
            "annotation:topic": pair.topic.public_id,
            "annotation:lock-topic": pair.topic.public_id,
            "annotation:unlock-topic": pair.topic.public_id,
            "agreement:pair": pair.public_id,
            "agreement:pair-history": pair.public_id,
            "annotation:answer-flag": pair.ratings.first().public_id,
            "adjudication:topic": pair.topic.public_id,
            "adjudication:take-topic": pair.topic.public_id,
            "adjudication:decide-pair": pair.public_id,
            "adjudication:guidelines": pair.public_id,
            "adjudication:reopen-pair": pair.public_id,
            **dict.fromkeys(AUDIT, audit.public_id),
            "adjudication:audit-pair": audit.audited_pairs.get().public_id,
            "adjudication:audit-guidelines": audit.audited_pairs.get().public_id,
            "datasets:set-roles": study.members["bob"].public_id,
            "datasets:link-member": study.members["bob"].public_id,
            "datasets:remove-member": study.members["bob"].public_id,
            "datasets:revoke-invitation": study.collection.invitations.first().public_id,
            **dict.fromkeys(RUN, study.collection.systems.get().runs.get().public_id),
            **dict.fromkeys(JUDGMENTS, study.collection.judgment_sets.get().public_id),
            **dict.fromkeys(HOOK, study.collection.hooks.get().public_id),
            **dict.fromkeys(["api:link-member", "api:hand-over"], study.members["bob"].public_id),
            "api:waive-reading": finished.public_id,
            "api:answer-flag": pair.ratings.first().public_id,
            "api:take-topic": pair.topic.public_id,
            "api:audit-pair": audit.audited_pairs.get().public_id,
            **dict.fromkeys(
                ["api:deliveries-row", "api:resend"],
                study.collection.hooks.get().deliveries.get().public_id,
            ),
            "webhooks:resend": study.collection.hooks.get().deliveries.get().public_id,
            "evaluation:query": study.collection.queries.first().public_id,
            **self._rows(study, pair, seat),
            "datasets:revoke-token": study.members["lena"].tokens.first().public_id,
            "releases:download": study.collection.exports.first().public_id,
            "jobs:job-page": Job.objects.get(collection=study.collection.public_id).public_id,
            "accounts:password-set": self.people["dave"].public_id,
            "accounts:deactivate": self.people["dave"].public_id,
            "accounts:reactivate": self.people["dave"].public_id,
            "accounts:sign-out-everywhere": self.people["dave"].public_id,
            "accounts:remove-second-factor": self.people["dave"].public_id,
            "accounts:reset-link": self.people["dave"].public_id,
        }

    def _rows(self, study, pair, seat):
        """What programs ask for one by one."""
        collection = study.collection
        return {
            "api:members-row": study.members["bob"].public_id,
            "api:invitations-row": collection.invitations.first().public_id,
            "api:documents-row": pair.document.public_id,
            "api:queries-row": collection.queries.first().public_id,
            "api:topics-row": pair.topic.public_id,
            "api:pairs-row": pair.public_id,
            "api:batches-row": pair.batch.public_id,
            "api:seats-row": pair.batch.seats.first().public_id,
            "api:own-seats-row": seat.public_id,
            "api:ratings-row": pair.ratings.first().public_id,
            "api:decisions-row": uuid.uuid4(),
            **dict.fromkeys(["api:own-pairs", "api:own-pair", "api:hand-in"], seat.public_id),
            **dict.fromkeys(["api:case", "api:reopen-pair"], pair.public_id),
            **dict.fromkeys(["api:lock-topic", "api:unlock-topic"], pair.topic.public_id),
            "api:raise-overlap": pair.batch.public_id,
            "api:return-seat": pair.batch.seats.first().public_id,
            **dict.fromkeys(
                ["api:export-file", "api:export-changes", "api:export-changes-runs"],
                collection.exports.first().public_id,
            ),
            "api:systems-row": collection.systems.get().public_id,
            **dict.fromkeys(
                ["api:runs-row", "api:rankings"], collection.systems.get().runs.get().public_id
            ),
            **dict.fromkeys(
                ["api:judgments-row", "api:grades"], collection.judgment_sets.get().public_id
            ),
            "api:machine-runs-row": uuid.uuid4(),
            "api:imports-row": uuid.uuid4(),
            "api:exports-row": collection.exports.first().public_id,
            "api:jobs-row": Job.objects.get(collection=collection.public_id).public_id,
        }

    def address(self, route, study=None, **changes):
        values, public_ids = self.arguments(study)
        of_route = {"public_id": public_ids.get(route)} | OF_ROUTES.get(route, {})
        values = values | of_route | changes
        names = parameters_of(route)
        return reverse(route, kwargs={name: values[name] for name in names})


def make_world(*, of_aspects=False):
    """The world of a study of facets, or of one of aspects; the other study is of facets."""
    study = _make_aspect_study("study") if of_aspects else _make_facet_study("study")
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    study.members["nora"] = nora
    [batch] = make_batches(collection=study.collection, by=study.lena)
    assign_seat(seat=batch.seats.get(ordinal=1), member=nora, by=study.lena)
    rita = make_member(study.collection, "Rita", "lead")
    Membership.objects.filter(pk=rita.pk).update(removed_at=timezone.now())
    others = {"alice": "Olaf", "bob": "Otto", "carol": "Oona", "lena": "Olga"}
    other = _make_facet_study("other", cast=others)
    olga = other.members["lena"]
    people = {name: member.user for name, member in study.members.items()}
    people |= {"dave": make_user("Dave"), "olga": olga.user, "rita": rita.user}
    people["ada"] = type(olga.user).objects.get(email="ada@example.org")
    return World(study, other, people, _tokens(study, olga, people["ada"]))


def _tokens(study, olga, ada):
    """A token of everybody who can have one. Reading writes no day of use, also past midnight."""
    made = {name: token_of(member) for name, member in study.members.items()}
    made["olga"] = token_of(olga)
    made["ada"] = token_of(None, account=ada)
    used_tomorrow()
    return {name: token for name, (_, token) in made.items()}


def _make_facet_study(slug, cast=None):
    study = make_study(facets=("method", "result"), slug=slug)
    if cast:
        for role_name, name in cast.items():
            member = study.members[role_name]
            member.user = make_user(name)
            member.name = name
            member.save(update_fields=["user", "name"])
    study.finish(alice=[0, 1, 2], bob=[0, 3, 2])
    make_topic(study.collection, query_id="q2", facet="background")
    return _lived_in(study)


def _make_aspect_study(slug):
    study = make_aspect_study(slug=slug, way="document", query={"tree": {"0": ["1"]}})
    study.finish(alice=[0, 1, 2], bob=[0, 2, 2], erin=[0, 0, 2])
    make_aspect_query(study.collection, query_id="1", tree={"3": []})
    return _lived_in(study)


def _lived_in(study):
    """One topic is finished with a dispute; one comes to be in progress, one waits for a batch."""
    make_audit(study, size=1, control_count=0)
    running = study.collection.batches.all()[1]
    study.rate("alice", running.pairs.first(), 1)
    lena = study.members["lena"].user
    change_programs(collection=study.collection, by=lena, programs_may_rate=True)
    Invitation.objects.create(
        collection=study.collection,
        role="annotator",
        token_hash=uuid.uuid4().hex,
        created_by=lena,
        expires_at=timezone.now() + timezone.timedelta(days=14),
    )
    Export.objects.create(
        collection=study.collection, created_by=lena, format="trec", is_incomplete=False
    )
    Job.objects.create(kind="export", collection=study.collection.public_id, created_by=lena)
    ranked = {topic.external_id: ["secret_source_1"] for topic in study.collection.topics.all()}
    run = run_of(ranked, tag="secret_source")
    add_run(collection=study.collection, run=run, by=lena)
    judgments = judgments_of({name: {"secret_source_1": "2"} for name in ranked})
    add_judgments(collection=study.collection, judgments=judgments, by=lena)
    hook, _ = add_hook(
        collection=study.collection,
        address="https://canary.example.org/",
        kinds=["batch.completed"],
        by=lena,
    )
    send_test(hook=hook, by=lena)
    add_binary(study.collection, by=lena)
    add_ours(study.collection, key="binary", by=lena)
    return study


@functools.cache
def routes():
    """Every named route of the site, {name: parameter names}."""
    return dict(_walk(get_resolver().url_patterns, "", []))


def _walk(patterns, prefix, parameters):
    for pattern in patterns:
        names = [*parameters, *pattern.pattern.converters]
        if hasattr(pattern, "url_patterns"):
            namespace = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from _walk(pattern.url_patterns, prefix + namespace, names)
        else:
            yield prefix + str(pattern.name), names


def parameters_of(route):
    return routes()[route]
