"""Tools are found by the inventory or by importing; kits of other packages come by entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from treeline.toolkit import registry
from treeline.toolkit.discovery import GROUP
from treeline.toolkit.inventory import Inventory, as_text, read_inventory

HEAVY = ("rasterio", "numba", "sklearn", "scipy", "faiss", "pydantic", "numpy")
KIT = '''
from typing import Annotated
from treeline.toolkit.tool import Gives, Reads, Variable, Writes, tool
from treeline.toolkit.tree import add_kit

KIT = add_kit("Glaciers", "Ice on land.")


@tool(kit=KIT, source="Nobody", gives=Gives("text"))
def {name}(ice_path: Annotated[str, Reads({role!r})]) -> str:
    """Name the ice.

    Parameters
    ----------
    ice_path : str
        The ice.
    """
    return "ice"
'''


def run(code: str, *path: Path) -> subprocess.CompletedProcess[str]:
    places = os.pathsep.join((*map(str, path), os.environ.get("PYTHONPATH", "")))
    environment = {**os.environ, "PYTHONPATH": places}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)


def offer(folder: Path, package: str, text: str) -> None:
    """Install a package with a kit in a folder."""
    (folder / f"{package}.py").write_text(text, "utf-8")
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{package} = {package}\n", "utf-8")


def test_a_start_imports_no_kit_and_nothing_heavy() -> None:
    code = (
        "import sys; from treeline.toolkit import registry; found = registry(); "
        "[(t.document, t.inputs, t.outputs, t.profiles, t.gives) for t in found]; "
        f"print([name for name in {HEAVY!r} if name in sys.modules], "
        "[name for name in sys.modules if name.startswith('treeline.toolkit.') and name.endswith('.kit')])"
    )
    done = run(code)
    assert done.stdout.strip() == "[] []", done.stderr


def test_a_call_imports_the_kit_of_the_tool_alone() -> None:
    code = (
        "import sys; from treeline.toolkit import registry; found = registry().get('mean').function; "
        "print(found([1, 2]), 'treeline.toolkit.terrain.kit' in sys.modules)"
    )
    done = run(code)
    assert done.stdout.split() == ["1.5", "False"], done.stderr


def test_the_inventory_says_what_the_modules_say(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "treeline.toolkit.documentation", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    known = read_inventory()
    assert [tool.name for tool in known.tools] == [tool.name for tool in registry()]
    (tmp_path / "again.json").write_text(as_text(known), "utf-8")
    again = read_inventory(tmp_path / "again.json")
    assert again == known and as_text(again) == as_text(known)


def test_a_tool_that_changed_keeps_the_functions_of_its_profiles() -> None:
    """A kit that is newer than the inventory is imported, and its tools' other profiles with it."""
    code = (
        "from treeline.toolkit import REGISTRY as found; from treeline.toolkit.discovery import fill; "
        "from treeline.toolkit.inventory import read_inventory; known = read_inventory(); "
        "known.folders['statistics'] = 'older'; fill(found, known); print(found.get('skewness').profiles)"
    )
    done = run(code)
    intact = run("from treeline.toolkit import registry; print(registry().get('skewness').profiles)")
    assert done.stdout == intact.stdout != "", done.stderr


@pytest.mark.parametrize("text", ["", "[]", "{", '{"folders": {}, "kits": {}, "tools": [{"name": "x"}]}'])
def test_an_inventory_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "inventory.json").write_text(text, "utf-8")
    assert read_inventory(tmp_path / "inventory.json") == Inventory({}, {}, ())


def test_a_kit_of_another_package_is_found(tmp_path: Path) -> None:
    offer(tmp_path, "ice_tools", KIT.format(name="name_ice", role="dem"))
    code = (
        "from treeline.toolkit import KITS, registry; found = registry(); "
        "print(found.get('name_ice').kit, list(KITS)[-1], found.refused)"
    )
    done = run(code, tmp_path)
    assert done.stdout.split() == ["Glaciers", "Glaciers", "[]"], done.stderr


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (KIT.format(name="calculate_slope", role="dem"), "named 'calculate_slope' already"),
        (KIT.format(name="name_ice", role="icy"), "role 'icy'"),
        (KIT.format(name="name_ice", role="dem").replace('"Glaciers"', '"Terrain"'), "'Terrain' already"),
        (KIT.format(name="name_ice", role="dem") + "\nimport no_such_library\n", "no_such_library"),
        (KIT.format(name="name_ice", role="dem").replace("kit=KIT", "kit='Nowhere'"), "'Nowhere'"),
        (
            KIT.format(name="name_ice", role="dem")
            + "\nfrom treeline.toolkit.tool import variant\nvariant('mean', 'science')(name_ice)\n",
            "mean has a function for the profile science already",
        ),
    ],
)
def test_a_bad_kit_is_refused_and_the_others_stay(tmp_path: Path, text: str, says: str) -> None:
    offer(tmp_path, "bad_tools", text)
    offer(tmp_path, "ice_more", KIT.format(name="good_ice", role="dem").replace("Glaciers", "Shelves"))
    code = (
        "from treeline.toolkit import KITS, registry; found = registry(); "
        "print(len(found), 'good_ice' in found, 'name_ice' in found, 'Glaciers' in KITS); "
        "print(found.get('mean').function([1, 3])); print(*found.refused)"
    )
    done = run(code, tmp_path)
    counts, mean, refused = done.stdout.split("\n")[:3]
    assert counts.split() == [str(len(registry()) + 1), "True", "False", "False"], done.stderr
    assert mean == "2.0"
    assert "The kit 'bad_tools' (bad_tools) is refused." in refused and says in refused
