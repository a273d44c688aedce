import ctypes

from config.memory import M_ARENA_MAX, give_back


def test_a_c_library_that_cannot_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())

    give_back()


def test_threads_share_few_arenas(monkeypatch):
    calls = {}

    class Glibc:
        mallopt = staticmethod(calls.__setitem__)

    monkeypatch.setattr(ctypes, "CDLL", lambda name: Glibc)

    give_back()

    assert calls[M_ARENA_MAX] == 2
