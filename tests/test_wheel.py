"""The wheel holds everything below one name, and works where it is installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import site
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.chromium import find
from tests.browser.server import free_port
from tests.browser.workbench import Workbench
from tests.rasters import write_raster

ROOT = Path(__file__).resolve().parents[1]
PACKAGED = ("core", "toolkit", "knowledge", "pages", ".streamlit")
BUILT_FROM = (*PACKAGED, ".package", "app.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")
# What the extras bring, by the names of their modules.
OF_EXTRAS = {
    "dask",
    "distributed",
    "odc",
    "onnx",
    "onnxruntime",
    "psycopg",
    "psycopg_binary",
    "pystac_client",
    "ruptures",
    "statsmodels",
}
EXTRAS = ("cluster", "full", "onnx", "postgres", "series", "stac")
PATIENCE = 240.0


def expected_files() -> set[str]:
    """Return the files of the project that an installation needs, as a wheel names them."""
    files = {path for name in PACKAGED for path in (ROOT / name).rglob("*") if path.is_file()}
    wanted = {path for path in files if "__pycache__" not in path.parts and path.name != "secrets.toml"}
    names = {path.relative_to(ROOT).as_posix() for path in wanted} | {"__init__.py", "app.py", "py.typed"}
    return {f"treeline/{name}" for name in names}


def build(what: str, folder: Path) -> Path:
    """Return what is built of a folder, ``wheel`` or ``sdist``, by the libraries that are installed."""
    code = f"from setuptools import build_meta; print(build_meta.build_{what}('dist'))"
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, check=True, capture_output=True, text=True
    )
    return folder / "dist" / told.stdout.split()[-1]


def metadata_folder(wheel: Path) -> str:
    return "-".join(wheel.name.split("-")[:2]) + ".dist-info"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout, in which building leaves what it likes."""
    copy = tmp_path_factory.mktemp("copy")
    for name in BUILT_FROM:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, symlinks=True, ignore=LEFT_OUT)
        else:
            shutil.copy(source, copy / name)
    return copy


@pytest.fixture(scope="module")
def wheel(copy: Path) -> Path:
    return build("wheel", copy)


def test_the_wheel_holds_every_file_and_nothing_outside_its_name(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    ours = {name for name in names if ".dist-info/" not in name}
    assert ours == expected_files()
    assert {name.partition("/")[0] for name in names} == {"treeline", metadata_folder(wheel)}


def test_the_application_of_the_wheel_is_that_of_the_checkout(wheel):
    assert zipfile.ZipFile(wheel).read("treeline/app.py") == (ROOT / "app.py").read_bytes()


def test_the_wheel_says_its_licence_version_and_extras(wheel):
    with zipfile.ZipFile(wheel) as archive:
        folder = metadata_folder(wheel)
        metadata = archive.read(f"{folder}/METADATA").decode()
        assert archive.read(f"{folder}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    lines = metadata.partition("\n\n")[0].splitlines()
    assert "License-Expression: Apache-2.0" in lines
    version = next(line for line in lines if line.startswith("Version: "))[9:]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert {f"Provides-Extra: {extra}" for extra in EXTRAS} <= set(lines)


def test_the_wheel_of_the_source_distribution_is_the_same(copy, wheel, tmp_path):
    with tarfile.open(build("sdist", copy)) as archive:
        archive.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.iterdir()
    again = build("wheel", unpacked)
    assert sorted(zipfile.ZipFile(again).namelist()) == sorted(zipfile.ZipFile(wheel).namelist())


def make_lean(folder: Path) -> str:
    """Fill a folder with links to the libraries of this environment but for those of the extras."""
    folder.mkdir(parents=True)
    for library in (path for site_folder in site.getsitepackages() for path in Path(site_folder).iterdir()):
        if re.split(r"[-.]", library.name)[0] not in OF_EXTRAS:
            (folder / library.name).symlink_to(library)
    return str(folder)


@pytest.fixture(scope="module", params=["full", pytest.param("lean", marks=pytest.mark.soak)])
def installed(request: Any, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a fresh environment with the wheel in it; its libraries are of this environment."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True, capture_output=True)
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own = Path(subprocess.check_output([python, "-c", asked], text=True).strip())
    libraries = (
        site.getsitepackages() if request.param == "full" else [make_lean(folder / "lean" / "site-packages")]
    )
    # A line of a .pth file adds a folder without the .pth files in it: this checkout stays out.
    (own / "libraries.pth").write_text("\n".join(libraries), "utf-8")
    return folder / "bin" / "treeline"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder of a person's, in which names of ours and of libraries are taken."""
    for name in ("core", "pages", "toolkit", "treeline", "streamlit"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise SystemExit('the folder of a person')", "utf-8")
    (tmp_path / "json.py").write_text("raise SystemExit('the file of a person')", "utf-8")
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    write_raster(scenes / "Lake_2021-06-01_NDVI.tif", [[0.25, 0.75]] * 2, descriptions=("ndvi",))
    return tmp_path


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TREELINE_")}
    kept.pop("PYTHONPATH", None)
    return {**kept, "TREELINE_HOME": str(tmp_path / "home")}


@pytest.fixture
def served(installed: Path, place: Path, surroundings: dict[str, str]) -> Iterator[str]:
    """The address of the workbench, served from that folder."""
    port = free_port()
    log = place / "server.log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [installed, "serve", "--port", str(port), "--home", place / "home"],
            cwd=place,
            env=surroundings,
            stdout=stream,
            stderr=stream,
        )
    try:
        yield f"http://localhost:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        print(log.read_text("utf-8"))


def read(address: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def wait_for(address: str) -> str:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            status, text = read(address)
        except OSError:
            status, text = 0, "nothing answers"
        if status == 200:
            return text
        assert time.monotonic() < until, (status, text)
        time.sleep(0.2)


def test_an_installed_wheel_opens_the_workbench_from_any_folder(served, place):
    assert wait_for(f"{served}/livez") == "ok"
    assert json.loads(wait_for(f"{served}/readyz"))["ready"] is True
    assert "<title>" in wait_for(served)
    assert read(f"{served}/leaflet/leaflet.js")[0] == 200
    assert (place / "home" / "treeline.sqlite").is_file()


@pytest.mark.soak
@pytest.mark.browser
def test_every_page_of_an_installed_wheel_is_drawn(served):
    path = find()
    if path is None:
        pytest.skip("there is no Chromium; python -m tests.browser.chromium says how to get one")
    wait_for(f"{served}/readyz")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        for name in ("", "data", "tools", "knowledge", "memory", "compare", "lab", "runs"):
            Workbench(page, served).open(f"/{name}")
            drawn = page.locator('[data-test-script-state="notRunning"]')
            expect(drawn).to_have_count(1, timeout=PATIENCE * 1000)
            expect(page.get_by_text("This page failed")).to_have_count(0)
        browser.close()


def test_an_installed_wheel_answers_a_question(installed, place, surroundings):
    asked = subprocess.run(
        [installed, "ask", "What is the mean NDVI?", "--data", "scenes", "--out", "out", "--json"],
        cwd=place,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert asked.returncode == 0, asked.stderr
    result = json.loads(asked.stdout)
    assert result["status"] == "answered" and result["value"] == pytest.approx(0.5)


def test_an_installed_wheel_is_imported_from_where_it_lies(installed, place, surroundings):
    code = "import treeline.core.cli as cli, treeline; print(cli.__file__); print(treeline.__version__)"
    told = subprocess.check_output(
        [installed.with_name("python"), "-P", "-c", code], cwd=place, env=surroundings, text=True
    ).split()
    assert Path(told[0]).is_relative_to(installed.parents[1])
    assert subprocess.check_output([installed, "--version"], cwd=place, env=surroundings, text=True) == (
        f"{told[1]}\n"
    )


@pytest.mark.soak
def test_what_needs_an_extra_that_is_absent_says_which(installed, place, surroundings):
    lean = (installed.parents[1] / "lean").is_dir()
    series = json.dumps({"signal": [0.0] * 20 + [9.0] * 20})
    words = [
        "call",
        "detect_change_points",
        "--arguments",
        series,
        "--data",
        "scenes",
        "--out",
        "out",
        "--json",
    ]
    called = subprocess.run(
        [installed, *words], cwd=place, env=surroundings, capture_output=True, text=True, timeout=300
    )
    told = json.loads(called.stdout)
    if lean:
        assert told["error"]["type"] == "BackendMissing" and "treeline[series]" in told["error"]["hint"]
    else:
        assert told["result"] == [20, 40]
