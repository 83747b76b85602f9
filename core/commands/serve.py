"""``treeline serve``: the workbench, from any folder."""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from treeline.core.access.mode import MODES, TEAM, mode_of_environment
from treeline.core.access.mode import SETTING as MODE
from treeline.core.access.proxy import FORWARDED
from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.home import home
from treeline.core.settings import LOOPBACK
from treeline.toolkit.errors import InputError

# Beside it lies .streamlit/config.toml, which Streamlit reads last, whatever the current folder has.
APPLICATION = Path(__file__).parents[2] / "app.py"


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "serve", COMMANDS["serve"].summary, run)
    parser.add_argument("--host", default="localhost", help="the address to listen on; localhost by default")
    parser.add_argument("--port", type=int, default=8501, help="8501 by default")
    parser.add_argument("--home", default="", help="where workspaces and the record live; TREELINE_HOME")
    parser.add_argument(
        "--mode", choices=MODES, default=None, help="local: one person; team: people sign in; TREELINE_MODE"
    )


def run(options: argparse.Namespace) -> Outcome:
    """Start the server; it ends with the process.

    Raises
    ------
    InputError
        The mode cannot be served, a limit cannot be read, the address is not free, or the home cannot be
        written to.
    """
    # Imported where it is used: the options of a command need no record.
    from treeline.core.runs.quotas import check_limits

    options.mode = options.mode or mode_of_environment()
    check_limits()
    if options.mode == TEAM:
        # The proxy is recognised by the address that it asks from, not by one that a header states.
        os.environ.setdefault(FORWARDED, "")
        _check_identity()
    if options.home:
        os.environ["TREELINE_HOME"] = options.home
    _prepare_home()
    _check_address(options.host, options.port)
    if options.host not in LOOPBACK and options.mode != TEAM:
        print(
            f"treeline: whoever reaches {options.host} can use this workbench; it has no sign-in.",
            file=sys.stderr,
        )
    environment = {**os.environ, "TREELINE_HOME": str(home()), MODE: options.mode}
    command = server_command(options.host, options.port)
    if options.mode == TEAM:  # else it opens a browser, and writes files for who asks from loopback
        command += ["--server.headless", "true"]
    return _serve(command, environment, options)


def server_command(host: str, port: int) -> list[str]:
    """Return the command that serves the workbench.

    ``-P`` keeps the current folder off the path of modules, where a file of a person's own may be called
    as a library is.
    """
    listen = ["--server.address", host, "--server.port", str(port)]
    return [sys.executable, "-P", "-m", "streamlit", "run", str(APPLICATION), *listen]


def _serve(command: Sequence[str], environment: Mapping[str, str], options: argparse.Namespace) -> Outcome:
    if options.json:
        address = f"http://{_in_address(options.host)}:{options.port}"
        print(json.dumps({"address": address, "home": environment["TREELINE_HOME"], "mode": options.mode}))
        sys.stdout.flush()
        os.dup2(sys.stderr.fileno(), 1)  # what the server says is not the value
    if os.name == "posix":  # the server takes this process over: its number, its signals, its exit code
        os.execve(command[0], list(command), dict(environment))
    return Outcome(None, "", subprocess.call(list(command), env=dict(environment)))


def _check_identity() -> None:
    """Ask the pages, whose settings say it, whether the server could know who comes."""
    asked = subprocess.run(
        [sys.executable, "-P", "-m", "treeline.pages.parts.identity"], capture_output=True, text=True
    )
    if asked.returncode:
        raise InputError(asked.stderr.strip() or "The way to know users cannot be checked.")


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _prepare_home() -> None:
    try:
        home().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The home {str(home())!r} cannot be made: {error.strerror}.", "Name another folder by --home."
        ) from None
    if not os.access(home(), os.W_OK | os.X_OK):
        raise InputError(f"The home {str(home())!r} cannot be written to.", "Name another folder by --home.")


def _check_address(host: str, port: int) -> None:
    if not 0 < port < 2**16:
        raise InputError(f"The port {port} is not one.", "Give a number from 1 to 65535.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise InputError(
            f"{host} port {port} cannot be listened at: {error.strerror or error}.",
            "Another server may use it; give another by --port.",
        ) from None
