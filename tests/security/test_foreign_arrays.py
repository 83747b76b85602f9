"""A store of arrays reads nothing outside of itself, and no file that its grid mapping names."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tests.security.test_bounds import quickly
from tests.security.test_foreign_systems import GRIDS
from tests.toolkit.containers.test_zarr import write_zarr
from treeline.toolkit.containers.arrays import Array, open_arrays
from treeline.toolkit.containers.conventions import _read_crs
from treeline.toolkit.errors import RasterUnreadable

_FILES = {2: (".zarray", ".zattrs"), 3: ("zarr.json",)}


def consolidate(store: Path, version: int, arrays: dict[str, Path]) -> None:
    """Write the metadata of arrays into the store's list of all that it holds, by the names given."""
    stated = {
        name if version == 3 else f"{name}/{file}": json.loads((folder / file).read_text())
        for name, folder in arrays.items()
        for file in _FILES[version]
    }
    if version == 2:
        listed = {"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}, **stated}}
        (store / ".zmetadata").write_text(json.dumps(listed))
        return
    listed = {"kind": "inline", "must_understand": False, "metadata": stated}
    root = json.loads((store / "zarr.json").read_text())
    (store / "zarr.json").write_text(json.dumps({**root, "consolidated_metadata": listed}))


@pytest.mark.parametrize("version", [2, 3])
def test_a_store_of_zarr_lists_no_array_outside_of_itself(tmp_path: Path, version: int) -> None:
    own, private = tmp_path / "own.zarr", tmp_path / "private.zarr"
    for store in (own, private):
        write_zarr(store, version)
    consolidate(own, version, {"LST": own / "LST"})
    with open_arrays(own) as arrays:
        assert list(arrays.by_path) == ["LST"], "the list is followed"
    for outside in ("../private.zarr/LST", "LST/../../private.zarr/LST", str(private / "LST")):
        consolidate(own, version, {outside: private / "LST"})
        try:
            with open_arrays(own) as arrays:
                read = [_read(array) for array in arrays.by_path.values()]
        except RasterUnreadable:
            continue
        assert not [values for values in read if np.abs(values).max() > 0], outside


def _read(array: Array) -> np.ndarray:
    values = array.read(tuple(slice(0, 4) for _ in array.shape))
    return np.where(values == array.attributes.get("_FillValue"), 0, values)


@pytest.mark.parametrize("attribute", ["crs_wkt", "spatial_ref", "horizontal_datum_name"])
def test_a_grid_mapping_that_names_a_file_is_refused_before_it_is_followed(
    tmp_path: Path, attribute: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    attributes = {"grid_mapping_name": "latitude_longitude", attribute: GRIDS.format(tmp_path / "pipe")}
    with quickly(), pytest.raises(RasterUnreadable, match="names another file"):
        _read_crs(attributes, "a.nc")
