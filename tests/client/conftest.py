import uuid

import facetwise
import pytest

from adjudication.actions import decide
from annotation.schemes.actions import load_definition
from tests.factories.studies import make_collection, make_member, make_study, make_user
from tests.factories.tokens import token_of


@pytest.fixture
def server(live_server, settings, eager_jobs):
    """The real server, on a port of this machine; jobs run at once."""
    return live_server


@pytest.fixture
def client_of(server):
    """`client_of(member, *scopes)`: the client with a token of a member."""
    made = []

    def make(member, *scopes):
        _, token = token_of(member, *scopes)
        made.append(facetwise.Client(server.url, token))
        return made[-1]

    yield make
    for client in made:
        client.close()


@pytest.fixture
def study(transactional_db):
    """Finished: Alice and Bob disagree on the last of three pairs, and Carol decides it."""
    study = make_study()
    study.finish(alice=[0, 1, 2], bob=[0, 1, 3])
    decide(
        pair=study.batch.pairs.get(state="disputed"),
        by=study.carol,
        save_id=uuid.uuid4(),
        option=study.option(2),
        rationale="weighed",
    )
    return study


@pytest.fixture
def run_file(tmp_path):
    path = tmp_path / "bm25.run"
    lines = [f"q1_method Q0 q1c{n} {n} {4 - n}.0 bm25\n" for n in (1, 2, 3)]
    path.write_text("".join(lines))
    return path


@pytest.fixture
def new(transactional_db):
    """A collection with a scheme and nothing else; Lena leads it, Alice and Bob have accounts."""
    collection = make_collection("new", load_definition("csfcube"))
    for name in ("Alice", "Bob"):
        make_user(name)
    return make_member(collection, "Lena", "lead")


@pytest.fixture
def fw(client_of, study):
    """The lead's client, with every scope that is of use to her."""
    return client_of(study.members["lena"])


@pytest.fixture
def collection(fw):
    return fw.collection("study")
