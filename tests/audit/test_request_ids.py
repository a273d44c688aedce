"""The id of the request or job that the running code works for."""

import threading
import uuid

import pytest

from audit.request_ids import current_request_id, working_for

FIRST, SECOND = uuid.uuid4(), uuid.uuid4()


def test_code_works_for_the_innermost_request_and_for_none_outside():
    seen = [current_request_id()]
    with working_for(FIRST):
        seen.append(current_request_id())
        with working_for(SECOND):
            seen.append(current_request_id())
        seen.append(current_request_id())
    seen.append(current_request_id())

    assert seen == [None, FIRST, SECOND, FIRST, None]


def test_a_request_that_fails_leaves_nothing_to_the_next():
    with pytest.raises(KeyError), working_for(FIRST):
        raise KeyError

    assert current_request_id() is None


def test_a_new_thread_works_for_nobody_yet():
    seen = []
    with working_for(FIRST):
        thread = threading.Thread(target=lambda: seen.append(current_request_id()))
        thread.start()
        thread.join()

    assert seen == [None]
