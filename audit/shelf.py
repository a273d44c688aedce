"""What a process keeps in memory, and how much of it."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Shelf:
    """Values by key, up to a total weight. What was used longest ago goes first."""

    def __init__(self, max_weight: int):
        self.max_weight = max_weight
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()

    def get(
        self,
        key: Hashable,
        make: Callable[[], T],
        weigh: Callable[[T], int] = lambda value: 1,
        may_keep: Callable[[], bool] = lambda: True,
    ) -> T:
        """The value of a key, which `make` makes where the shelf has none. It is kept if `may_keep`
        says so afterwards."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key][0]
        value = make()
        if not may_keep():
            return value
        self.put(key, value, weigh(value))
        return value

    def put(self, key: Hashable, value: Any, weight: int = 1) -> None:
        """Keep a value in place of what the shelf has under its key."""
        with self._lock:
            _, weight_before = self._values.pop(key, (None, 0))
            self._values[key] = value, weight
            self._weight += weight - weight_before
            while self._weight > self.max_weight and len(self._values) > 1:
                _, (_, weight) = self._values.popitem(last=False)
                self._weight -= weight

    def peek(self, key: Hashable) -> Any:
        """The value of a key; None where the shelf has none."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def drop(self, key: Hashable) -> None:
        """Forget the value of a key, if the shelf has one."""
        with self._lock:
            _, weight = self._values.pop(key, (None, 0))
            self._weight -= weight
