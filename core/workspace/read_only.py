"""A workspace as those see it who may not change it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treeline.core.workspace.taken_back import TakenBack, TakenBackCorrections
from treeline.core.workspace.trash import Removal, Trash
from treeline.core.workspace.workspace import Workspace
from treeline.toolkit.errors import InputError
from treeline.toolkit.recognition import Correction


class ReadOnlyWorkspace(Workspace):
    """The same workspace, with the same descriptions, whose files stay as they are.

    Parameters
    ----------
    workspace : Workspace
    """

    writable = False

    def __init__(self, workspace: Workspace) -> None:
        # One state for both: what was described is not described again, and a change is seen by both.
        self.__dict__ = workspace.__dict__

    @property
    def trash(self) -> Trash:
        """Nothing: what was removed is its owner's."""
        raise _refusal()

    def correct(self, changed: Mapping[str, Correction]) -> None:
        """Refuse."""
        raise _refusal()

    @property
    def taken_back(self) -> TakenBackCorrections:
        """Nothing: what was taken back is its owner's."""
        raise _refusal()

    def take_back(self, taken: Mapping[str, Sequence[str]]) -> TakenBack | None:
        """Refuse."""
        raise _refusal()

    def correct_again(self, key: str) -> str:
        """Refuse."""
        raise _refusal()

    def remove_input(self, *names: str) -> Removal:
        """Refuse."""
        raise _refusal()

    def restore_input(self, key: str) -> str:
        """Refuse."""
        raise _refusal()


def _refusal() -> InputError:
    return InputError("You may only look at this workspace.", "Take a copy of it, or ask its owner.")
