"""Random fields and smooth steps: the material that the demo's landscape is made of."""

from __future__ import annotations

import zlib

import numpy as np
import scipy.fft
from numpy.typing import NDArray

Field = NDArray[np.float32]
Mask = NDArray[np.bool_]


def generator(seed: int, subject: str) -> np.random.Generator:
    """Return the random generator of one subject, so that changing one leaves the others alone.

    Parameters
    ----------
    seed : int
        Seed of the whole landscape.
    subject : str
        What the numbers are for, such as ``terrain``.
    """
    return np.random.default_rng([seed, zlib.crc32(subject.encode())])


def fractal(rng: np.random.Generator, size: int, wavelength: float, exponent: float = 2.6) -> Field:
    """Return a smooth random field with mean 0 and standard deviation 1.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of the randomness.
    size : int
        Rows and columns.
    wavelength : float
        Longest wavelength, in pixels; longer ones are as weak as this one.
    exponent : float
        Fall of the power spectrum with frequency: 2 is rough, 4 is soft.

    Returns
    -------
    ndarray of float32, shape (size, size)
    """
    # The spectrum makes a periodic field; a margin is cut off so that the edges do not match.
    wide = scipy.fft.next_fast_len(int(size * 1.25) + 8, real=True)
    rows, columns = scipy.fft.fftfreq(wide)[:, None], scipy.fft.rfftfreq(wide)[None, :]
    amplitude = ((rows**2 + columns**2 + wavelength**-2) ** (-exponent / 4)).astype(np.float32)
    amplitude[0, 0] = 0.0
    spectrum = scipy.fft.rfft2(rng.standard_normal((wide, wide), np.float32)) * amplitude
    field = scipy.fft.irfft2(spectrum, s=(wide, wide))[:size, :size]
    return ((field - field.mean()) / field.std()).astype(np.float32)


def step(values: NDArray[np.floating], low: float, high: float) -> Field:
    """Return 0 below ``low``, 1 above ``high`` and a smooth S between them."""
    share = np.clip((values - low) / (high - low), 0.0, 1.0)
    return (share * share * (3.0 - 2.0 * share)).astype(np.float32)


def disperse(size: int, row: float, column: float, stretch: float = 1.0, degrees: float = 0.0) -> Field:
    """Return the elliptical distance of each pixel from a point, as a share of the size.

    Parameters
    ----------
    size : int
        Rows and columns.
    row, column : float
        The point, as shares of the size.
    stretch : float
        Length of the ellipse over its width.
    degrees : float
        Direction of its long axis, from the columns' axis towards the rows'.
    """
    rows, columns = np.mgrid[0:size, 0:size].astype(np.float32) / size
    along, across = rotate(rows - row, columns - column, degrees)
    return np.hypot(along / stretch**0.5, across * stretch**0.5).astype(np.float32)


def rotate(rows: Field, columns: Field, degrees: float) -> tuple[Field, Field]:
    """Return the coordinates along and across a direction."""
    angle = np.deg2rad(degrees)
    return (
        (columns * np.cos(angle) + rows * np.sin(angle)).astype(np.float32),
        (rows * np.cos(angle) - columns * np.sin(angle)).astype(np.float32),
    )
