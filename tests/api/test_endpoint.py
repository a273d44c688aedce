"""What every endpoint checks before it answers: parameters, and how many rows."""

from types import SimpleNamespace

import pytest
from django.core.exceptions import BadRequest
from django.http import QueryDict

from api.documentation import Parameter, described, key_header
from api.endpoint import MOST_ROWS, PAGE_SIZE, Endpoint, _size
from datasets.models import Role, Scope


class Things(Endpoint):
    scope, roles = Scope.READ, (Role.LEAD,)
    post_scope = Scope.WRITE_RUNS

    @described(
        "list-things",
        "Things.",
        answers={},
        parameters=[Parameter("rows", ""), Parameter("cursor", ""), key_header(needed=False)],
    )
    def get(self, request, slug):
        raise AssertionError

    @described("make-thing", "Make one.", answers={})
    def post(self, request, slug):
        raise AssertionError


def check(query, method="GET"):
    Things().check_parameters(method, QueryDict(query))


@pytest.mark.parametrize("query", ["", "rows=5", "rows=5&cursor=", "cursor=%C3%A9"])
def test_parameters_that_are_described_are_read(query):
    check(query)


@pytest.mark.parametrize(
    ("query", "method", "sentence"),
    [
        ("row=5", "GET", "This endpoint knows no parameter 'row'. It takes: cursor, rows."),
        ("Idempotency-Key=1", "GET", "This endpoint knows no parameter 'Idempotency-Key'. It"),
        ("rows=5", "POST", "This endpoint knows no parameter 'rows'. It takes: none."),
        ("rows=5&rows=6", "GET", "rows stands 2 times in the address. Name it once."),
        ("rows=&rows=&rows=", "GET", "rows stands 3 times in the address. Name it once."),
        ("cursor=a%00b", "GET", "cursor holds a character that no text has."),
    ],
)
def test_parameters_that_would_not_be_read_are_refused_by_name(query, method, sentence):
    with pytest.raises(BadRequest) as refused:
        check(query, method)

    assert str(refused.value).startswith(sentence)


def test_a_method_that_the_address_does_not_take_is_refused_as_such_later():
    check("x=1", "DELETE")


def test_a_method_may_have_a_scope_of_its_own_and_shares_the_rest():
    assert Things.of_method("GET", "scope") == Scope.READ
    assert Things.of_method("POST", "scope") == Scope.WRITE_RUNS
    assert Things.of_method("POST", "roles") == (Role.LEAD,)


def test_a_scope_that_the_token_lacks_is_named():
    endpoint = Things()
    endpoint.request = SimpleNamespace(auth=SimpleNamespace(scopes=["read"]))
    endpoint.check_scope(Scope.READ)

    with pytest.raises(Exception, match=r"^This token lacks the scope 'write:runs'\.$"):
        endpoint.check_scope(Scope.WRITE_RUNS)


def size(query):
    return _size(SimpleNamespace(query_params=QueryDict(query)))


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("", PAGE_SIZE),
        ("rows=", PAGE_SIZE),
        ("rows=1", 1),
        ("rows=007", 7),
        (f"rows={MOST_ROWS}", MOST_ROWS),
    ],
)
def test_a_page_has_as_many_rows_as_were_asked_for(query, rows):
    assert size(query) == rows


@pytest.mark.parametrize(
    "rows", ["0", "1001", "-1", "+1", "1.0", "1e2", " 1", "x", "1" * 5000, "٣"]
)
def test_a_number_of_rows_that_no_page_has_is_refused(rows):
    with pytest.raises(BadRequest, match=r"; expected a number from 1 to 1,000\.$"):
        _size(SimpleNamespace(query_params={"rows": rows}))
