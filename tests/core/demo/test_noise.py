from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treeline.core.demo.noise import fractal, generator, rotate, step


@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**31),
    size=st.integers(16, 90),
    wavelength=st.floats(4, 200),
    exponent=st.floats(2, 4),
)
def test_fractal_is_standardised_and_repeatable(seed, size, wavelength, exponent):
    field = fractal(generator(seed, "test"), size, wavelength, exponent)
    assert field.shape == (size, size) and field.dtype == np.float32
    assert field.mean() == pytest.approx(0, abs=1e-3)
    assert field.std() == pytest.approx(1, abs=1e-3)
    np.testing.assert_array_equal(field, fractal(generator(seed, "test"), size, wavelength, exponent))


def test_subjects_have_their_own_numbers():
    one, other = (generator(7, subject).random(50) for subject in ("terrain", "fire"))
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.5


def test_longer_wavelengths_are_smoother():
    roughness = [
        np.abs(np.diff(fractal(generator(3, "test"), 200, wavelength))).mean() for wavelength in (8, 30, 120)
    ]
    assert roughness == sorted(roughness, reverse=True)


@given(
    values=st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30),
    low=st.floats(-100, 100),
    width=st.floats(0.01, 100),
)
def test_step_rises_from_nothing_to_one(values, low, width):
    ordered = np.sort(np.array(values))
    shares = step(ordered, low, low + width)
    assert np.all((shares >= 0) & (shares <= 1))
    assert np.all(np.diff(shares) >= -1e-6)
    assert np.all(shares[ordered <= low] == 0)
    assert np.all(shares[ordered >= low + width + 1e-6] == pytest.approx(1))


@given(
    degrees=st.floats(-360, 360), row=st.floats(-100, 100, width=32), column=st.floats(-100, 100, width=32)
)
def test_rotation_keeps_lengths(degrees, row, column):
    along, across = rotate(np.array([row], np.float32), np.array([column], np.float32), degrees)
    assert np.hypot(along, across)[0] == pytest.approx(np.hypot(row, column), rel=1e-4, abs=1e-4)
