"""Every tool has a second oracle, and agrees with it on random scenes."""

from __future__ import annotations

import zlib

import pytest

from tests.toolkit.oracles import table
from tests.toolkit.oracles.registry import ORACLES
from tests.toolkit.oracles.scenes import PLACES, RandomScene
from treeline.toolkit import registry

# Neighbouring seeds change the place, those further apart size, type and layout.
QUICK, LONG = 1, 26
TOOLS = sorted(ORACLES)


def seed_of(tool: str, number: int) -> int:
    return zlib.crc32(tool.encode()) % 1000 + 7 * number


def test_every_tool_has_an_oracle_and_every_oracle_a_tool():
    tools = {tool.name for tool in registry() if tool.functions.modules["science"].startswith("treeline.")}
    assert tools - set(ORACLES) == set(), "write an oracle in tests/toolkit/oracles"
    assert set(ORACLES) - tools == set()


def test_the_table_is_fresh():
    assert table.README.read_text("utf-8") == table.text(), "run python -m tests.toolkit.oracles"


def test_scenes_of_all_tools_lie_everywhere():
    places = {seed_of(tool, number) % len(PLACES) for tool in TOOLS for number in range(QUICK)}
    assert len(places) == len(PLACES)


@pytest.mark.parametrize("number", range(QUICK))
@pytest.mark.parametrize("tool", TOOLS)
def test_tool_agrees_with_its_oracle(tool, number, tmp_path):
    ORACLES[tool].check(RandomScene(tmp_path, seed_of(tool, number)))


@pytest.mark.soak
@pytest.mark.parametrize("tool", TOOLS)
def test_tool_agrees_with_its_oracle_in_many_scenes(tool, tmp_path):
    for number in range(QUICK, LONG):
        folder = tmp_path / str(number)
        folder.mkdir()
        ORACLES[tool].check(RandomScene(folder, seed_of(tool, number)))
