"""What can go wrong in the toolkit, as one tree.

::

    TreelineError                 message, hint
    ├── InputError                a value a caller gave is not usable (names the argument)
    │   ├── UnknownTool
    │   ├── PathOutside           a path leaves the place it is confined to
    │   └── RasterMissing         nothing of that name
    ├── RasterError               a raster is not usable
    │   ├── RasterUnreadable      not a raster, truncated, or a driver that is not allowed
    │   ├── RoleMismatch          the band is another variable than the one asked for
    │   ├── ScaleUnknown          digital numbers whose scale nobody stated
    │   ├── GridMismatch          no common ground: disjoint extents, or a CRS is missing
    │   └── NoValidPixels         every pixel is masked
    ├── ContractError             a tool, a kit or a variable is not declared as it must be
    ├── BackendMissing            a model, library or service that the user must supply is absent
    │   └── ResourceLost          what the machine has at other times is gone: room on the disk, its workers
    └── Stopped                   the person stopped the work; not a fault
"""

from __future__ import annotations


class TreelineError(Exception):
    """A fault with a message for people.

    Parameters
    ----------
    message : str
        What was wrong and what was found, in one sentence.
    hint : str, optional
        What would do instead.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def __reduce__(self) -> tuple[type[TreelineError], tuple[str, str]]:
        # Exceptions with more than one argument do not survive pickling between
        # worker processes unless they say how.
        return type(self), (self.message, self.hint)


class InputError(TreelineError):
    """A value that a caller gave is not usable."""


class UnknownTool(InputError):
    """No tool has that name."""


class PathOutside(InputError):
    """A path leaves the folder that it is confined to."""


class RasterMissing(InputError):
    """No raster has that name."""


class RasterError(TreelineError):
    """A raster is not usable for what was asked."""


class RasterUnreadable(RasterError):
    """The file is no raster, is truncated, or would need a driver that is not allowed."""


class RoleMismatch(RasterError):
    """The band holds another variable than the one that the tool needs."""


class ScaleUnknown(RasterError):
    """The values are digital numbers whose scale nobody stated."""


class GridMismatch(RasterError):
    """The rasters share no ground, or one of them has no georeference to compare."""


class NoValidPixels(RasterError):
    """Every pixel is masked."""


class ContractError(TreelineError, ValueError):
    """A tool, a kit or a variable is not declared as it must be; it is not registered."""


class BackendMissing(TreelineError):
    """A model, a library or a service that the user must supply is absent."""


class ResourceLost(BackendMissing):
    """What the work needs beside its input is not there now; the same call may be made once it is back."""


class Stopped(TreelineError):
    """The person stopped the work. Not a fault."""
