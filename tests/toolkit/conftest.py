"""Places where tools run. The registry is filled in its own order, whatever a test module imports first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rasters import PlainResolver
from tests.vectors import VectorWorkplace
from tests.workplace import Workplace
from treeline.toolkit import registry
from treeline.toolkit.context import ToolContext

registry()


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    """A folder of small rasters, and tools that run in it."""
    return Workplace(tmp_path)


@pytest.fixture
def place(tmp_path: Path) -> VectorWorkplace:
    """The same with vector files."""
    return VectorWorkplace(tmp_path)


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    """Reads the files of the test's folder, writes to its folder ``out``."""
    return ToolContext(output_folder=tmp_path / "out", resolver=PlainResolver(tmp_path), threads=2)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of weights with an encoder of chips of three bands."""
    networks = pytest.importorskip("tests.toolkit.perception.networks")
    folder = tmp_path_factory.mktemp("weights")
    networks.mean_encoder(folder / "embed_chips.onnx", bands=3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREELINE_WEIGHTS", str(folder))
        yield folder
