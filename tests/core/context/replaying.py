"""Twelve questions on small rasters, worked on by a model that is played: sensible, and without a memory.

It reads the documents it needs, makes every call that is ready in one message, and answers once all results
stand in what it is sent. What it is no longer sent it calls again. ``python -m
tests.core.context.replaying [SLOVENIA]`` prints turns, tokens by part and wasted turns.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tests.endpoint import Messages, Say, ScriptedEndpoint, use
from tests.rasters import write_raster
from treeline.core.context.ledger import ledger_of
from treeline.core.context.open_tools import OPEN_TOOLS
from treeline.core.engine.events import RunFinished
from treeline.core.engine.journal import events_of
from treeline.core.engine.state import state_of
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.settings import Endpoint
from treeline.core.workspace import Workspace

DATES = [f"{year}-{month:02d}-05" for year in (2020, 2021) for month in range(1, 13)]
MEANS, CLASSES, AREAS = "calc_batch_image_mean", "statistics_by_class", "area_by_class"
SHARE, TREND, ZONES = "calculate_threshold_ratio", "compute_linear_trend", "zonal_statistics"
_CLASSES = 8
_LONGEST = 60
_DIGITS = 6  # of a number, by which it is known again

Results = Mapping[str, Any]


@dataclass(frozen=True)
class Need:
    """A call that a question needs; its arguments may depend on results of others, by their keys."""

    key: str
    tool: str
    arguments: Callable[[Results], dict[str, Any]]
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A question, the calls that it needs, and the number that answers it; ``text`` tells it in full.

    Without a text it is told as it is, with its unit.
    """

    question: str
    needs: tuple[Need, ...]
    value: Callable[[Results], float]
    unit: str = ""
    text: Callable[[Results], str] | None = None


def write_place(folder: Path) -> Path:
    """Write two years of NDVI, classes and zones."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(5)
    classes = np.repeat(np.arange(1, _CLASSES + 1), 12).reshape(8, 12)
    for number, date in enumerate(DATES):
        season = 0.3 * np.sin(number / 12 * 2 * np.pi) + 0.4 + number / 200
        values = season + classes / 40 + rng.uniform(-0.02, 0.02, classes.shape)
        write_raster(folder / f"Lake_{date}_NDVI.tif", values.astype("float32"))
    write_raster(folder / "Lake_LULC.tif", classes.astype("uint8"))
    return folder


def _means(key: str, period: str = "") -> Need:
    handle = f"@ndvi[{period}]" if period else "@ndvi"
    return Need(key, MEANS, lambda results: {"file_list": handle})


def _by_class(key: str, period: str) -> Need:
    arguments = {"file_list": f"@ndvi[{period}]", "classes_path": "Lake_LULC.tif"}
    return Need(key, CLASSES, lambda results: dict(arguments))


def of_class(table: Any, number: int) -> float:
    """Return the mean of a class of the first raster."""
    return float(table[0][str(number)])


def difference(key: str, first: str, second: str, tool: str = "difference") -> Need:
    return Need(key, tool, lambda r: {"a": number(r[first]), "b": number(r[second])}, (first, second))


def number(value: Any) -> float:
    return float(value[0] if isinstance(value, list) else value)


QUESTIONS = (
    Question("What is the mean NDVI of June 2020?", (_means("a", "2020-06"),), lambda r: number(r["a"])),
    Question("What is the highest mean NDVI of all dates?", (_means("a"),), lambda r: max(r["a"])),
    Question(
        "By how much do the mean NDVI of June 2020 and of June 2021 differ?",
        (_means("a", "2020-06"), _means("b", "2021-06"), difference("c", "a", "b")),
        lambda r: number(r["c"]),
    ),
    Question(
        "By how much does the mean NDVI change from January 2020 to January 2021, in per cent?",
        (
            _means("a", "2020-01"),
            _means("b", "2021-01"),
            difference("c", "a", "b", "percentage_change"),
        ),
        lambda r: r["c"],
        "%",
    ),
    Question(
        "What is the mean NDVI of class 3 in June 2020?",
        (_by_class("a", "2020-06"),),
        lambda r: of_class(r["a"], 3),
    ),
    Question(
        "How far apart are the mean NDVI of class 1 and class 8 in June 2020?",
        (
            _by_class("a", "2020-06"),
            Need("b", "difference", lambda r: {"a": of_class(r["a"], 1), "b": of_class(r["a"], 8)}, ("a",)),
        ),
        lambda r: r["b"],
    ),
    Question(
        "How large a share has an NDVI above 0.5 in July 2021?",
        (Need("a", SHARE, lambda r: {"image_paths": "Lake_2021-07-05_NDVI.tif", "threshold": 0.5}),),
        lambda r: r["a"],
        "%",
    ),
    Question(
        "What is the slope of the mean NDVI over all dates?",
        (_means("a"), Need("b", TREND, lambda r: {"y": r["a"]}, ("a",))),
        lambda r: slope(r["b"]),
    ),
    Question(
        "By how much does the mean of the monthly NDVI of 2020 differ from that of 2021?",
        (
            _means("a", "2020"),
            _means("b", "2021"),
            Need("c", "mean", lambda r: {"x": r["a"]}, ("a",)),
            Need("d", "mean", lambda r: {"x": r["b"]}, ("b",)),
            difference("e", "c", "d"),
        ),
        lambda r: r["e"],
    ),
    Question(
        "How far apart are the mean NDVI of class 2 in January 2020 and in December 2021?",
        (
            *(_by_class(f"m{n}", date[:7]) for n, date in enumerate(DATES)),
            Need(
                "z",
                "difference",
                lambda r: {"a": of_class(r["m0"], 2), "b": of_class(r["m23"], 2)},
                ("m0", "m23"),
            ),
        ),
        lambda r: r["z"],
    ),
    Question(
        "How far apart are the highest and the lowest mean NDVI of class 5 in 2020?",
        (
            *(_by_class(f"m{n}", date[:7]) for n, date in enumerate(DATES[:12])),
            Need(
                "z",
                "difference",
                lambda r: _extremes([of_class(r[f"m{n}"], 5) for n in range(12)]),
                tuple(f"m{n}" for n in range(12)),
            ),
        ),
        lambda r: r["z"],
    ),
    Question(
        "What is the mean of the three highest mean NDVI of all dates?",
        (_means("a"), Need("b", "mean", lambda r: {"x": sorted(r["a"])[-3:]}, ("a",))),
        lambda r: r["b"],
    ),
)


def _extremes(values: Sequence[float]) -> dict[str, float]:
    return {"a": min(values), "b": max(values)}


def slope(table: Any) -> float:
    return float(table["slope"] if isinstance(table, dict) else table[0])


@dataclass
class Analyst:
    """Plays a model that sees no more than it is sent.

    Attributes
    ----------
    truth : dict
        What each call gave, as the record has it: what the model would read off its results.
    again : int
        Calls that were made again because their result was no longer sent.
    opened : set of str
        Tools whose documents were asked for.
    """

    asked: Question
    record: Callable[[], list[tuple[str, dict[str, Any], Any, str]]]
    turns: int = 0
    again: int = 0
    made: set[str] = field(default_factory=set)
    opened: set[str] = field(default_factory=set)

    def __call__(self, messages: Messages) -> Say:
        self.turns += 1
        text = "\n".join(str(message.get("content")) for message in messages)
        results, read = self._visible(text)
        ready = [n for n in self.asked.needs if n.key not in results and set(n.after) <= results.keys()]
        self.again += sum(need.key in self.made for need in ready)
        documents = dict.fromkeys(n.tool for n in self.asked.needs if n.tool not in read)
        if documents:
            self.opened |= documents.keys()
            return self._say([("doc", {"tool": name}) for name in documents])
        if ready:
            return self._say([("call", {"tool": n.tool, "arguments": n.arguments(results)}) for n in ready])
        value = self.asked.value(results)
        unit = f" {self.asked.unit}" if self.asked.unit else ""
        told = self.asked.text(results) if self.asked.text else f"It is {value:.4f}{unit}."
        return use("answer", text=told, value=round(value, 4))

    def _say(self, functions: list[tuple[str, dict[str, Any]]]) -> Say:
        calls = tuple((name, json.dumps(arguments)) for name, arguments in functions)
        return Say("Next.", finish_reason="tool_calls", calls=calls)

    def _visible(self, text: str) -> tuple[dict[str, Any], set[str]]:
        """Return the results whose numbers stand in what was sent, and the tools whose document does."""
        known = list(self.record())
        results: dict[str, Any] = {}
        for need in self.asked.needs:
            if not set(need.after) <= results.keys():
                continue
            wanted = need.arguments(results)
            for tool, arguments, value, shown in known:
                if tool == need.tool and arguments == wanted:
                    self.made.add(need.key)
                    if all(number[:_DIGITS] in text for number in re.findall(r"\d+\.\d{3,}", shown)):
                        results[need.key] = value
        # A brief makes no tool callable; what was opened once stays so when its document is folded.
        read = {n.tool for n in self.asked.needs if re.search(rf"\b{n.tool}\(", text)}
        read |= self.opened | set(OPEN_TOOLS)
        return results, read


@dataclass(frozen=True)
class ReplayCosts:
    """What a question took."""

    question: str
    status: str
    turns: int
    steps: int
    again: int
    tokens: int
    cached: int
    parts: dict[str, int]


def replay(
    folder: Path,
    window: int | None = None,
    questions: Sequence[Question] = QUESTIONS,
    place: Path | None = None,
) -> Iterator[ReplayCosts]:
    """Yield what each question takes on a place; without one it is written into the folder."""
    place = place or write_place(folder / "data")
    workspace = Workspace(folder / "workspace", [place])
    for number, asked in enumerate(questions):
        manager = RunManager(Store(str(folder / f"store{number}.sqlite")), lambda name: workspace)
        yield _replay(manager, asked, window)


def _replay(manager: RunManager, asked: Question, window: int | None) -> ReplayCosts:
    run = ""

    def record() -> list[tuple[str, dict[str, Any], Any, str]]:
        state = state_of(stored.event for stored in events_of(manager.store, run)) if run else None
        calls = state.calls if state else ()
        return [
            (s.action.tool, s.action.arguments, s.observation.value, s.observation.text)
            for s in calls
            if s.observation.kind == "result"
        ]

    analyst = Analyst(asked, record)
    with ScriptedEndpoint(analyst) as server:
        endpoint = Endpoint(server.url, "played", "sk-secret-0123456789", **_settings(window))
        run = manager.create("w", asked.question, RunOptions(policy="language"), endpoint=endpoint)
        finished = manager.work(run, endpoint)
    state = state_of(stored.event for stored in events_of(manager.store, run))
    assert isinstance(finished, RunFinished)
    ledger = ledger_of(state)
    total = sum(turn.total for turn in ledger.turns)
    cached = sum(turn.repeated for turn in ledger.turns)
    return ReplayCosts(
        asked.question,
        f"{finished.status} {finished.reason}".strip(),
        analyst.turns,
        len(state.steps),
        analyst.again,
        total,
        cached,
        ledger.parts(),
    )


def _settings(window: int | None) -> dict[str, Any]:
    if window is None:
        return {}
    from treeline.core.model_settings import ModelSettings

    return {"settings": ModelSettings(window=window)}


def main() -> None:
    """Print what the questions took: those of the small place, and those of Slovenia where it is given."""
    with tempfile.TemporaryDirectory() as folder:
        print_rows(replay(Path(folder)))
    if len(sys.argv) > 1:
        from tests.core.context.slovenian import SLOVENIAN

        with tempfile.TemporaryDirectory() as folder:
            print_rows(replay(Path(folder), None, SLOVENIAN, Path(sys.argv[1])))


def print_rows(found: Iterable[ReplayCosts]) -> None:
    """Print what each question took, and what they took together."""
    rows = list(found)
    for row in rows:
        print(
            f"{row.question[:_LONGEST]:60s} {row.turns:3d} turns {row.steps:3d} steps {row.again:3d} again "
            f"{row.tokens:8,d} tokens {row.cached:8,d} cached  {row.status}"
        )
    parts: dict[str, int] = {}
    for row in rows:
        for part, tokens in row.parts.items():
            parts[part] = parts.get(part, 0) + tokens
    turns, again = sum(row.turns for row in rows), sum(row.again for row in rows)
    tokens, cached = sum(row.tokens for row in rows), sum(row.cached for row in rows)
    print(f"{turns} turns, {again} calls again, {tokens:,d} tokens, {cached:,d} of them cached; {parts}")


if __name__ == "__main__":
    main()
