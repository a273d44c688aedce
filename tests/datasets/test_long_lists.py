"""Lists that can be long are searched, sorted and paged, each in the same way."""

import pytest

from datasets.models import Collection, Membership
from datasets.runs.actions import add_run
from datasets.runs.judgments import add_judgments
from tests.factories.runs import judgments_of, run_of
from tests.factories.studies import make_study, make_user
from tests.factories.tokens import token_of

pytestmark = pytest.mark.django_db
HOME = "/collections/study/"


def add_members(study):
    for number in range(12):
        Membership.objects.create(
            collection=study.collection,
            name=f"Member {number:02}",
            external_id=f"m{number}",
            is_annotator=True,
        )


def add_runs(study):
    [topic] = study.topics
    for number in range(13):
        run = run_of({topic.external_id: ["d1"]}, tag=f"run-{number:02}")
        add_run(collection=study.collection, run=run, by=study.lena)


def add_sets(study):
    [topic] = study.topics
    for number in range(13):
        judgments = judgments_of({topic.external_id: {"d1": f"{number}"}}, name=f"set-{number:02}")
        add_judgments(collection=study.collection, judgments=judgments, by=study.lena)


def add_tokens(study):
    for _ in range(13):
        token_of(study.members["alice"])
    token_of(study.members["bob"])


def add_accounts(study):
    for number in range(13):
        make_user(f"Person {number:02}")


def add_collections(study):
    for number in range(13):
        Collection.objects.create(slug=f"c-{number:02}", name=f"Collection {number:02}")


@pytest.mark.parametrize(
    ("address", "fill", "words"),
    [
        (f"{HOME}members/", add_members, "member 07"),
        (f"{HOME}runs/", add_runs, "run-07"),
        (f"{HOME}judgments/", add_sets, "set-07"),
        (f"{HOME}tokens/", add_tokens, "bob"),
        ("/people/", add_accounts, "person 07"),
        ("/collections/", add_collections, "c-07"),
    ],
)
def test_a_long_list_is_searched_sorted_and_paged(client, address, fill, words):
    study = make_study(assign=False)
    study.lena.is_site_admin = True
    study.lena.save(update_fields=["is_site_admin"])
    client.force_login(study.lena)
    short = client.get(address)
    fill(study)

    whole = client.get(address)
    searched = client.get(address, {"words": words, "order": "newest"})
    nothing = client.get(address, {"words": "no such words"})

    assert 'role="search"' not in short.text
    assert 'role="search"' in whole.text
    assert len(searched.context["page"]) == 1
    assert list(nothing.context["page"]) == []
    assert "Show all" in nothing.text
