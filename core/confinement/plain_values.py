"""What a confined process sends is taken as plain values: it may be another's by now.

A pickle can name any function to be called where it is read. Here only classes that hold values are found.
"""

from __future__ import annotations

import dataclasses
import enum
import io
import pickle
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_OURS = "treeline."
_HOLDING_VALUES = (BaseException, enum.Enum, tuple)

# What pickles of numbers, places, dates and shapes are made of.
_KNOWN = {
    "builtins": {
        "bytearray",
        "complex",
        "dict",
        "frozenset",
        "list",
        "object",
        "range",
        "set",
        "slice",
        "tuple",
    },
    "collections": {"Counter", "OrderedDict", "defaultdict", "deque"},
    "copyreg": {"__newobj__", "_reconstructor"},
    "datetime": {"date", "datetime", "time", "timedelta", "timezone"},
    "affine": {"Affine"},
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "numpy.core.multiarray": {"_reconstruct", "scalar"},
    "numpy.core.numeric": {"_frombuffer"},
    "numpy.ma": {"MaskedArray"},
    "numpy.ma.core": {"MaskedArray", "_mareconstruct"},
    "pathlib": {"Path", "PosixPath", "PurePosixPath"},
    "pathlib._local": {"Path", "PosixPath", "PurePosixPath"},
    "rasterio.crs": {"CRS"},
    "shapely.io": {"from_wkb"},
}


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return a class that holds values, or what pickles of such are made of."""
        if name in _KNOWN.get(module, ()) or _is_error(module, name):
            return super().find_class(module, name)
        if module.startswith(_OURS):
            found = super().find_class(module, name)
            if _holds_values(found):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not taken from a confined process")


def send(pipe: Connection, value: Any) -> None:
    """Send a value as it is received: without the ways to pickle that other libraries have registered."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer)
    pickler.dispatch_table = {}
    pickler.dump(value)
    pipe.send_bytes(buffer.getvalue())


def receive(pipe: Connection) -> Any:
    """Return what comes from a confined process.

    Raises
    ------
    EOFError, OSError
        It is gone.
    pickle.UnpicklingError
        It sends something else than values.
    """
    return _Plain(io.BytesIO(pipe.recv_bytes())).load()


def _holds_values(found: object) -> bool:
    return (
        isinstance(found, type)
        and found.__module__.startswith(_OURS)
        and (dataclasses.is_dataclass(found) or issubclass(found, _HOLDING_VALUES))
    )


def _is_error(module: str, name: str) -> bool:
    """Return whether it is an exception of a library that this process has loaded."""
    found = getattr(sys.modules.get(module), name, None)
    return isinstance(found, type) and issubclass(found, Exception)
