import pytest

from annotation.assigning.actions.assign import return_seat
from datasets.actions import set_roles
from releases.reading import read_study


@pytest.fixture
def reopened(finished):
    """Bob's seat came back to him, so the batch is unfinished; Alice, who has the other one, leads
    by now. The decisions stand, and their gold with them."""
    set_roles(membership=finished.members["alice"], by=finished.lena, roles=["annotator", "lead"])
    return_seat(seat=finished.seat("bob"), by=finished.lena, reason="look again")
    return finished


def golds(study, by):
    content = read_study(study.collection.pk, using="default", by=by)
    return [(pair.value, pair.state) for topic in content.topics for pair in topic.pairs]


def test_gold_of_a_batch_in_which_a_lead_still_rates_is_not_read_for_them(reopened):
    assert golds(reopened, by=reopened.alice) == []
    content = read_study(reopened.collection.pk, using="default", by=reopened.alice)
    assert (content.withheld_batches, content.batches, content.answered) == (1, [], [])


def test_other_leads_and_the_servers_own_shell_read_it(reopened):
    everything = [(None, "agreed"), (1, "adjudicated"), (None, "excluded")]

    assert golds(reopened, by=reopened.lena) == everything
    assert golds(reopened, by=None) == everything


def test_no_page_of_the_lead_who_still_rates_names_the_gold(reopened, client):
    topic = reopened.topics[0]
    address = f"/collections/study/topics/{topic.public_id}/"

    client.force_login(reopened.lena)
    seen_by_lena = client.get(address).context["all_rows"]
    client.force_login(reopened.alice)
    seen_by_alice = client.get(address).context["all_rows"]

    assert [row.pair.gold_value for row in seen_by_lena] == [None, 1, None]
    assert seen_by_alice == []
