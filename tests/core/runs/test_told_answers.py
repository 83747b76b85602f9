"""False and true answers of a model through the whole engine, half of them by teams."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.core.runs.test_grounded import ASIDE, WAYS
from tests.endpoint import Messages, Say, ScriptedEndpoint, use
from tests.rasters import write_raster
from treeline.core.engine.events import RunFinished
from treeline.core.engine.journal import ending_of
from treeline.core.record.store import Store
from treeline.core.runs.manager import RunManager
from treeline.core.runs.options import RunOptions
from treeline.core.settings import Endpoint
from treeline.core.workspace import Workspace

GREENNESS = {
    "2021-05-03": 0.31,
    "2021-06-10": 0.46,
    "2021-07-12": 0.62,
    "2021-08-20": 0.58,
    "2021-09-25": 0.40,
}
WARMTH = {"2021-05-03": 290.2, "2021-06-10": 301.7, "2021-07-12": 296.4}
NAMES = "".join(f"<Category>{name}</Category>" for name in ("None", "Water", "Forest", "Cropland"))
BAND = f'<PAMRasterBand band="1"><CategoryNames>{NAMES}</CategoryNames></PAMRasterBand>'
LEGEND = f"<PAMDataset>{BAND}</PAMDataset>"

NDVI = [("calc_batch_image_mean", {"file_list": "@ndvi"})]
LST = [("calc_batch_image_mean", {"file_list": "@lst"})]
AREAS = [("area_by_class", {"input_path": "Vale_landcover.tif", "unit": "ha"})]
CLASSES = [
    (
        "statistics_by_class",
        {
            "file_list": ["Vale_2021-07-12_NDVI.tif"],
            "classes_path": "Vale_landcover.tif",
            "statistic": "mean",
        },
    )
]
TREND = [*NDVI, ("mann_kendall_test", {"x": "@result2"})]
BY_CLASS = "Water 0.22, forest 0.77, cropland 0.595."
ON_A_DAY = "What is the mean NDVI on 2021-07-12?"


@pytest.fixture
def manager(tmp_path: Path) -> RunManager:
    """Five NDVI rasters, three of temperature and one of three classes: 4, 12 and 8 ha."""
    folder = tmp_path / "data"
    folder.mkdir()
    classes = np.ones((40, 60), "uint8")
    classes[:, 10:40], classes[:, 40:] = 2, 3
    apart = np.choose(classes, [0.0, -0.4, 0.15, -0.025]).astype("float32")
    for date, value in GREENNESS.items():
        write_raster(folder / f"Vale_{date}_NDVI.tif", (value + apart).astype("float32"))
    for date, value in WARMTH.items():
        write_raster(folder / f"Vale_{date}_LST.tif", (value + apart).astype("float32"))
    write_raster(folder / "Vale_landcover.tif", classes)
    (folder / "Vale_landcover.tif.aux.xml").write_text(LEGEND)
    workspace = Workspace(tmp_path / "workspace", [folder])
    return RunManager(Store(str(tmp_path / "store.sqlite")), lambda name: workspace)


def model(calls, text: str) -> Callable[[Messages], Say]:
    """Return a model that makes calls and answers; it stays with what it said."""
    steps: list[Say] = []
    for number, (tool, arguments) in enumerate(calls):
        known = [name for name, _ in calls[:number]]
        steps += [] if tool in known else [use("doc", tool=tool)]
        steps.append(use("call", tool=tool, arguments=arguments))

    def play(messages: Messages) -> Say:
        if str(messages[0]["content"]).startswith(ASIDE):
            return Say("{}")
        observed = sum(message["role"] == "tool" for message in messages)
        return steps[observed] if observed < len(steps) else use("answer", text=text)

    return play


def ask(manager: RunManager, question: str, calls, text: str, way: str) -> RunFinished:
    with ScriptedEndpoint(model(calls, text)) as server:
        endpoint = Endpoint(server.url, "scripted", "sk-secret-0123456789")
        run = manager.start("w", question, RunOptions(policy="language", **WAYS[way]), endpoint)
        manager.wait(run, 120)
    finished = ending_of(manager.store, run)
    assert finished is not None
    return finished


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("way", "question", "calls", "text"),
    [
        ("solo", ON_A_DAY, NDVI, "It is 0.580."),
        ("evolver", "How large is the forest?", AREAS, "The forest covers 8 ha."),
        ("solo", "Is there a trend in the mean NDVI?", TREND, "Yes, a significant upward trend."),
        ("layered", "What is the mean LST on 2021-07-12?", LST, "296.4 K, the hottest of the three dates."),
        ("solo", "On how many dates is the mean NDVI above 0.45?", NDVI, "On four dates."),
        ("evolver", "What is the mean NDVI by class on 2021-07-12?", CLASSES, "Forest has 0.770."),
        ("solo", ON_A_DAY, NDVI, "0.62. La végétation souffre de la sécheresse."),
        ("layered", "How much cropland is there?", AREAS, "There are 8 acres of cropland."),
        ("solo", "How large is the forest?", AREAS, "Forest is 4 ha larger than water."),
        ("evolver", "How did the mean NDVI develop?", NDVI, "There was a steady rise to 0.40."),
    ],
)
def test_a_false_answer_is_not_shown_as_verified(manager, way: str, question: str, calls, text: str):
    finished = ask(manager, question, calls, text, way)
    apart = finished.answer.unconfirmed if finished.answer else ()
    assert finished.status == "unverified" or apart, finished


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("way", "question", "calls", "text"),
    [
        ("solo", "What is the range of the mean NDVI?", NDVI, "It lies between 0.310 and 0.620."),
        (
            "evolver",
            "Is there a trend in the mean NDVI?",
            TREND,
            "No significant trend (p = 0.81).",
        ),
        ("layered", "How large is the forest?", AREAS, "12 ha, half of the mapped area."),
        ("solo", "What is the mean NDVI by class on 2021-07-12?", CLASSES, BY_CLASS),
        ("evolver", "Which date was the coolest?", LST, "2021-05-03, with 290.2 K."),
        ("layered", ON_A_DAY, NDVI, "NDVI averaged 0.62 that day."),
    ],
)
def test_a_true_answer_is_shown_as_verified(manager, way: str, question: str, calls, text: str):
    finished = ask(manager, question, calls, text, way)
    assert finished.status == "answered" and not finished.answer.unconfirmed, finished.reason
