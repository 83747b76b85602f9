"""What the planner takes from a task card."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.context.cards import told_card
from treeline.core.engine.actions import Call
from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of
from treeline.core.engine.state import state_of
from treeline.core.policies.planner.advice import Advice, Circumstances, advice_of, pitfalls_met
from treeline.core.policies.planner.findings import Finding
from treeline.core.policies.planner.intent import Intent, Subject
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.workspace import Workspace
from treeline.knowledge import CardError, CardLibrary, TaskCard, built_in_cards
from treeline.knowledge.card import chain_and_pitfalls

QUESTION = "What is the mean land surface temperature of each date?"
CHAINS = {"one": "lst_single_channel", "two": "lst_multi_channel"}


@pytest.mark.parametrize("card", built_in_cards(), ids=lambda card: card.id)
def test_guidance_tells_the_chain_and_the_pitfalls(card: TaskCard) -> None:
    assert chain_and_pitfalls(card.guidance) == (card.tools, card.pitfalls)
    assert advice_of({"cards": card.guidance}) == Advice(card.tools, card.pitfalls)


@pytest.mark.parametrize("text", ["", "No card.", "Pitfalls:", "Typical tools: a > b"])
def test_another_text_advises_nothing(text: str) -> None:
    assert advice_of({"cards": text}) == Advice() and advice_of({}) == Advice()


def circumstances(
    role: str = "ndvi", operation: str = "series", cloudy: bool = False, **facts: object
) -> Circumstances:
    intent = Intent(subjects=(Subject(role),), operation=operation)
    return Circumstances(intent, Finding(1.0, "1", facts=facts), cloudy)


@pytest.mark.parametrize(
    ("pitfall", "met", "not_met"),
    [
        (
            "Clouds and snow lower NDVI; the minimum of a series is usually a cloud.",
            circumstances(cloudy=True), circumstances(),
        ),
        (
            "Brightness temperature is not surface temperature; the correction is about 2 K.",
            circumstances("bt10"), circumstances("lst"),
        ),
        (
            "With fewer than eight values Mann-Kendall has hardly any power; p = 0.1 proves nothing.",
            circumstances(operation="trend", dates=5), circumstances(operation="trend", dates=30),
        ),
        (
            "A trend through daily images is dominated by the season; aggregate to whole years first.",
            circumstances(operation="trend", dates=30), circumstances(),
        ),
    ],
)  # fmt: skip
def test_a_pitfall_is_told_where_it_is_met_and_only_there(
    pitfall: str, met: Circumstances, not_met: Circumstances
) -> None:
    advice = Advice((), (pitfall, "Nodata is not zero."))
    assert pitfalls_met(advice, met) == [f"{pitfall.split(';')[0]}."]
    assert pitfalls_met(advice, not_met) == []


def test_what_is_told_of_built_in_pitfalls_has_no_numbers_of_its_own() -> None:
    """A number in an answer must come from a step."""
    everything = [
        circumstances("bt10", "trend", True, dates=3), circumstances("lst", "trend", True, dates=3)
    ]  # fmt: skip
    told = [
        text for card in built_in_cards() for at in everything
        for text in pitfalls_met(advice_of({"cards": card.guidance}), at)
    ]  # fmt: skip
    assert told and not any(character.isdigit() for text in told for character in text)


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunManager:
    """Two thermal bands, red and near infrared: two tools give a surface temperature."""
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    for date in ("2021-06-03", "2021-07-05"):
        ramp = np.linspace(0.0, 1.0, 400, dtype="float32").reshape(20, 20)
        for name, values in (
            ("bt31", 300 + ramp),
            ("bt32", 299 + ramp),
            ("red", 0.1 + 0.1 * ramp),
            ("nir", 0.3 + 0.2 * ramp),
        ):
            write_raster(inputs / f"{name}_{date}.tif", values, descriptions=[name])
    library = CardLibrary(tmp_path / "home" / "cards")
    known = library.get("lst_single_channel")
    for name, tool in CHAINS.items():
        library.save(known.model_copy(update={"id": f"lst_{name}", "tools": (tool, "calc_batch_image_mean")}))
    workspace = Workspace(tmp_path / "workspace", [inputs])
    return RunManager(Store(str(tmp_path / "store.sqlite")), lambda name: workspace)


def run(manager: RunManager, card: str) -> tuple[str, list[str], list[str]]:
    """Return the status, the tools called and the cards told."""
    started = manager.create("here", QUESTION, RunOptions(card=card))
    finished = manager.work(started)
    events = [stored.event for stored in events_of(manager.store, started)]
    called = [step.action.tool for step in state_of(events).steps if isinstance(step.action, Call)]
    cards = [told["id"] for event in events if isinstance(event, Note) and (told := told_card(event))]
    return finished.status, called, cards


@pytest.mark.parametrize("name", CHAINS)
def test_among_tools_that_would_do_the_card_decides(manager: RunManager, name: str) -> None:
    status, called, cards = run(manager, f"lst_{name}")
    assert status == "answered" and cards == [f"lst_{name}"]
    assert CHAINS[name] in called
    assert not set(CHAINS.values()) - {CHAINS[name]} & set(called)


def test_without_a_card_nothing_is_told(manager: RunManager) -> None:
    status, _, cards = run(manager, "none")
    assert status == "answered" and cards == []


def test_a_card_that_is_not_there_is_refused_before_anything_is_recorded(manager: RunManager) -> None:
    with pytest.raises(CardError, match="lst_three") as caught:
        manager.create("here", QUESTION, RunOptions(card="lst_three"))
    assert "lst_" in caught.value.hint and manager.store.runs() == []


def test_without_an_embedder_the_run_goes_on_and_says_so(
    manager: RunManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREELINE_EMBEDDER", "magic")
    started = manager.create("here", QUESTION, RunOptions())
    assert manager.work(started).status == "answered"
    notes = [
        stored.event.text for stored in events_of(manager.store, started) if isinstance(stored.event, Note)
    ]
    assert any("No card was looked for" in text for text in notes)
