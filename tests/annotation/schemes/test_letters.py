"""The letters that somebody's schemes take, so that no key of their own is one of these."""

import pytest

from annotation.schemes.actions import load_definition
from annotation.schemes.letters import letters_of_options
from datasets.models import Membership
from tests.factories.studies import make_collection, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def lead(collection, user, **more):
    Membership.objects.create(
        collection=collection, user=user, name=user.name, is_lead=True, **more
    )


def named(definition, facet, **letters):
    """The definition with letters for the first options of the scale of a facet, "" of all."""
    scale = next((f["scale"] for f in definition["facets"] if f["key"] == facet), definition)
    for option, (name, letter) in zip(scale["options"], letters.items(), strict=False):
        option |= {"name": name, "shortcut": letter}
    return definition


def test_options_of_every_scale_have_their_letters_and_the_collection_their_name():
    user = make_user("Nora")
    shared = named(load_definition("binary"), "", No="z", Yes="")
    apart = named(load_definition("litsearch"), "quality", Poor="q")
    lead(make_collection("first", shared), user)
    second = make_collection("second", apart)
    lead(second, user)

    letters = letters_of_options(user)

    assert letters["z"].startswith("“No” in ")
    assert letters["q"] == f"“Poor” in {second}"
    assert "" not in letters


def test_schemes_of_others_take_no_letters():
    user, other = make_user("Nora"), make_user("Otto")
    lead(make_collection("first", named(load_definition("binary"), "", No="z")), other)

    assert letters_of_options(user) == {}
