"""The functions that a tool calls, one a profile; the modules that hold them are imported at first use."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from treeline.toolkit.contracts import Profile
from treeline.toolkit.errors import ContractError

DEFAULT: Profile = "science"


class Functions:
    """The functions of a tool by profile.

    Parameters
    ----------
    function : callable, optional
        That of the ``science`` profile, where it is at hand.
    modules : mapping of str to str, optional
        The modules by profile that register the functions when they are imported.
    """

    def __init__(
        self, function: Callable[..., Any] | None = None, modules: Mapping[str, str] | None = None
    ) -> None:
        self.modules = dict(modules or {})
        self._ready: dict[str, Callable[..., Any]] = {}
        if function is not None:
            self.add(DEFAULT, function)

    @property
    def profiles(self) -> tuple[str, ...]:
        """The profiles that have a function of their own, the default first."""
        return tuple(self.modules)

    def awaits(self, module: str) -> bool:
        """Return whether a module that was not imported so far is to register the default's function."""
        return DEFAULT not in self._ready and self.modules.get(DEFAULT) == module

    def complete(self, other: Functions) -> None:
        """Take the modules of profiles that another knows besides."""
        self.modules = {**other.modules, **self.modules}

    def add(self, profile: str, function: Callable[..., Any]) -> None:
        """Take a function; the module that holds it is remembered."""
        self.modules[profile] = function.__module__
        self._ready[profile] = function

    def of(self, profile: str) -> Callable[..., Any]:
        """Return the function for a profile: its own, else that of the default.

        Raises
        ------
        ContractError
            The module that should register it does not: the inventory of tools is stale.
        """
        wanted = profile if profile in self.modules else DEFAULT
        if wanted not in self._ready:
            importlib.import_module(self.modules[wanted])
        if wanted not in self._ready:
            raise ContractError(
                f"{self.modules[wanted]} registers no such tool any more.",
                "Run python -m treeline.toolkit.documentation.",
            )
        return self._ready[wanted]
