"""Fixtures that many tests share."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from multiprocessing.util import Finalize
from pathlib import Path

import pytest
from hypothesis import settings

from tests.sampling import mark_soak

# How long an example takes depends on what else the machine does.
# The same examples in every run, so that a test fails for a change alone; `make soak` draws new ones.
settings.register_profile("tests", deadline=None, derandomize=True)
settings.register_profile("soak", deadline=None)
settings.load_profile("tests")

SHARED = Path(__file__).resolve().parents[2] / "shared"
_FOLDER = pytest.StashKey[tuple[str, str | None, int]]()


def pytest_configure(config: pytest.Config) -> None:
    """Put what the tests, and the processes that they start, keep for a while into one folder.

    The workers of a distributed session find it by the environment that they inherit.
    """
    if hasattr(config, "workerinput"):
        return
    # A short name: a path of a socket may have about a hundred characters.
    folder = tempfile.mkdtemp(prefix="treeline-")
    # A database that root starts runs as another user, who must reach a folder of its own.
    os.chmod(folder, 0o711)
    config.stash[_FOLDER] = folder, os.environ.get("TMPDIR"), os.getpid()
    # After what multiprocessing removes at the end (-100), which has a folder of its own in this one.
    Finalize(None, shutil.rmtree, (folder,), {"ignore_errors": True}, exitpriority=-200)
    os.environ["TMPDIR"] = tempfile.tempdir = folder


def pytest_unconfigure(config: pytest.Config) -> None:
    """Use the folder no more; a fork in which a change is tried leaves that to the process that made it."""
    _, before, process = config.stash.get(_FOLDER, ("", None, 0))
    if process != os.getpid():
        return
    tempfile.tempdir = None
    if before is None:
        del os.environ["TMPDIR"]
    else:
        os.environ["TMPDIR"] = before


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is left to `make soak` before marks are looked at."""
    mark_soak(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Have the garbage collector pass over a worker's thousands of tests, which live until the end.

    Where changes are tried nothing is frozen: their functions are looked for among what it knows.
    """
    if hasattr(session.config, "workerinput"):
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of real rasters and recorded material beside the project."""
    if not SHARED.is_dir():
        pytest.skip(f"the evidence folder {SHARED.name!r} is not beside the project")
    return SHARED


@pytest.fixture(scope="session")
def slovenia(shared: Path) -> Path:
    """Folder of a real Sentinel-2 series."""
    return shared / "rasters" / "slovenia_sentinel2"


@pytest.fixture(scope="session", autouse=True)
def no_own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests away from the home of whoever runs them: its cards would enter their runs."""
    before = os.environ.get("TREELINE_HOME")
    os.environ["TREELINE_HOME"] = str(tmp_path_factory.mktemp("treeline-home"))
    yield
    if before is None:
        del os.environ["TREELINE_HOME"]
    else:
        os.environ["TREELINE_HOME"] = before


@pytest.fixture(autouse=True)
def main_module() -> Iterator[None]:
    """Take back the main module, which a page under test replaces: later processes would run the page."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
