"""The limits of a run: what they are where nobody sets them, and when they are reached."""

from __future__ import annotations

import threading
import time

import pytest

from treeline.core.engine.actions import Call, Observation, TokenUse
from treeline.core.engine.budget import Budget, Deadline
from treeline.core.engine.state import State, Step
from treeline.toolkit.errors import InputError


def state(steps: int = 0, tokens: int = 0) -> State:
    step = Step(
        1,
        Call("mean"),
        Observation("result", "1"),
        tokens=TokenUse(input=tokens - tokens // 4, output=tokens // 4),
    )
    blank = Step(1, Call("mean"), Observation("result", "1"))
    made = State("?")
    for _ in range(steps):
        made = made.after(blank)
    return made.after(step) if tokens else made


def test_the_limits_that_are_decided():
    assert Budget() == Budget(steps=60, tokens=400_000, seconds=900.0)


def test_the_use_of_two_replies_is_added_up():
    used = TokenUse(100, 20, 40, replies=1) + TokenUse(10, 2, 4, counted=True, replies=2)
    assert (used.input, used.output, used.cached, used.counted, used.replies) == (110, 22, 44, True, 3)


@pytest.mark.parametrize(
    ("steps", "tokens", "seconds", "limit"),
    [
        (59, 0, 0.0, ""),
        (60, 0, 0.0, "60 steps"),
        (0, 399_999, 0.0, ""),
        (0, 400_000, 0.0, "tokens"),
        (0, 0, 899.9, ""),
        (0, 0, 900.0, "seconds"),
    ],
)
def test_a_limit_is_reached_when_it_is_used_up(steps: int, tokens: int, seconds: float, limit: str):
    spent = Budget().find_spent_limit(state(steps, tokens), seconds)
    if not limit:
        assert spent is None
        return
    assert spent is not None and limit in spent.text and spent.limit == limit.split()[-1]
    # What would help is told: resumed, a run has its seconds again, and no step or token more.
    assert ("Resume" in spent.text) == (limit == "seconds") and ("more" in spent.text) == (limit != "seconds")


def test_no_limit_is_none():
    assert Budget(None, None, None).find_spent_limit(state(3, 10**9), 1e9) is None


def test_more_is_added_to_a_limit_and_not_where_there_is_none():
    raised = Budget(tokens=None).with_more({"steps": 5, "tokens": 10})
    assert raised == Budget(steps=65, tokens=None)


@pytest.mark.parametrize("more", [{"patience": 1}, {"steps": 0}, {"steps": -5}, {"money": float("inf")}])
def test_what_is_no_more_is_refused(more):
    with pytest.raises(InputError, match=r"no limit|are none"):
        Budget().with_more(more)


def test_whoever_waits_for_a_moment_that_has_come_goes_on_at_once():
    class WatchedPolicy(threading.Event):
        waited: tuple[float | None, ...] = ()

        def wait(self, timeout: float | None = None) -> bool:
            self.waited = (*self.waited, timeout)
            return False

    stop = WatchedPolicy()
    assert Deadline(stop, time.monotonic() - 1).wait(5)
    assert not Deadline(stop, time.monotonic() + 900).wait(5)
    assert not Deadline(stop).wait()
    assert stop.waited == (0.0, 5, None)


@pytest.mark.parametrize("limit", [0, -1.0, float("inf"), float("nan")])
def test_limits_under_which_nothing_ends_or_begins_are_refused(limit: float):
    with pytest.raises(InputError, match="seconds"):
        Budget(seconds=limit).check()
    Budget(seconds=0.001, steps=None).check()
