"""Backscatter as it is delivered and in decibels: calibrated first, and never divided or added up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.core.policies.planner.test_fills import ask_folder
from tests.rasters import write_raster
from tests.toolkit.radar.test_calibration import DN, gain, noise_there, write_product


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_amplitudes_are_calibrated_by_what_lies_beside_them(folder: Path, tmp_path: Path) -> None:
    write_product(folder)
    finished = ask_folder("What is the mean VV backscatter in dB?", folder, tmp_path)
    power = DN.astype(float) ** 2 - noise_there()
    power[0, :5] = np.nan
    decibels = 10 * np.log10(np.where(power > 0, power, np.nan) / gain("sigmaNought") ** 2)
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(np.nanmean(decibels), rel=1e-5)
    assert "Sigma0" in finished.answer.text


def test_amplitudes_alone_are_refused(folder: Path, tmp_path: Path) -> None:
    write_product(folder, noise=False)
    finished = ask_folder("What is the mean VV backscatter in dB?", folder, tmp_path)
    assert finished.status != "answered" and "calibrate_sentinel1" in finished.answer.text


# JAXA: gamma nought of the mosaics is 20 log10(DN) - 83.
def test_amplitudes_of_palsar_become_decibels(folder: Path, tmp_path: Path) -> None:
    amplitudes = np.linspace(2000, 6000, 1024).reshape(32, 32).astype("uint16")
    amplitudes[0, 0] = 0  # no data
    write_raster(folder / "N45E012_20_sl_HV_F02DAR.tif", amplitudes)
    finished = ask_folder("What is the mean HV backscatter in 2020?", folder, tmp_path)
    expected = 20 * np.log10(amplitudes.ravel()[1:].astype(float)) - 83
    assert finished.status == "answered"
    assert finished.answer.value == pytest.approx(expected.mean(), abs=1e-3)


# Microsoft Planetary Computer, Sentinel-1 RTC: gamma nought in linear power.
def test_power_is_told_in_decibels_after_it_is_averaged(folder: Path, tmp_path: Path) -> None:
    power = np.linspace(0.01, 0.4, 1024).reshape(32, 32).astype("float32")
    write_raster(folder / "S1A_IW_GRDH_1SDV_20210712T171610_20210712T171635_038745_049262_rtc_vv.tif", power)
    finished = ask_folder("What is the mean VV backscatter in dB?", folder, tmp_path)
    assert (finished.status, finished.answer.unit) == ("answered", "dB")
    assert finished.answer.value == pytest.approx(10 * np.log10(power.mean()), rel=1e-4)


@pytest.fixture
def pair(folder: Path) -> Path:
    rows = np.linspace(0, 2, 32)[:, None] + np.zeros(32)
    for day, lower in (("2021-06-15", 0.0), ("2021-08-15", 2.0)):
        write_raster(folder / f"S_{day}_VV.tif", (-8 - rows - lower).astype("float32"))
        write_raster(folder / f"S_{day}_VH.tif", (-15 - 2 * rows - lower).astype("float32"))
    return folder


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the mean ratio of VH to VV on 2021-06-15?", -8.0),
        ("What is the ratio of mean VH to mean VV on 2021-06-15?", -8.0),
        ("What is the mean change of VV from June to August 2021?", -2.0),
    ],
)
def test_ratios_of_decibels_are_differences(pair: Path, tmp_path: Path, question: str, value: float) -> None:
    finished = ask_folder(question, pair, tmp_path)
    assert finished.status == "answered" and finished.answer.unit == "dB"
    assert finished.answer.value == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize(
    "question",
    [
        "By how many percent did the mean VV change from June to August 2021?",
        "What is the mean normalised difference of VV and VH on 2021-06-15?",
        "What is the sum of VV on 2021-06-15?",
    ],
)
def test_what_means_nothing_of_decibels_is_refused(pair: Path, tmp_path: Path, question: str) -> None:
    finished = ask_folder(question, pair, tmp_path)
    assert finished.status == "declined" and "ecibels" in finished.answer.text
