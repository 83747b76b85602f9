"""What becomes of a member that works in a process of its own."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from treeline.core.engine.state import State
from treeline.core.teams.crew import Crew
from treeline.core.teams.model import Member, SubGoal


@pytest.mark.parametrize(
    ("code", "ended", "before", "lost", "told"),
    [
        (None, False, 0, 0, None),  # it worked here
        (0, True, 0, 0, None),
        (-9, True, 0, 0, None),  # it was killed after its end
        (-9, False, 0, 1, "taken up again"),
        (-9, False, 2, 1, "given up"),
    ],
)
def test_a_process_that_dies_without_an_end_is_lost(
    monkeypatch: pytest.MonkeyPatch, code: int | None, ended: bool, before: int, lost: int, told: str | None
):
    crew = Crew.__new__(Crew)
    said: list[str] = []
    states: list[str] = []
    crew.team = SimpleNamespace(work_apart=lambda run, begin: code)
    crew.options = SimpleNamespace(retries=2)
    crew.stop = threading.Event()
    crew.store = SimpleNamespace(set_status=lambda run, status: states.append(status))
    monkeypatch.setattr(crew, "tell", lambda kind, text, **facts: said.append(text), raising=False)
    monkeypatch.setattr(crew, "_ending_of", lambda run: "its end" if ended else None, raising=False)
    member = Member("executor", SubGoal("1", "Make it."), 1)
    assert crew._work_apart("run", member, before) == lost
    assert [told in text for text in said] == ([True] if told else [])
    assert states == ["interrupted"] * lost


def test_jobs_are_done_at_the_same_time_and_given_in_order():
    crew = Crew.__new__(Crew)
    crew.run = "run"
    meeting = threading.Barrier(2, timeout=10)  # the first waits for the second
    jobs = [lambda: (meeting.wait(), "first")[1], lambda: (meeting.wait(), "second")[1]]
    assert crew.work_all(jobs) == ["first", "second"]


@pytest.mark.parametrize(("retries", "processes"), [(0, 1), (2, 3)])
def test_a_member_whose_processes_die_fails_after_as_many_retries_as_are_allowed(
    monkeypatch: pytest.MonkeyPatch, retries: int, processes: int
):
    crew = Crew.__new__(Crew)
    begun: list[str] = []
    states: list[str] = []
    crew.team = SimpleNamespace(may_part=True)
    crew.options = SimpleNamespace(retries=retries)
    crew.stop = threading.Event()
    crew.folder = Path("team")
    crew.store = SimpleNamespace(set_status=lambda run, status: states.append(status))
    monkeypatch.setattr(crew, "_hire", lambda member: "run", raising=False)
    monkeypatch.setattr(crew, "_ending_of", lambda run: None, raising=False)
    monkeypatch.setattr(crew, "_work_apart", lambda run, *_: begun.append(run) or 1, raising=False)
    monkeypatch.setattr(crew, "tell", lambda *_, **__: None, raising=False)
    monkeypatch.setattr("treeline.core.teams.crew.recorded_state", lambda *_: State("?"))
    outcome = crew.work(Member("executor", SubGoal("1", "Make it.")), apart=True)
    assert (outcome.finished.status, outcome.lost) == ("failed", processes)
    assert len(begun) == processes and states == ["interrupted"]
