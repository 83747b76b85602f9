"""A confined process that sends more than values is not listened to."""

from __future__ import annotations

import datetime
import multiprocessing
import os
import pickle
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from rasterio.crs import CRS
from rasterio.transform import from_origin

from treeline.core.confinement import Line
from treeline.core.confinement.plain_values import receive, send
from treeline.core.record.store import Store
from treeline.core.workspace import Workspace
from treeline.toolkit.context import Product
from treeline.toolkit.errors import InputError


class Bomb:
    """Calls a function where it is unpickled."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.made_by = function, arguments

    def __reduce__(self) -> Any:
        return self.made_by


def send_through(value: object) -> Any:
    ours, theirs = multiprocessing.Pipe()
    send(theirs, value)
    return receive(ours)


def test_values_come_through():
    values = {
        "array": np.arange(6.0).reshape(2, 3),
        "number": np.float32(2),
        "place": Path("/x"),
        "when": datetime.datetime(2021, 5, 1),
        "shape": shapely.box(0, 0, 1, 1),
        "grid": from_origin(0, 0, 1, 1),
        "product": Product(Path("/x"), "ndvi", "1"),
        "set": {1, 2},
    }
    found = send_through(values)
    assert found.pop("array").tolist() == values.pop("array").tolist()
    assert found == values
    assert send_through(CRS.from_epsg(4326)) == CRS.from_epsg(4326)
    error = send_through((False, InputError("Not this.", "That.")))[1]
    assert (type(error), error.hint) == (InputError, "That.")


@pytest.mark.parametrize(
    "bomb",
    [
        Bomb(os.system, "touch TOUCHED"),
        Bomb(subprocess.Popen, ["touch", "TOUCHED"]),
        Bomb(eval, "open('TOUCHED', 'w')"),
        Bomb(getattr, os, "system"),
        Bomb(open, "TOUCHED", "w"),
        Bomb(Store, "TOUCHED"),
        Bomb(Workspace, Path("TOUCHED")),
        Bomb(Line().ask, "x", "y"),
        Bomb(np.load, "TOUCHED"),
        Bomb(__import__, "antigravity"),
        Bomb(pickle.loads, b"x"),
    ],
    ids=lambda bomb: bomb.made_by[0].__name__,
)
def test_functions_do_not(bomb: Bomb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    try:
        data = pickle.dumps(bomb)
    except (TypeError, AttributeError, pickle.PicklingError):
        pytest.skip("no pickle names it")
    assert data
    with pytest.raises(pickle.UnpicklingError, match="is not taken"):
        send_through(bomb)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["worker.os.system", "calling.os", "plain_values.pickle.loads"])
def test_no_function_is_reached_through_a_module_of_ours(name: str):
    module, _, rest = name.partition(".")
    data = f"ctreeline.core.confinement.{module}\n{rest}\n.".encode()
    parts = (f"treeline.core.confinement.{module}".encode(), rest.encode())
    dotted = b"\x80\x04" + b"".join(b"\x8c" + bytes([len(part)]) + part for part in parts) + b"\x93."
    for pickled in (data, dotted):
        ours, theirs = multiprocessing.Pipe()
        theirs.send_bytes(pickled)
        with pytest.raises((pickle.UnpicklingError, AttributeError)):
            receive(ours)
