from django.urls import path

from agreement.pages import (
    annotators,
    audits,
    closed,
    disagreements,
    downloads,
    facets,
    overview,
    pairs,
    pool,
    queries,
    report,
    time,
    working,
)

app_name = "agreement"

urlpatterns = [
    path("pairs/<uuid:public_id>/", pairs.pair, name="pair"),
    path("pairs/<uuid:public_id>/history/", pairs.pair_history, name="pair-history"),
    path("collections/<slug:slug>/agreement/pairs/", pairs.pairs, name="pairs"),
    path("collections/<slug:slug>/agreement/", overview.agreement, name="agreement"),
    path("collections/<slug:slug>/agreement.csv", downloads.agreement_csv, name="agreement-csv"),
    path("collections/<slug:slug>/agreement.json", downloads.agreement_json, name="agreement-json"),
    path("collections/<slug:slug>/agreement/queries/", queries.queries, name="queries"),
    path("collections/<slug:slug>/agreement/annotators/", annotators.annotators, name="annotators"),
    path("collections/<slug:slug>/agreement/time/", time.time, name="time"),
    path(
        "collections/<slug:slug>/agreement/disagreements/",
        disagreements.disagreements,
        name="disagreements",
    ),
    path("collections/<slug:slug>/agreement/facets/", facets.facets, name="facets"),
    path("collections/<slug:slug>/agreement/pool/", pool.pool, name="pool"),
    path(
        "collections/<slug:slug>/agreement/<slug:page>/<slug:sheet>.<str:suffix>",
        downloads.table,
        name="table",
    ),
    path("collections/<slug:slug>/agreement/report/", report.report, name="report"),
    path("collections/<slug:slug>/agreement/summary/", closed.closed, name="closed"),
    path("collections/<slug:slug>/agreement/working/", working.working, name="working"),
    path("collections/<slug:slug>/agreement/ratings.csv", working.ratings, name="input"),
    path("collections/<slug:slug>/agreement/audits/", audits.audits, name="audits"),
    path("collections/<slug:slug>/agreement/audits/<uuid:public_id>/", audits.audit, name="audit"),
    path(
        "collections/<slug:slug>/agreement/audits/<uuid:public_id>/close/",
        audits.close_audit,
        name="close-audit",
    ),
    path(
        "collections/<slug:slug>/agreement/audits/<uuid:public_id>/pairs.csv",
        audits.audit_csv,
        name="audit-csv",
    ),
    path(
        "collections/<slug:slug>/agreement/audits/<uuid:public_id>/audit.json",
        audits.audit_json,
        name="audit-json",
    ),
]
