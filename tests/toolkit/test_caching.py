"""What is worked out of an object once, by one thread, while others wait and other objects go on."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from treeline.toolkit.caching import CachedPerObject

LONGEST = 30.0


class Slow:
    """Works something out as soon as it may."""

    def __init__(self) -> None:
        self.begun, self.may_end, self.times = threading.Event(), threading.Event(), 0

    @CachedPerObject
    def value(self) -> object:
        """Something new each time."""
        self.times += 1
        self.begun.set()
        assert self.may_end.wait(LONGEST)
        return object()


def test_one_works_it_out_and_all_get_the_same() -> None:
    slow = Slow()
    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(lambda: slow.value) for _ in range(8)]
        assert slow.begun.wait(LONGEST)
        slow.may_end.set()
        found = {id(each.result(LONGEST)) for each in asked}
    assert (len(found), slow.times) == (1, 1)


def test_nobody_waits_for_another_object() -> None:
    slow, quick = Slow(), Slow()
    quick.may_end.set()
    with ThreadPoolExecutor(2) as pool:
        waits = pool.submit(lambda: slow.value)
        assert slow.begun.wait(LONGEST)
        assert pool.submit(lambda: quick.value).result(LONGEST) is quick.value
        assert not waits.done()
        slow.may_end.set()


def test_what_is_taken_out_is_worked_out_anew_and_what_failed_too() -> None:
    slow = Slow()
    slow.may_end.set()
    first = slow.value
    del vars(slow)["value"]
    assert slow.value is not first

    class FailingFile:
        times = 0

        @CachedPerObject
        def value(self) -> int:
            """Fail at first."""
            self.times += 1
            return 1 // (self.times - 1)

    failing = FailingFile()
    for _ in range(2):
        try:
            assert failing.value == 1
        except ZeroDivisionError:
            assert failing.times == 1
