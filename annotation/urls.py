from django.urls import path

from annotation.assigning.views import assign, leavers, plan
from annotation.authoring.views import pools, queries
from annotation.collections import views as collections
from annotation.flags import views as flags
from annotation.progress.views import overview, topics
from annotation.sampling import views as samples
from annotation.sampling.elsewhere import views as given
from annotation.schemes import building
from annotation.schemes import views as schemes
from annotation.workbench import views as workbench

app_name = "annotation"
urlpatterns = [
    # First what is asked for most: an address is compared with the patterns in turn.
    path("seats/<uuid:seat_id>/", workbench.seat, name="seat"),
    path("seats/<uuid:seat_id>/<int:position>/", workbench.rate_pair, name="rate-pair"),
    path("seats/<uuid:seat_id>/texts/", workbench.texts, name="texts"),
    path("seats/<uuid:seat_id>/recent/", workbench.recent, name="recent"),
    path("seats/<uuid:seat_id>/hand-in/", workbench.hand_in, name="hand-in"),
    path("seats/<uuid:seat_id>/guidelines/", workbench.guidelines, name="guidelines"),
    path("collections/", collections.collections, name="collections"),
    # Before addresses with a slug in this place; no collection may have the short name "new".
    path("collections/new/", collections.create_collection, name="create-collection"),
    path("collections/<slug:slug>/lead-link/", collections.lead_link, name="lead-link"),
    path("collections/<slug:slug>/", overview.collection, name="collection"),
    path("collections/<slug:slug>/details/", collections.edit_details, name="details"),
    path(
        "collections/<slug:slug>/details/sign-in/",
        collections.set_sign_in_rules,
        name="set-sign-in-rules",
    ),
    path("collections/<slug:slug>/scheme/", schemes.scheme, name="scheme"),
    path(
        "collections/<slug:slug>/scheme/versions/<int:number>/",
        schemes.scheme,
        name="scheme-version",
    ),
    path("collections/<slug:slug>/scheme/edit/", schemes.edit_scheme, name="edit-scheme"),
    path("collections/<slug:slug>/scheme/write/", building.write_scheme, name="write-scheme"),
    path("collections/<slug:slug>/scheme/file/", building.scheme_file, name="scheme-file"),
    path("collections/<slug:slug>/scheme/rules/", schemes.change_rules, name="change-rules"),
    path("collections/<slug:slug>/assign/", assign.assign, name="assign"),
    path("collections/<slug:slug>/assign/batches/", assign.make_batches, name="make-batches"),
    path("collections/<slug:slug>/assign/plan/", plan.plan, name="plan"),
    path("collections/<slug:slug>/samples/", samples.samples, name="samples"),
    path("collections/<slug:slug>/samples/given/", given.given_pairs, name="given-pairs"),
    path("collections/<slug:slug>/write/", queries.authoring, name="authoring"),
    path("collections/<slug:slug>/write/new/", queries.new_query, name="new-query"),
    path("queries/<uuid:public_id>/write/", queries.edit_query, name="edit-query"),
    path("queries/<uuid:public_id>/about/", queries.describe_query, name="describe-query"),
    path("queries/<uuid:public_id>/remove/", queries.remove_query, name="remove-query"),
    path("queries/<uuid:public_id>/sentences/", queries.link_sentences, name="link-sentences"),
    path("queries/<uuid:public_id>/aspects/add/", queries.add_aspect, name="add-aspect"),
    path("queries/<uuid:public_id>/aspects/change/", queries.change_aspect, name="change-aspect"),
    path("queries/<uuid:public_id>/pool/", pools.pool, name="pool"),
    path("queries/<uuid:public_id>/pool/ids/", pools.add_candidates, name="add-candidates"),
    path("queries/<uuid:public_id>/pool/file/", pools.add_corpus, name="add-corpus"),
    path(
        "queries/<uuid:public_id>/pool/remove/", pools.remove_candidates, name="remove-candidates"
    ),
    path(
        "collections/<slug:slug>/assign/<uuid:public_id>/hand-over/",
        leavers.hand_over,
        name="hand-over",
    ),
    path("batches/<uuid:public_id>/", assign.batch, name="batch"),
    path("batches/<uuid:public_id>/way/", assign.set_way, name="set-way"),
    path("batches/<uuid:public_id>/overlap/", assign.raise_overlap, name="raise-overlap"),
    path("batches/<uuid:public_id>/waive/", assign.waive_reading, name="waive-reading"),
    path("seats/<uuid:public_id>/assign/", assign.assign_seat, name="assign-seat"),
    path("seats/<uuid:public_id>/return/", assign.return_seat, name="return-seat"),
    path("collections/<slug:slug>/topics/<uuid:public_id>/", topics.topic, name="topic"),
    path(
        "collections/<slug:slug>/topics/<uuid:public_id>/lock/",
        topics.lock_topic,
        name="lock-topic",
    ),
    path(
        "collections/<slug:slug>/topics/<uuid:public_id>/unlock/",
        topics.unlock_topic,
        name="unlock-topic",
    ),
    path(
        "collections/<slug:slug>/topics/lock-done/",
        topics.lock_done_topics,
        name="lock-done-topics",
    ),
    path("collections/<slug:slug>/topics/unlock/", topics.unlock_topics, name="unlock-topics"),
    path("collections/<slug:slug>/flags/", flags.flags, name="flags"),
    path("ratings/<uuid:public_id>/answer-flag/", flags.answer, name="answer-flag"),
    path("collections/<slug:slug>/undecidable/", topics.undecidable, name="undecidable"),
]
