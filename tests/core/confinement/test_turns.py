"""Turns: who holds the fewest places comes first, and nobody holds all of them."""

from __future__ import annotations

import threading
import time

from treeline.core.confinement.turns import Turns


def test_who_asks_for_all_leaves_one_place_to_others():
    turns, ended, held = Turns(3, 2), threading.Event(), threading.Semaphore(0)

    def hold() -> None:
        with turns.take("ann"):
            held.release()
            ended.wait(30)

    holding = [threading.Thread(target=hold) for _ in range(20)]
    for thread in holding:
        thread.start()
    assert held.acquire(timeout=10) and held.acquire(timeout=10)
    assert not held.acquire(timeout=0.2), "a third of hers"
    with turns.take("bob"):
        pass
    ended.set()
    for thread in holding:
        thread.join(30)
    assert all(held.acquire(timeout=10) for _ in range(18)), "all had their turn"


def test_who_holds_fewer_comes_before_who_waits_longer():
    turns, order = Turns(2, 2), []

    def hold(who: str) -> None:
        with turns.take(who):
            order.append(who)

    with turns.take("ann"):
        with turns.take("bob"):
            waiting = []
            for who in ("ann", "ann", "eva"):
                waiting.append(threading.Thread(target=hold, args=(who,)))
                waiting[-1].start()
                time.sleep(0.1)
            assert order == []
        for thread in waiting:
            thread.join(10)
    assert order == ["eva", "ann", "ann"]


def test_a_place_comes_back_after_an_error():
    turns = Turns(1, 1)
    for _ in range(3):
        try:
            with turns.take("ann"):
                raise KeyError
        except KeyError:
            pass
    with turns.take("bob"):
        pass
