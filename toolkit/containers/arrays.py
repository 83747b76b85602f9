"""The arrays of NetCDF, HDF5 and Zarr, read in parts; what a file names outside of itself is never opened."""

from __future__ import annotations

import contextlib
import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treeline.toolkit.errors import RasterUnreadable
from treeline.toolkit.extras import import_optional
from treeline.toolkit.limits import Limits
from treeline.toolkit.opening import LARGEST_BLOCK

HDF5 = b"\x89HDF\r\n\x1a\n"
CLASSIC = (b"CDF\x01", b"CDF\x02")
# Zarr keeps each piece of an array in a file of its own, below folders for groups.
ZARR_FILES, ZARR_DEPTH = 100, 8
# What its pieces may be packed by; others, such as pickles, can do anything when they are read.
ZARR_CODECS = frozenset(
    {
        "zlib",
        "gzip",
        "bz2",
        "lzma",
        "zstd",
        "blosc",
        "lz4",
        "shuffle",
        "delta",
        "fixedscaleoffset",
        "bytes",
        "crc32c",
        "transpose",
        "sharding_indexed",
    }
)
# HDF5 keeps a dimension without values as a dataset that says so.
NO_VALUES = "This is a netCDF dimension but not a netCDF variable"


# Of an axis: no grid has more, and all of them are read.
LONGEST_AXIS = 10_000_000
_DAMAGED = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    RuntimeError,
    MemoryError,
    OverflowError,
)


@dataclass(frozen=True)
class Array:
    """A variable of a file.

    Attributes
    ----------
    path : str
        Its groups and its name, with slashes between.
    dimensions : tuple of str
        The paths of its dimensions, after which their coordinate variables are called.
    read : callable
        Takes a tuple of slices and returns these values as they are stored.
    """

    path: str
    dimensions: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: np.dtype
    attributes: Mapping[str, Any]
    read: Callable[[tuple[slice, ...]], NDArray[Any]]

    @property
    def name(self) -> str:
        """Its name without groups."""
        return self.path.rpartition("/")[2]

    @property
    def group(self) -> str:
        """Its groups."""
        return self.path.rpartition("/")[0]

    def text(self, name: str) -> str:
        """Return an attribute as text; empty if it has none."""
        value = self.attributes.get(name, "")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True)
class Arrays:
    """The variables of a file by their path, and what holds for all of it."""

    file: str
    by_path: Mapping[str, Array]
    attributes: Mapping[str, Any]

    def find_named(self, array: Array, name: str) -> Array | None:
        """Return a variable that another names: in its own group, or in one above."""
        groups = array.group.split("/") if array.group else []
        for depth in range(len(groups), -1, -1):
            found = self.by_path.get("/".join([*groups[:depth], name]).lstrip("/"))
            if found is not None:
                return found
        return self.by_path.get(name.lstrip("/"))


@contextlib.contextmanager
def open_arrays(path: Path) -> Iterator[Arrays]:
    """Open a NetCDF or HDF5 file, or a folder of Zarr, and yield its variables.

    Raises
    ------
    RasterUnreadable
        It is none of these, is damaged, or leads to other files.
    BackendMissing
        It is HDF5 or Zarr, and h5py or zarr is not installed.
    """
    start = b"" if path.is_dir() else _start(path)
    try:
        if path.is_dir():
            yield _zarr(path)
        elif start == HDF5:
            with _hdf5(path) as found:
                yield found
        elif start[:4] in CLASSIC:
            with _classic(path) as found:
                yield found
        else:
            raise RasterUnreadable(f"{path.name} is no NetCDF or HDF5 file (it begins {start!r}).")
    except _DAMAGED as error:
        raise RasterUnreadable(
            f"{path.name} cannot be read as NetCDF, HDF5 or Zarr ({error}).", "Copy or download it again."
        ) from error


def _start(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(8)


def _zarr(path: Path) -> Arrays:
    """Return the arrays of a folder of Zarr, version 2 or 3; links in it lead elsewhere and are refused."""
    zarr = import_optional("zarr", "zarr")

    most = Limits.from_environment().members
    for number, entry in enumerate(path.rglob("*")):
        if entry.is_symlink():
            raise RasterUnreadable(f"{path.name} holds a link ({entry.name}).", "Give its files themselves.")
        if number > ZARR_FILES * most:
            raise RasterUnreadable(f"{path.name} holds more than {ZARR_FILES * most:,} files.")
    root = zarr.open(store=zarr.storage.LocalStore(path, read_only=True), mode="r")
    if not isinstance(root, zarr.Group):
        raise RasterUnreadable(f"{path.name} is one array without axes.", "Give the group that holds them.")
    found: dict[str, Array] = {}
    for name, member in root.members(max_depth=ZARR_DEPTH):
        if isinstance(member, zarr.Array) and member.dtype.kind in "iuf":
            if len(found) >= most:
                raise RasterUnreadable(f"{path.name} holds more than {most:,} variables.")
            found[name] = _of_zarr(name, member, path.name)
    return Arrays(path.name, found, _plain(dict(root.attrs)))


def _codecs(stated: Any) -> Iterator[str]:
    """Yield the names of the codecs that the metadata of an array state, those within others too."""
    if isinstance(stated, Mapping):
        yield str(stated.get("id") or stated.get("name") or "")
        yield from _codecs(list((stated.get("configuration") or {}).get("codecs", ())))
        yield from _codecs(list((stated.get("configuration") or {}).get("index_codecs", ())))
    elif isinstance(stated, list | tuple):
        for each in stated:
            yield from _codecs(each)


def _of_zarr(name: str, array: Any, file: str) -> Array:
    stated = array.metadata.to_dict()
    packed = [stated.get(key) for key in ("compressor", "filters", "codecs", "storage_transformers")]
    others = {codec.removeprefix("numcodecs.") for codec in _codecs(packed)} - ZARR_CODECS
    if others:
        raise RasterUnreadable(f"{file} packs {name} by {sorted(others)[0]!r}, which is not read.")
    size = math.prod(array.chunks) * array.dtype.itemsize
    if size > LARGEST_BLOCK:
        raise RasterUnreadable(
            f"{file} stores {name} in pieces of {size // 2**20} MiB, too large to be read in parts."
        )
    attributes = dict(array.attrs)
    # xarray names the dimensions in an attribute in version 2, the format itself in version 3.
    stated = attributes.get("_ARRAY_DIMENSIONS") or getattr(array.metadata, "dimension_names", None) or ()
    group = name.rpartition("/")[0]
    names = [str(each or "") for each in stated] if len(stated) == array.ndim else []
    dimensions = tuple(f"{group}/{each}".lstrip("/") for each in names)
    # Zero is what the library states by default, and dry ground as well.
    if array.fill_value and array.ndim > 1:
        attributes.setdefault("_FillValue", array.fill_value)

    def read(parts: tuple[slice, ...]) -> NDArray[Any]:
        return np.asarray(array[parts])

    return Array(name, dimensions, tuple(array.shape), array.dtype, _plain(attributes), read)


@contextlib.contextmanager
def _classic(path: Path) -> Iterator[Arrays]:
    from scipy.io import netcdf_file

    # Mapped into memory, so that only what is read is loaded; the map goes with the last array of it.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with netcdf_file(path, "r", mmap=True, maskandscale=False) as opened:
            yield Arrays(
                path.name,
                {name: _of_classic(name, variable) for name, variable in opened.variables.items()},
                _plain(opened._attributes),
            )


def _of_classic(name: str, variable: Any) -> Array:
    data = variable.data

    def read(parts: tuple[slice, ...]) -> NDArray[Any]:
        return np.array(data[parts])

    return Array(
        name, tuple(variable.dimensions), tuple(data.shape), data.dtype, _plain(variable._attributes), read
    )


@contextlib.contextmanager
def _hdf5(path: Path) -> Iterator[Arrays]:
    h5py = import_optional("h5py", "hdf5")

    # Without a lock: some network drives have none, and the file is read alone.
    with h5py.File(path, "r", locking=False) as opened:
        most, seen, found = Limits.from_environment().members, set(), {}
        waiting = [("", opened)]
        while waiting:
            place, group = waiting.pop()
            for name in group:
                # A soft or external link leads elsewhere, perhaps to another file.
                if not isinstance(group.get(name, getlink=True), h5py.HardLink):
                    continue
                item = group[name]
                # Hard links may lead back to a group above, in a circle; each object has one address in the
                # file.
                address = h5py.h5o.get_info(item.id).addr
                if address in seen:
                    continue
                seen.add(address)
                if len(seen) > most:
                    raise RasterUnreadable(f"{path.name} holds more than {most:,} variables and groups.")
                inner = f"{place}/{name}".lstrip("/")
                if isinstance(item, h5py.Group):
                    waiting.append((inner, item))
                elif isinstance(item, h5py.Dataset):
                    found[inner] = _of_hdf5(inner, item, path.name)
        yield Arrays(path.name, found, _plain(opened.attrs))


def _of_hdf5(path: str, dataset: Any, file: str) -> Array:
    if dataset.external or dataset.is_virtual:
        raise RasterUnreadable(
            f"{file} keeps {path} in other files, which are not opened.", "Give a file that holds its data."
        )
    chunk = math.prod(dataset.chunks) * dataset.dtype.itemsize if dataset.chunks else 0
    if chunk > LARGEST_BLOCK:
        raise RasterUnreadable(
            f"{file} stores {path} in pieces of {chunk // 2**20} MiB, too large to be read in parts."
        )
    dimensions = tuple(_dimension(dataset, axis, path) for axis in range(dataset.ndim))
    attributes = _plain(dataset.attrs)
    if str(attributes.get("NAME", "")).startswith(NO_VALUES):
        dimensions = ()

    def read(parts: tuple[slice, ...]) -> NDArray[Any]:
        return np.asarray(dataset[parts])

    return Array(path, dimensions, tuple(dataset.shape), dataset.dtype, attributes, read)


def _dimension(dataset: Any, axis: int, path: str) -> str:
    """Return the path of the coordinate variable of a dimension, or a name that is no variable's."""
    scales = dataset.dims[axis]
    if len(scales):
        return str(scales[0].name).lstrip("/")
    if dataset.attrs.get("CLASS") == b"DIMENSION_SCALE":
        return path
    return str(scales.label) or f"{path}:{axis}"


def _plain(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return attributes as texts and numbers; what is neither is left out."""
    found: dict[str, Any] = {}
    for name in attributes:
        try:
            value = attributes[name]
        except (OSError, TypeError, KeyError):
            continue
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if isinstance(value, np.ndarray) and value.size == 1:
            value = value.reshape(-1)[0]
        if isinstance(value, np.bytes_):
            value = value.decode("utf-8", "replace")
        numeric = isinstance(value, np.ndarray) and value.dtype.kind in "iuf"
        if isinstance(value, str | int | float | np.number) or numeric:
            found[str(name)] = value
    return found
