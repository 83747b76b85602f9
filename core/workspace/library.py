"""The workspaces of a home folder: create, name, link folders of the server."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import threading
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from treeline.core.workspace.workspace import CORRECTIONS, Workspace
from treeline.toolkit.errors import InputError, PathOutside
from treeline.toolkit.whole_files import whole_file

SETTINGS = "workspace.json"


@dataclass(frozen=True, slots=True)
class WorkspaceSettings:
    """What is kept of a workspace besides its files.

    Attributes
    ----------
    title : str
        For people; the folder's name never changes, because runs refer to it.
    sources : tuple of str
        Folders of the server that are read in place.
    """

    title: str
    sources: tuple[str, ...] = ()


def allowed_roots(*, single_user: bool) -> tuple[Path, ...] | None:
    """Return the folders below which others may be linked: those of ``TREELINE_DATA_ROOTS``.

    ``None`` means any folder of the machine: where the setting is empty and only its own user is served.
    """
    text = os.environ.get("TREELINE_DATA_ROOTS", "")
    roots = tuple(Path(part).expanduser().resolve() for part in text.split(os.pathsep) if part)
    return None if single_user and not roots else roots


class WorkspaceLibrary:
    """Workspaces, each a folder below one.

    Parameters
    ----------
    folder : Path
    roots : sequence of Path, optional
        Only what lies below one of them may be linked; default: any folder of the machine.
    """

    def __init__(self, folder: Path, roots: Sequence[Path] | None = None) -> None:
        self.folder = Path(folder)
        self.roots = roots
        self._opened: dict[str, Workspace] = {}
        self._lock = threading.RLock()
        self.folder.mkdir(parents=True, exist_ok=True)

    def names(self) -> list[str]:
        """Return the names of the workspaces, sorted by title."""
        found = [
            path.name for path in self.folder.iterdir() if path.is_dir() and not path.name.startswith(".")
        ]
        return sorted(found, key=lambda name: self.title(name).casefold())

    def title(self, name: str) -> str:
        """Return what a workspace is called for people."""
        return self.settings(name).title

    def settings(self, name: str) -> WorkspaceSettings:
        """Return what is kept of a workspace."""
        try:
            stored = json.loads((self.folder / name / SETTINGS).read_text("utf-8"))
            return WorkspaceSettings(str(stored["title"]), tuple(map(str, stored.get("sources", ()))))
        except (FileNotFoundError, KeyError, TypeError, ValueError):
            return WorkspaceSettings(name)

    def is_kept(self, name: str) -> bool:
        """Return whether anything is kept of a workspace: its title, its linked folders."""
        return (self.folder / name / SETTINGS).is_file()

    def get(self, name: str) -> Workspace:
        """Return a workspace; a linked folder that is gone is left out.

        Raises
        ------
        InputError
            There is none of that name.
        """
        with self._lock:
            if name not in self._opened:
                # A name comes from an address or a command line, and must not lead out of the folder.
                if not name or name.startswith(".") or "/" in name or not (self.folder / name).is_dir():
                    raise InputError(
                        f"There is no workspace {name!r}.", f"There are {', '.join(self.names()) or 'none'}."
                    )
                sources = [Path(source) for source in self.settings(name).sources]
                self._opened[name] = Workspace(
                    self.folder / name, [path for path in sources if path.exists()]
                )
            return self._opened[name]

    def create(self, title: str, mark: str = "") -> str:
        """Create a workspace and return its name.

        Parameters
        ----------
        mark : str
            Ends the name, so that it does not tell whether another is called so.

        Raises
        ------
        InputError
            The title is empty.
        """
        title = title.strip()
        slug = re.sub(r"[^a-z0-9]+", "-", f"{title[:60]} {mark}".casefold()).strip("-")
        if not title:
            raise InputError("The workspace has no name.", "Give it one, such as 'Vipava valley'.")
        with self._lock:
            name = slug or "workspace"
            count = 2
            while (self.folder / name).exists():
                name = f"{slug or 'workspace'}-{count}"
                count += 1
            (self.folder / name).mkdir(parents=True)
            self.keep(name, WorkspaceSettings(title))
        return name

    def copy(self, name: str, title: str, mark: str = "") -> str:
        """Copy a workspace's files and what was corrected of them into a new one and return its name.

        Raises
        ------
        InputError
            There is no such workspace, or the title is empty.
        """
        source = self.get(name)
        copied = self.create(title, mark)
        folder = self.folder / copied
        shutil.copytree(source.inputs_folder, folder / source.inputs_folder.name, dirs_exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(source.folder / CORRECTIONS, folder / CORRECTIONS)
        self.keep(copied, replace(self.settings(name), title=title.strip()))
        return copied

    def rename(self, name: str, title: str) -> None:
        """Give a workspace another title.

        Raises
        ------
        InputError
            There is no such workspace, or the title is empty.
        """
        self.get(name)
        if not title.strip():
            raise InputError("The workspace has no name.", "Give it one, such as 'Vipava valley'.")
        self.keep(name, replace(self.settings(name), title=title.strip()))

    def hide(self, name: str) -> Path:
        """Take a workspace out of the library in one step, and return where its files are until they go.

        Raises
        ------
        InputError
            There is none of that name.
        """
        with self._lock:
            folder = self.get(name).folder
            hidden = self.folder / f".deleted-{uuid.uuid4().hex[:12]}"
            # A rename happens whole or not at all, while deleting takes a while; names with a point are no
            # workspaces.
            folder.rename(hidden)
            self._opened.pop(name, None)
        return hidden

    def link(self, name: str, folder: str) -> None:
        """Read a folder or a file of the server in place.

        Raises
        ------
        InputError
            There is nothing there.
        PathOutside
            It does not lie below an allowed root.
        """
        path = self.check_readable(folder)
        settings = self.settings(name)
        self.keep(name, replace(settings, sources=tuple(dict.fromkeys((*settings.sources, str(path))))))

    def check_readable(self, address: str) -> Path:
        """Return a folder or a file of the server that may be read.

        Raises
        ------
        InputError
            There is nothing there.
        PathOutside
            It does not lie below an allowed root.
        """
        path = Path(address.strip()).expanduser()
        if not address.strip() or not path.is_absolute() or not path.exists():
            raise InputError(
                f"There is no folder or file {address!r} on the server.", "Give an absolute path that exists."
            )
        path = path.resolve()
        if self.roots is not None and not any(path.is_relative_to(root) for root in self.roots):
            allowed = ", ".join(map(str, self.roots)) or "none: TREELINE_DATA_ROOTS would name them"
            raise PathOutside(f"{str(path)!r} may not be read.", f"Allowed are {allowed}.")
        return path

    def unlink(self, name: str, folder: str) -> None:
        """Stop reading a linked folder; its files stay as they are."""
        settings = self.settings(name)
        self.keep(name, replace(settings, sources=tuple(s for s in settings.sources if s != folder)))

    def keep(self, name: str, settings: WorkspaceSettings) -> None:
        """Write what is kept of a workspace."""
        with self._lock:
            with whole_file(self.folder / name / SETTINGS) as temporary:
                temporary.write_text(json.dumps(asdict(settings), indent=1), "utf-8")
            self._opened.pop(name, None)
