"""A real study by API: CSFCube's half gives programs what it gives the pages, byte for byte."""

import json

from annotation.models import Rating
from releases.actions import write_export
from tests.factories.tokens import program_of

HOME = "/api/v1/collections/half"


def test_the_half_by_api_is_the_half_of_the_pages(half, client, tmp_path):
    lena = half.memberships.get(name="Lena")
    program = program_of(lena)
    client.force_login(lena.user)
    write_export(
        collection=half,
        export_format="trec",
        folder=tmp_path / "out",
        by=lena.user,
        allow_incomplete=True,
    )

    qrels = program.get(f"{HOME}/qrels?all=1", headers={"Accept": "text/plain"})
    agreement = program.get(f"{HOME}/agreement").json()
    ratings = program.get(f"{HOME}/ratings", headers={"Accept": "application/x-ndjson"})

    [file] = (tmp_path / "out").glob("qrels-all*.txt")
    assert qrels.content == file.read_bytes()
    assert agreement == client.get("/collections/half/agreement.json").json()
    rows = [json.loads(line) for line in ratings.getvalue().splitlines()]
    assert len(rows) == Rating.objects.count()
    values = Rating.objects.order_by("pk").values_list("option__value", flat=True)
    assert [row["value"] for row in rows] == [
        None if value is None else float(value) for value in values
    ]
