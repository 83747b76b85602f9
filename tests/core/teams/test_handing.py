"""A collection stays one collection from member to member."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster
from treeline.core.engine.actions import Answer, Call, Observation, ProductRecord
from treeline.core.engine.events import RunFinished
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State, Step
from treeline.core.teams.crew import Outcome
from treeline.core.teams.dispatch import equip, equip_planner
from treeline.core.teams.handing import apply_handover
from treeline.core.teams.joining import data_handed_to
from treeline.core.teams.model import HandedLayer, Member, SubGoal
from treeline.core.workspace import Workspace

DATES = [f"2021-{month:02d}-05" for month in range(1, 13)]


@pytest.fixture
def inputs_of_member(tmp_path: Path) -> RunData:
    """Twelve NDVI inputs, and as many that another member made, under names that say nothing."""
    inputs, made = tmp_path / "data", tmp_path / "run" / "1-clear-1"
    inputs.mkdir()
    made.mkdir(parents=True)
    for number, date in enumerate(DATES):
        write_raster(inputs / f"Lake_{date}_NDVI.tif", np.full((4, 5), number / 20, "float32"))
        write_raster(made / f"out_{number}.tif", np.full((4, 5), number / 10, "float32"))
    layer = HandedLayer(
        "ndvi", tuple(str(made / f"out_{n}.tif") for n in range(12)), tuple(DATES), "Lake", "1"
    )
    member = Member("executor", SubGoal("answer", "Measure it."), handed=(layer,))
    return apply_handover(RunData(Workspace(tmp_path / "ws", [inputs, made]), "run"), member)


def test_what_is_handed_over_keeps_its_dates_role_and_place(inputs_of_member: RunData):
    assert set(inputs_of_member.collections) == {"@ndvi", "@ndvi-made"}
    made = inputs_of_member.collections["@ndvi-made"]
    assert (made.role, made.place, len(made.members)) == ("ndvi", "Lake", 12)
    assert [member.date_text for member in made.members] == DATES
    assert inputs_of_member.select("@ndvi-made[2021-03]").addresses == ["out_2.tif"]
    assert inputs_of_member.select("@ndvi").addresses[0] == f"Lake_{DATES[0]}_NDVI.tif"


def test_its_dates_stand_beside_the_numbers(inputs_of_member: RunData):
    description, _ = inputs_of_member.resolver.describe("out_2.tif")
    assert description.date is not None and f"{description.date:%Y-%m-%d}" == DATES[2]


def test_the_catalogue_tells_two_collections_in_a_line(inputs_of_member: RunData):
    told = (
        "@ndvi @ndvi-made; 12 rasters; 2021-01-05 to 2021-12-05; 5 x 4 pixels of 10 x 10 m (EPSG:32633); Lake"
    )
    assert inputs_of_member.catalogue() == told


def test_what_two_members_made_of_the_same_dates_are_two_collections_in_their_order(tmp_path: Path):
    """And what else lies in their folders is no raster of the workspace."""
    inputs, clear, high = tmp_path / "data", tmp_path / "run" / "1-clear-1", tmp_path / "run" / "1-high-1"
    for folder in (inputs, clear, high):
        folder.mkdir(parents=True)
    for date in DATES:
        write_raster(inputs / f"Lake_{date}_NDVI.tif", np.full((4, 5), 0.1, "float32"))
        for folder in (clear, high):
            write_raster(folder / f"{folder.name}_{date}.tif", np.full((4, 5), 0.2, "float32"))
        write_raster(high / f"left_{date}.tif", np.full((4, 5), 0.3, "float32"))
    handed = tuple(
        HandedLayer(
            "ndvi", tuple(str(folder / f"{folder.name}_{d}.tif") for d in DATES), tuple(DATES), "Lake", "1"
        )
        for folder in (clear, high)
    )
    member = Member("executor", SubGoal("answer", "Measure it."), handed=handed)
    data = apply_handover(RunData(Workspace(tmp_path / "ws", [inputs, clear, high]), "run"), member)
    assert list(data.collections) == ["@ndvi", "@ndvi-made", "@ndvi-made-2"]
    assert data.select("@ndvi-made[2021-03]").addresses == ["1-clear-1_2021-03-05.tif"]
    assert data.select("@ndvi-made-2[2021-03]").addresses == ["1-high-1_2021-03-05.tif"]
    made = [
        ProductRecord(path, path, "ndvi", "1") for path in (*handed[1].addresses[:1], str(high / "left.tif"))
    ]
    assert [data.is_handed(product) for product in made] == [True, False]


def test_a_member_that_was_handed_nothing_has_the_workspace_as_it_is(tmp_path: Path):
    write_raster(tmp_path / "Lake_2021-01-05_NDVI.tif", np.full((4, 5), 0.5, "float32"))
    data = RunData(Workspace(tmp_path / "ws", [tmp_path]), "run")
    assert apply_handover(data, Member("executor", SubGoal("answer", "Measure it."))) is data


def test_a_language_model_alone_finds_what_it_was_handed_in_its_workspace(tmp_path: Path):
    inputs, made = tmp_path / "data", tmp_path / "made"
    for folder, name in ((inputs, "Lake_2021-01-05_NDVI.tif"), (made, "out.tif")):
        folder.mkdir()
        write_raster(folder / name, np.full((4, 5), 0.5, "float32"))
    layer = HandedLayer("ndvi", (str(made / "out.tif"),), ("2021-01-05",), "Lake", "1")
    member = Member("executor", SubGoal("answer", "Measure it."), handed=(layer,)).to_json()

    def roles(policy: str) -> list[str | None]:
        data = RunData(Workspace(tmp_path / policy, [inputs, made]), "run")
        found = data_handed_to(data, policy, member).workspace.rasters
        return [raster.bands[0].role for raster in found if raster.path.name == "out.tif"]

    assert roles("language") == ["ndvi"]
    assert roles("planner") == [None]


def _maker(tmp_path: Path, name: str, made: dict[str, list[str]], said: str) -> Outcome:
    """Return a member that wrote NDVI of some dates under each handle, and said something of it."""
    folder = tmp_path / "run" / name
    folder.mkdir(parents=True)
    products = []
    for handle, dates in made.items():
        for date in dates:
            path = folder / f"{name}{handle.replace('@', '_')}_{date}.tif"
            write_raster(path, np.full((4, 5), 0.2, "float32"))
            products.append(ProductRecord(path.name, str(path), "ndvi", "1", handle, date=date, place="Lake"))
    state = State("Make NDVI.").after(
        Step(1, Call("keep_where"), Observation("result", "Done.", products=tuple(products)))
    )
    member = Member("executor", SubGoal(name, "Make NDVI.", "prepare"))
    return Outcome(name, member, RunFinished("answered", Answer(said)), state, folder)


def test_what_a_member_had_as_several_collections_stays_several_under_the_handles_that_it_names(tmp_path):
    inputs = tmp_path / "data"
    inputs.mkdir()
    write_raster(inputs / "Lake_2021-01-05_NDVI.tif", np.full((4, 5), 0.1, "float32"))
    first = _maker(
        tmp_path, "1-clear-1", {"@ndvi-made": DATES[:2], "@ndvi-made-2": DATES}, "@ndvi-made-2 has all dates."
    )
    second = _maker(tmp_path, "1-high-1", {"@ndvi-made-2": DATES[:3]}, "@ndvi-made-2 has the high ones.")
    member = equip(Member("executor", SubGoal("answer", "Measure it.")), [first, second])
    workspace = Workspace(tmp_path / "ws", [inputs, first.folder, second.folder])
    data = apply_handover(RunData(workspace, "run"), member)
    counts = {handle: len(each.members) for handle, each in data.collections.items()}
    assert counts == {"@ndvi": 1, "@ndvi-made": 2, "@ndvi-made-2": 12, "@ndvi-made-2-2": 3}
    told = member.context["products"].splitlines()
    assert told[0].endswith("@ndvi-made-2 has all dates. @ndvi-made: 2 x ndvi, @ndvi-made-2: 12 x ndvi")
    assert told[1].endswith("@ndvi-made-2-2 has the high ones. @ndvi-made-2-2: 3 x ndvi")


def test_the_planner_takes_what_a_member_made_of_a_role_as_one_layer(tmp_path: Path):
    made = _maker(tmp_path, "1-clear-1", {"@ndvi-made": DATES[:2], "@ndvi-made-2": DATES[2:]}, "Done.")
    (layer,) = equip_planner(Member("executor", SubGoal("answer", "Measure it.")), [made]).handed
    assert len(layer.addresses) == 12
