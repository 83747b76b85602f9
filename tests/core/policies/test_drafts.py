"""What a model is writing is seen while it comes, and gone once it is a step or was cut."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.endpoint import Drop, Say, ScriptedEndpoint, use
from tests.rasters import write_raster
from treeline.core.engine.events import Draft, StepStarted
from treeline.core.engine.journal import events_of, recorded_draft
from treeline.core.model_settings import ModelSettings
from treeline.core.policies.language.drafting import SeldomTeller
from treeline.core.policies.language.gathering import PartialMessage
from treeline.core.policies.language.responses import _Pieces
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.settings import Endpoint
from treeline.core.workspace import Workspace

DECLINES = use("answer", text="There is no elevation here.", declined=True, thought="I look at the data.")


@pytest.fixture
def manager(tmp_path: Path) -> RunManager:
    (tmp_path / "data").mkdir()
    write_raster(tmp_path / "data" / "Lake_2021-07-12_NDVI.tif", np.full((4, 4), 0.5, "float32"))
    workspace = Workspace(tmp_path / "workspace", [tmp_path / "data"])
    return RunManager(Store(str(tmp_path / "store.sqlite")), lambda name: workspace)


class _Watch:
    """Holds a stream back until its draft was seen."""

    def __init__(self) -> None:
        self.begun, self.seen = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.begun.set()
        assert self.seen.wait(30)


@pytest.mark.parametrize("form", ["chat", "responses"])
def test_thoughts_and_half_written_calls_are_seen_before_they_are_a_step(manager: RunManager, form: str):
    watch = _Watch()
    reply = Say(DECLINES.text, finish_reason="tool_calls", calls=DECLINES.calls, pause=watch)
    with ScriptedEndpoint([reply]) as server:
        endpoint = Endpoint(server.url, "m", "sk-1", settings=ModelSettings(form=form))
        run = manager.start("w", "How high is it?", RunOptions(policy="language"), endpoint)
        assert watch.begun.wait(30)
        draft = _wait_for_draft(manager, run)
        assert not any(isinstance(stored.event, StepStarted) for stored in events_of(manager.store, run))
        watch.seen.set()
        manager.wait(run, 30)
    assert draft.thought in DECLINES.text or draft.calls[0].startswith("answer {")
    assert recorded_draft(manager.store, run) is None
    assert manager.record(run).status == "declined"


def _wait_for_draft(manager: RunManager, run: str) -> Draft:
    for _ in range(600):
        if (draft := recorded_draft(manager.store, run)) is not None:
            return draft
        threading.Event().wait(0.02)
    raise AssertionError("nothing was seen of the message")


def test_what_was_cut_is_gone_and_the_message_asked_for_again(manager: RunManager):
    with ScriptedEndpoint([Drop(), DECLINES]) as server:
        run = manager.start(
            "w", "How high is it?", RunOptions(policy="language"), Endpoint(server.url, "m", "k")
        )
        manager.wait(run, 30)
    assert recorded_draft(manager.store, run) is None
    assert sum(isinstance(stored.event, StepStarted) for stored in events_of(manager.store, run)) == 1


def test_a_draft_is_told_seldom():
    told: list[Draft] = []
    tell = SeldomTeller(told.append, interval=3600)
    tell(Draft())
    for length in range(1, 100):
        tell(Draft("x" * 100 * length))
    assert len(told) == 1


def test_of_a_long_message_the_end_is_drafted_and_one_without_an_end_is_given_up():
    chat, responses = PartialMessage(), _Pieces()
    piece = "so it is, " * 1_000
    for _ in range(40):
        chat.add_message(SimpleNamespace(content="", reasoning_content=piece))
        responses.add(SimpleNamespace(type="response.output_text.delta", delta=piece))
    for gathered in (chat, responses):
        thought = gathered.draft().thought
        assert thought.endswith("so it is,") and len(thought) < len(piece)
    with pytest.raises(ConnectionError, match="no end"):
        chat.add_message(SimpleNamespace(content="", reasoning_content=piece))
    with pytest.raises(ConnectionError, match="no end"):
        responses.add(SimpleNamespace(type="response.output_text.delta", delta=piece))


def test_what_waits_is_told_once_it_is_due_though_nothing_more_comes():
    told: list[Draft] = []
    tell = SeldomTeller(told.append, interval=0.0)
    tell.tell_due()
    assert told == []
    slow = SeldomTeller(told.append, interval=3600)
    slow(Draft("I"))
    slow(Draft("I would"))
    slow.tell_due()
    assert [draft.thought for draft in told] == ["I"]
    slow._interval = 0.0
    slow.tell_due()
    slow.tell_due()
    assert [draft.thought for draft in told] == ["I", "I would"]
