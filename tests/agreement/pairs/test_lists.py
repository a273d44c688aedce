"""Lists of pairs hold what the number beside them counted."""

import re
from datetime import timedelta
from html import unescape
from itertools import chain
from uuid import uuid4

import pytest
from django.core.exceptions import BadRequest
from django.utils import timezone

import evaluation.pages.against  # noqa: F401  # brings a list
from adjudication.actions import decide
from agreement.pairs.lists import LISTS, read_list
from agreement.study.filters import list_address
from agreement.study.parts import LEVELS
from agreement.study.selection import selection_of
from agreement.subjects.disagreements.figures import disagreements_shown
from agreement.subjects.facets.figures import facets_of
from annotation.assigning.actions.assign import return_seat
from annotation.models import Pair
from datasets.pseudonyms import pseudonym
from tests.factories.studies import make_aspect_study, make_study
from tests.shelf import shelved

pytestmark = pytest.mark.once


@shelved
def study(db):
    """Pairs rated 0 and 3, 1 and 2, 2 and 2 by Alice and Bob."""
    study = make_study(candidates=3)
    study.finish(alice=[0, 1, 2], bob=[3, 2, 2])
    return study


def selection(study, **parameters):
    return selection_of(study.members["lena"], study.lena, parameters)


def listed(study, kind, cell="", **parameters):
    level = parameters.pop("level", "")
    return read_list(selection(study, **parameters), {"list": kind, "cell": cell, "level": level})


def pairs_of(study):
    return list(study.batch.pairs.order_by("position").values_list("pk", flat=True))


@pytest.mark.parametrize(
    ("kind", "cell", "places"),
    [
        ("values", "0,3", [0]),
        ("values", "1,2", [1]),
        ("confusion", "0,3", [0]),
        ("confusion", "3,0", []),
        ("confusion", "2,2", [2]),
        ("distance", "1", [1]),
        ("distance", "0", [2]),
        ("outcome", "to decide", [0, 1]),
        ("outcome", "decided", []),
        ("values", "0,3,to decide", [0]),
        ("values", "0,3,lower", []),
        ("pooled", "", [0, 1, 2]),
        ("judged", "", []),
        ("gold", "2", []),
        ("cannot-judge", "", []),
        ("flags", "", []),
        ("rated", "", [0, 1, 2]),
        ("differing", "", [0, 1]),
        ("raters", "2", [0, 1, 2]),
        ("given", "2", [1, 2]),
        ("undecided", "", [0, 1]),
        ("to-decide", "", [0, 1]),
        ("waiting", "", []),
        ("overruled", "", []),
    ],
)
def test_a_list_holds_the_pairs_of_its_cell(study, kind, cell, places):
    pairs = pairs_of(study)

    assert listed(study, kind, cell).pairs == [pairs[place] for place in places]


def test_lists_hold_as_many_pairs_as_the_page_of_disagreements_counts(study):
    disagreements = disagreements_shown(selection(study)).figures

    for split in disagreements.splits:
        assert len(listed(study, "values", split.cell).pairs) == split.pairs
    scale = [0, 1, 2, 3]
    for row, first in zip(disagreements.confusion.tolist(), scale, strict=True):
        for count, second in zip(row, scale, strict=True):
            assert len(listed(study, "confusion", f"{first},{second}").pairs) == count


def test_a_topic_is_listed_whole_or_in_one_state(study):
    topic = study.topics[0]
    pairs = pairs_of(study)

    assert listed(study, "topic", str(topic.public_id)).pairs == pairs
    disputed = listed(study, "topic", f"{topic.public_id},disputed").pairs
    assert disputed == list(Pair.objects.disputed().values_list("pk", flat=True))


def test_pairs_without_gold_are_listed_by_what_they_lack(study):
    disputed = list(Pair.objects.disputed().values_list("pk", flat=True))

    assert disputed
    assert listed(study, "lacking", "disputed").pairs == disputed
    assert [listed(study, "lacking", cell).pairs for cell in ("agreed", "open", "waiting")] == [
        [], [], [],
    ]  # fmt: skip
    with pytest.raises(BadRequest, match="expected one of waiting, open"):
        listed(study, "lacking", "lost")

    return_seat(seat=study.seat("bob"), by=study.lena, reason="look again")

    assert listed(study, "lacking", "disputed").pairs == listed(study, "disputes", "open").pairs
    assert listed(study, "lacking", "disputed").pairs == []
    assert listed(study, "lacking", "agreed").pairs == pairs_of(study)


def test_numbers_of_the_overview_open_their_pairs(study):
    first, second, third = pairs_of(study)
    topic = study.topics[0].public_id
    decide_as(study, Pair.objects.get(pk=first), 3)

    def of(kind, cell):
        return listed(study, kind, cell).pairs

    assert of("disputes", "all") == of("disputes", f"all,{topic}") == [first, second]
    assert (of("disputes", "decided"), of("disputes", "open")) == ([first], [second])
    assert (of("with-gold", ""), of("with-gold", "consensus")) == ([first, third], [third])
    for kind, cell in [("disputes", "won"), ("with-gold", "own"), ("topic", f"{topic},lost")]:
        with pytest.raises(BadRequest):
            listed(study, kind, cell)


def test_steps_lead_from_pair_to_pair_and_not_beyond_the_ends(study):
    pairs = pairs_of(study)
    whole = listed(study, "topic", str(study.topics[0].public_id))

    assert [whole.place(pair) for pair in pairs] == [1, 2, 3]
    assert whole.beside(pairs[0], 1) == pairs[1]
    assert whole.beside(pairs[0], -1) is None
    assert whole.beside(pairs[2], 1) is None
    assert (whole.place(0), whole.beside(0, 1)) == (None, None)


def test_filters_stay_in_the_address(study):
    chosen = listed(study, "values", "0,3", facet="method")

    assert chosen.address == "list=values&cell=0%2C3&facet=method"
    assert list_address("flags", "") == "list=flags"


@pytest.mark.parametrize(
    ("kind", "cell", "sentence"),
    [
        ("secrets", "", "list is 'secrets'"),
        ("values", "0", "expected two values"),
        ("distance", "far", "expected a value"),
        ("outcome", "won", "expected one of decided, lower"),
    ],
)
def test_an_address_that_names_no_list_is_refused(study, kind, cell, sentence):
    with pytest.raises(BadRequest, match=sentence):
        listed(study, kind, cell)


def test_without_a_name_there_is_no_list(study):
    assert read_list(selection(study), {}) is None


@pytest.mark.parametrize("kind", sorted(set(LISTS) - {"topic"}))
def test_no_list_holds_pairs_of_a_batch_in_which_its_reader_rates(db, kind):
    from annotation.assigning.actions.assign import assign_seat
    from annotation.assigning.actions.batches import make_batches
    from tests.factories.studies import make_member

    study = make_study(assign=False)
    nora = make_member(study.collection, "Nora", "lead", "annotator")
    [batch] = make_batches(collection=study.collection, by=study.lena)
    first, second = batch.seats.all()
    assign_seat(seat=first, member=study.members["alice"], by=study.lena)
    assign_seat(seat=second, member=nora, by=study.lena)
    study.rate_all("alice", 0)
    study.rate("alice", batch.pairs.first(), 0, is_flagged=True)
    alice, today = pseudonym_of(study, "alice"), timezone.now().date()
    cells = {"values": "0,0", "confusion": "0,0", "distance": "0", "outcome": "to decide"}
    cells |= {"answers": alice, "skips": alice, "flagged-by": alice, "upheld": alice}
    cells |= {"two": f"{alice},{alice}", "decisions": pseudonym_of(study, "carol")}
    cells |= {"period": f"{today},{today}", "crossed": "method,method", "overruled": ""}
    cells |= {"source": ",no source recorded", "alone": ",no source recorded", "cited": ",cited"}
    cells |= {"lacking": "partial", "disputes": "all", "with-gold": ""}
    cells |= {"against": "gold seat:1 0 0"}

    viewed = selection_of(nora, nora.user, {})

    shown = read_list(viewed, {"list": kind, "cell": cells.get(kind, "0")})
    assert shown.pairs == []


def test_a_list_of_one_topic_keeps_to_it(db):
    study = make_study(facets=["background", "method"], candidates=2)
    for batch in study.collection.batches.all():
        study.finish(alice=[0, 1], bob=[3, 1], batch=batch)
    key = study.topics[1].external_id

    rated = read_list(selection(study), {"list": "rated", "topic": key})

    assert rated.pairs == list(study.topics[1].pairs.values_list("pk", flat=True))
    assert rated.address == f"list=rated&topic={key}"
    with pytest.raises(BadRequest):
        read_list(selection(study), {"list": "rated", "topic": "none"})


def decide_as(study, pair, value, **details):
    option = study.option(value)
    return decide(pair=pair, by=study.carol, option=option, save_id=uuid4(), **details)


@shelved
def settled(db):
    """Two facets, all done: rated 0 and 3, 1 and 2, 2 and 2; gold 1, 2, 2."""
    study = make_study(facets=["background", "method"])
    for batch in study.collection.batches.all():
        study.finish(alice=[0, 1, 2], bob=[3, 2, 2], batch=batch)
        first, second, _ = batch.pairs.order_by("position")
        decide_as(study, first, 1, rationale="Between them.")
        decide_as(study, second, 2)
    return study


def pseudonym_of(study, name):
    return pseudonym(study.collection, study.members[name])


@pytest.mark.parametrize(
    ("kind", "cell", "places"),
    [
        ("gold", "", [0, 1, 2]),
        ("gold", "2", [1, 2]),
        ("gold", "1+", [0, 1, 2]),
        ("judged", "2+", [1, 2]),
        ("settled", "", [0, 1, 2]),
        ("outcome", "decided", [0, 1]),
        ("values", "0,3,between", [0]),
        ("cause", ",higher", [1]),
        ("cause", "", [0, 1]),
        ("raters-after", "2", [0, 1, 2]),
        ("overruled", "", [0]),
        ("overruled", "outside", []),
        ("answers", "{bob}", [0, 1, 2]),
        ("skips", "{bob}", []),
        ("flagged-by", "{bob}", []),
        ("upheld", "{bob}", [1]),
        ("upheld", "{alice}", []),
        ("two", "{alice},{bob}", [0, 1, 2]),
        ("two", "{alice},{bob},differ", [0, 1]),
        ("decisions", "{carol}", [0, 1]),
        ("source", ",secret_source", [0, 1, 2]),
        ("source", "2+,secret_source", [1, 2]),
        ("alone", ",secret_source", [0, 1, 2]),
        ("cited", ",not cited", [0, 1, 2]),
        ("cited", "1,cited", []),
    ],
)
def test_a_list_of_what_is_settled_holds_the_pairs_of_its_cell(settled, kind, cell, places):
    keys = {name: pseudonym_of(settled, name) for name in ("alice", "bob", "carol")}
    pairs = list(settled.topics[1].pairs.order_by("position").values_list("pk", flat=True))

    chosen = listed(settled, kind, cell.format(**keys), facet="method")

    assert chosen.pairs == [pairs[place] for place in places]


def test_documents_under_two_facets_are_listed_with_both_pairs(settled):
    [together] = facets_of(selection(settled), {}).together

    assert len(listed(settled, "crossed", together.cell).pairs) == 2 * together.crossed.shared
    for row, first in zip(together.crossed.counts.tolist(), range(4), strict=True):
        for count, second in zip(row, range(4), strict=True):
            cell = f"{together.cell},{first},{second}"
            assert len(listed(settled, "crossed", cell).pairs) == 2 * count
    counts = {"same": together.crossed.same.count, "2+": together.crossed.either}
    counts |= {"2+,2+": together.crossed.both.count, "2+,2-": together.crossed.first_alone.count}
    for grades, count in counts.items():
        assert len(listed(settled, "crossed", f"{together.cell},{grades}").pairs) == 2 * count


def test_a_list_of_one_level_holds_the_aspects_that_stand_there(db):
    study = make_aspect_study()
    whole = listed(study, "pooled").pairs

    parts = {level: listed(study, "pooled", level=level).pairs for level in LEVELS}

    assert sorted(chain(*parts.values())) == sorted(whole)
    assert [level for level, pairs in parts.items() if pairs] == ["aspect", "sub_aspect"]
    with pytest.raises(BadRequest):
        listed(study, "pooled", level="root")


def test_a_period_lists_what_was_rated_in_it(settled):
    # Midnight may have come since.
    first, last = (timezone.now().date() + timedelta(days=days) for days in (-1, 1))

    assert len(listed(settled, "period", f"{first},{last}").pairs) == 6
    assert listed(settled, "period", "2001-01-01,2001-01-07").pairs == []


@pytest.mark.parametrize(
    ("kind", "cell"),
    [
        ("gold", "7"),
        ("overruled", "twice"),
        ("source", "2,nowhere"),
        ("cited", "2"),
        ("crossed", "method"),
        ("crossed", "background,method,0,9"),
        ("crossed", "background,method,nine"),
        ("answers", "A-NOBODY"),
        ("two", "A-NOBODY"),
        ("decisions", ""),
        ("period", "yesterday"),
        ("raters-after", "two"),
    ],
)
def test_a_cell_that_names_nothing_is_refused(settled, kind, cell):
    with pytest.raises(BadRequest):
        listed(settled, kind, cell)


@pytest.mark.parametrize(
    ("page", "numbers"),
    [
        ("agreement", {"list=rated": 3, "list=settled": 3, "list=overruled": 3}),
        ("queries", {"list=topic": 2, "list=differing": 2, "list=overruled": 2}),
        (
            "disagreements",
            {"list=outcome": 9, "list=values": 6, "list=cause": 4, "list=differing": 3},
        ),
        ("facets", {"list=gold": 9, "list=given": 12, "list=crossed": 10}),
        ("pool", {"list=source": 5, "list=judged": 19, "list=pooled": 3}),
        ("working", {"list=rated": 3}),
        ("annotators", {"list=answers": 2, "list=two": 2, "list=upheld": 1}),
        ("time", {"list=answers": 2, "list=decisions": 1}),
    ],
)
def test_every_number_of_a_page_opens_its_pairs(client, settled, page, numbers):
    client.force_login(settled.lena)
    shown = client.get(f"/collections/study/agreement/{'' if page == 'agreement' else page + '/'}")
    label = r'class="opens" href="([^"]+)" aria-label="([\d,]+) (pair|rating|document)s?: '
    links = re.findall(label, shown.text)

    counted = {name: sum(name in unescape(link) for link, _, _ in links) for name in numbers}
    assert counted == numbers
    for link, number, noun in links:
        opened = client.get(unescape(link))
        assert opened.status_code == 200
        size = opened.context["page"].paginator.count
        if noun == "pair":
            assert size == int(number), link
