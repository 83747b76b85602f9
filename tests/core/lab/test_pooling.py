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
