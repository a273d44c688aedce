"""Documents are looked up some at a time, however many a file changes."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from datasets.models import Document
from formats import records
from imports import documents
from imports.study.plan import Plan
from imports.study.rows import apply_changes
from tests.factories.studies import make_study


def test_changed_documents_are_looked_up_some_at_a_time(db, monkeypatch):
    collection = make_study(assign=False).collection
    monkeypatch.setattr(documents, "LOOKED_UP_AT_ONCE", 2)
    names = ["q1c1", "q1c2", "q1c3"]
    study = records.Study("")
    for name in names:
        place = records.Place("")
        study.documents.keep(records.Document(name, f"New {name}", (), None, {}, place))

    with CaptureQueriesContext(connection) as statements:
        apply_changes(Plan(retold=names), study, collection)

    read = [row["sql"] for row in statements if row["sql"].startswith("SELECT")]
    assert [count for sql in read if (count := sql.count("'q1c"))] == [2, 1]
    titles = Document.objects.filter(external_id__in=names).order_by("external_id")
    assert list(titles.values_list("title", flat=True)) == ["New q1c1", "New q1c2", "New q1c3"]
