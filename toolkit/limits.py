"""How much is read of what others wrote: limits beyond which a file is refused, far above ordinary files."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, fields

from treeline.toolkit.errors import InputError

SETTING = "TREELINE_LIMITS"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one file.

    Attributes
    ----------
    bands : int
        Of a raster.
    pixels : int
        Rows times columns of a GeoTIFF, which is read in parts.
    plain_pixels : int
        Rows times columns of a PNG or JPEG file, which is decoded from its first row on.
    upload : int
        Bytes of a file that is uploaded.
    free : int
        Bytes of the disk that an upload leaves free.
    features : int
        Of a vector file.
    members : int
        Files of an archive; variables and groups of an HDF5 file.
    unpacked : int
        Bytes that are taken out of an archive.
    seconds, memory : int
        Of reading a file once, and bytes, where it is read in a process of its own.
    """

    bands: int = 4_000
    pixels: int = 40_000_000_000
    plain_pixels: int = 200_000_000
    upload: int = 20 * 2**30
    free: int = 2**30
    features: int = 2_000_000
    members: int = 20_000
    unpacked: int = 50 * 2**30
    seconds: int = 60
    memory: int = 4 * 2**30

    @classmethod
    def from_environment(cls) -> Limits:
        """Read ``TREELINE_LIMITS``: ``bands=500 upload=2e9``; what it leaves out is the default.

        Raises
        ------
        InputError
            It names no such limit, or no positive number.
        """
        return cls(**read_numbers(SETTING, cls))


def read_numbers(setting: str, known_by: type, endless: Collection[str] = ()) -> dict[str, int]:
    """Read a setting such as ``bands=500 upload=2e9``: the fields of a dataclass and whole numbers above 0.

    Parameters
    ----------
    endless : collection of str
        Fields that may be 0 as well, which stands for no limit.

    Raises
    ------
    InputError
        It names no such field, or no positive number.
    """
    given = {}
    known = [field.name for field in fields(known_by)]
    for part in os.environ.get(setting, "").split():
        name, _, text = part.partition("=")
        try:
            # By way of a float, as people write 2e9.
            number = int(float(text))
        except (ValueError, OverflowError):
            number = -1
        if name not in known or number < (name not in endless):
            raise InputError(
                f"{setting} holds {part[:60]!r}.",
                f"Give {'=NUMBER '.join(known)}=NUMBER, or some of them.",
            )
        given[name] = number
    return given
