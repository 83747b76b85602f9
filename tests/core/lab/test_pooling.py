"""Jobs one after the other here, or several at a time elsewhere."""

from __future__ import annotations

import threading

import pytest

from treeline.core.lab.pooling import work_through


def where(item: int, stop: threading.Event) -> tuple[int, bool]:
    return item, threading.current_thread() is threading.main_thread()


@pytest.mark.parametrize(("items", "workers", "here"), [(3, 1, True), (1, 4, True), (3, 2, False)])
def test_one_worker_or_one_job_needs_no_other_thread(items: int, workers: int, here: bool):
    done = work_through(range(items), where, workers, threading.Event(), threads=True)
    assert sorted(done) == [(item, here) for item in range(items)]


def test_no_job_is_begun_once_it_is_stopped():
    stop = threading.Event()
    stop.set()
    assert [list(work_through(range(3), where, n, stop, threads=True)) for n in (1, 2)] == [[], []]


def together(item: int, stop: threading.Event) -> bool:
    _MEETING.wait()  # the first waits for the second
    return threading.current_thread() is threading.main_thread()


_MEETING = threading.Barrier(2, timeout=10)


def test_two_jobs_of_two_workers_are_done_at_the_same_time():
    assert list(work_through(range(2), together, 2, threading.Event(), threads=True)) == [False, False]


def test_jobs_are_begun_no_further_ahead_than_one_behind_the_workers():
    begun: list[int] = []

    def items():
        for item in range(9):
            begun.append(item)
            yield item

    class Items(list):
        def __iter__(self):
            return items()

    gate = threading.Event()
    results = work_through(
        Items(range(9)), lambda item, stop: gate.wait(5), 2, threading.Event(), threads=True
    )
    threading.Timer(0.3, gate.set).start()
    next(results)
    assert len(begun) == 3
    assert len(list(results)) == 8 and len(begun) == 9
