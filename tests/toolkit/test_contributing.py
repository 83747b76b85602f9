"""CONTRIBUTING.md followed to the letter in a clean copy: its tool is found, shown, planned with, called."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.rasters import write_raster

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    "core",
    "toolkit",
    "knowledge",
    "pages",
    "tests",
    ".package",
    ".streamlit",
    "app.py",
    "pyproject.toml",
)
FILE = re.compile(r"^```python\n# (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
TOOL = "calculate_northness"

TREE = """
from treeline.toolkit import SkillTree, registry
from treeline.toolkit.variables import VARIABLES
tree = SkillTree.of(registry())
(tool,) = [tool for tool in tree.tools["Terrain"] if tool.name == "calculate_northness"]
assert VARIABLES["northness"].title == "Northness"
assert "Northness: how far" in tool.document and "where to write northness [1, -1 to 1]" in tool.document
assert tool.schema["required"] == ["slope_path", "aspect_path", "output_path"]
"""
KIT = """
from my_package.glaciers import GLACIERS
from treeline.toolkit import KITS
assert KITS[GLACIERS].name == "Glaciers"
"""
PLANNER = """
import sys
from pathlib import Path
from treeline.core.policies.planner.derivation import Derivation, DerivedRole, RoleRequest
from treeline.core.policies.planner.layers import layers_of
from treeline.core.workspace import Workspace
from treeline.toolkit import registry
workspace = Workspace(Path("workspace"), [Path("data")])
request = RoleRequest(lambda item: True)
found = Derivation(registry(), layers_of(workspace.collections)).find("northness", request)
assert isinstance(found, DerivedRole) and found.tool.name == "calculate_northness", found
made = {source.tool.name for sources in found.inputs.values() for source in sources}
assert made == {"calculate_slope", "calculate_aspect"}, made
"""
FORM = """
from streamlit.testing.v1 import AppTest

PAGE = '''
from pathlib import Path
from treeline.core.workspace import Workspace
from treeline.pages.parts.tools.form import show_form
from treeline.toolkit import registry
show_form(registry().get("calculate_northness"), Workspace(Path("workspace"), [Path("data")]))
'''
shown = AppTest.from_string(PAGE, default_timeout=300).run()
assert not shown.exception, shown.exception
keys = [field.key for kind in ("text_input", "selectbox", "text_area") for field in shown.get(kind)]
assert {"slope_path", "aspect_path", "output_path"} <= {key.rpartition("-")[2] for key in keys}, keys
"""
LAZY = """
import sys
from treeline.toolkit import registry
assert "calculate_northness" in registry()
assert "treeline.toolkit.terrain.northness" not in sys.modules
"""


class Checkout:
    """A copy of what is under version control, in which commands run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for part in PARTS:
            if (ROOT / part).is_dir():
                # What is compiled here need not be compiled there: a copy is as old as what it was made of.
                ignored = shutil.ignore_patterns(".*cache")
                shutil.copytree(ROOT / part, folder / part, symlinks=True, ignore=ignored)
            else:
                shutil.copy(ROOT / part, folder / part)

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, "utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python there, whatever comes of it."""
        path = os.pathsep.join(map(str, (self.folder / ".package", self.folder)))
        # What one command has compiled, the next one need not compile again.
        compiled = {"PYTHONDONTWRITEBYTECODE": ""}
        home = {"TREELINE_HOME": str(self.folder / "home")}
        environment = {**os.environ, **compiled, **home, "PYTHONPATH": path}
        return subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True
        )

    def succeed(self, *arguments: str) -> str:
        """Run Python there and return what it printed."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout with the files that CONTRIBUTING.md shows, and a raster of heights."""
    found = Checkout(tmp_path_factory.mktemp("checkout"))
    files = dict(FILE.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    assert set(files) == {
        "toolkit/terrain/northness.py",
        "tests/toolkit/terrain/test_northness.py",
        "tests/toolkit/oracles/northness.py",
        "my_package/glaciers.py",
    }
    for name, text in files.items():
        assert not (found.folder / name).exists()
        found.write(name, text)
    (found.folder / "data").mkdir()
    rows, columns = np.mgrid[0:40, 0:40]
    heights = (300 + 3 * rows + 10 * np.sin(columns / 5)).astype("float32")
    write_raster(found.folder / "data" / "Valley_DEM.tif", heights)
    return found


def test_it_is_in_the_tree(checkout: Checkout) -> None:
    checkout.succeed("-c", TREE)
    checkout.succeed("-c", KIT)


def test_the_planner_makes_its_inputs(checkout: Checkout) -> None:
    checkout.succeed("-c", PLANNER)


def test_the_page_shows_its_form(checkout: Checkout) -> None:
    checkout.succeed("-c", FORM)


def test_the_command_line_calls_it(checkout: Checkout) -> None:
    assert "sin(slope) cos(aspect)" in checkout.succeed("-m", "treeline.core.cli", "tools", TOOL)
    (checkout.folder / "out").mkdir()
    places = ("--data", "data", "out", "--out", "out")
    for tool, arguments in (
        ("calculate_slope", '{"dem_path": "Valley_DEM.tif", "output_path": "slope.tif"}'),
        ("calculate_aspect", '{"dem_path": "Valley_DEM.tif", "output_path": "aspect.tif"}'),
        (TOOL, '{"slope_path": "slope.tif", "aspect_path": "aspect.tif", "output_path": "north.tif"}'),
    ):
        checkout.succeed("-m", "treeline.core.cli", "call", tool, "--arguments", arguments, *places)
    assert (checkout.folder / "out" / "north.tif").is_file()


def test_its_own_test_and_the_generic_ones_pass(checkout: Checkout) -> None:
    checkout.succeed("-m", "tests.toolkit.oracles")
    tests = ("terrain/test_northness.py", "test_bad_input.py", "test_oracles.py")
    named = "northness or every_tool or table_is_fresh"
    files = [f"tests/toolkit/{name}" for name in tests]
    checkout.succeed("-m", "pytest", *files, "-q", "-m", "", "-k", named, "-p", "no:cacheprovider")


def test_a_tool_without_a_valid_pixel_fails_the_generic_tests(checkout: Checkout) -> None:
    name = "toolkit/terrain/northness.py"
    text = (checkout.folder / name).read_text("utf-8")
    checkout.write(name, text.replace("return np.sin(np.radians(slope)) *", "return np.nan *"))
    try:
        selected = ("-q", "-m", "", "-k", "northness and valid", "-p", "no:cacheprovider")
        done = checkout.run("-m", "pytest", "tests/toolkit/test_bad_input.py", *selected)
    finally:
        checkout.write(name, text)
    assert done.returncode == 1 and "no valid pixel" in done.stdout, done.stdout


def test_it_is_documented_and_then_known_without_its_module(checkout: Checkout) -> None:
    assert checkout.run("-m", "treeline.toolkit.documentation", "--check").returncode == 1
    checkout.succeed("-m", "treeline.toolkit.documentation")
    checkout.succeed("-m", "treeline.toolkit.documentation", "--check")
    assert f"| `{TOOL}` |" in (checkout.folder / "toolkit" / "README.md").read_text("utf-8")
    checkout.succeed("-c", LAZY)


def test_a_tool_declared_amiss_is_refused_with_its_module(checkout: Checkout) -> None:
    files = dict(FILE.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    wrong = files["toolkit/terrain/northness.py"].replace('Reads("terrain_slope")', 'Reads("terain_slope")')
    checkout.write("toolkit/terrain/wrong.py", wrong.replace("calculate_northness", "calculate_wrong"))
    try:
        done = checkout.run("-m", "treeline.core.cli", "tools")
    finally:
        (checkout.folder / "toolkit/terrain/wrong.py").unlink()
    assert done.returncode == 1
    assert "treeline.toolkit.terrain.wrong: The tool calculate_wrong" in done.stderr
    assert "'terain_slope'" in done.stderr and "Nearest: terrain_slope" in done.stderr
    assert "Traceback" not in done.stderr
