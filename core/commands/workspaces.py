"""``treeline workspaces``: the workspaces of the home; one is deleted with its runs."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from treeline.core.commands import COMMANDS
from treeline.core.commands.outcome import Outcome, add_command
from treeline.core.home import home, store_url

if TYPE_CHECKING:
    from treeline.core.runs.removal import Content, Removal
    from treeline.core.workspace.library import WorkspaceLibrary

_MIB = 2**20


def add(commands: Any, common: argparse.ArgumentParser) -> None:
    """Declare the command."""
    parser = add_command(commands, common, "workspaces", COMMANDS["workspaces"].summary, run)
    parser.add_argument("action", nargs="?", choices=("list", "delete"), default="list")
    parser.add_argument("name", nargs="?", default="", help="of the workspace to delete")
    parser.add_argument("--yes", action="store_true", help="delete it; else it is only told what would go")


def run(options: argparse.Namespace) -> Outcome:
    """List the workspaces, or delete one.

    Raises
    ------
    InputError
        There is no such workspace, a run works in it, or it was not said that it is to go.
    """
    # These take most of a second, which the options of the command do without.
    from treeline.core.access import LOCAL_PERSON
    from treeline.core.record.leases import mark_interrupted
    from treeline.core.record.store import Store
    from treeline.core.runs.reach import Rights
    from treeline.core.runs.removal import Removal
    from treeline.core.workspace.library import WorkspaceLibrary

    store = Store(store_url())
    mark_interrupted(store)
    library = WorkspaceLibrary(home() / "workspaces")
    removal = Removal(Rights(LOCAL_PERSON, store, library), library, store)
    return (
        _delete(removal, options.name, sure=options.yes)
        if options.action == "delete"
        else _list(library, removal)
    )


def _list(library: WorkspaceLibrary, removal: Removal) -> Outcome:
    held = {name: removal.content(name) for name in library.names()}
    value = [
        {"name": name, "title": library.title(name), **_numbers(content)} for name, content in held.items()
    ]
    lines = [f"{name}  {library.title(name)}  ({_tell(content)})" for name, content in held.items()]
    return Outcome(value, "\n".join(lines) or "There are no workspaces.")


def _delete(removal: Removal, name: str, *, sure: bool) -> Outcome:
    from treeline.toolkit.errors import InputError

    if not sure:
        raise InputError(
            f"The workspace {name!r} would be deleted for good: {_tell(removal.content(name))}.",
            "Say it with --yes.",
        )
    content = removal.delete(name)
    return Outcome({"deleted": name, **_numbers(content)}, f"{name} is deleted: {_tell(content)}.")


def _numbers(content: Content) -> dict[str, int]:
    return {key: number for key, number in asdict(content).items() if key != "runs_of_others"}


def _tell(content: Content) -> str:
    return f"files: {content.files:,}, {content.bytes / _MIB:,.1f} MiB; runs: {content.runs:,}"
