"""The table of the profile against the reference is fresh, and made anew from a checkout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.toolkit.profiles import reference

CHECKOUT = """
import argparse
from an_absent_server import FastMCP

mcp = FastMCP()
TEMP_DIR = argparse.ArgumentParser().parse_args(["--temp_dir"]).temp_dir


@mcp.tool()
def difference(a, b):
    return abs(b - a)


@mcp.tool()
def calculate_batch_ndvi(input_nir_paths, input_red_paths, output_paths):
    import numpy as np
    import rasterio
    saved = []
    for nir, red, output in zip(input_nir_paths, input_red_paths, output_paths):
        with rasterio.open(nir) as first, rasterio.open(red) as second:
            a, b, profile = first.read(1).astype("float32"), second.read(1).astype("float32"), first.profile
        profile.update(dtype="float32", nodata=-9999)
        with rasterio.open(TEMP_DIR / output, "w", **profile) as written:
            written.write((a - b) / (a + b + np.float32(1e-6)), 1)
        saved.append(f"Result save at {TEMP_DIR / output}")
    return saved


@mcp.tool()
def mean(x):
    return sum(x) / len(x) + 1
"""


def test_the_table_is_fresh() -> None:
    """Made by ``python -m tests.toolkit.profiles.reference``."""
    assert reference.PAGE.read_text("utf-8") == reference.page()


def test_figures_are_made_anew_from_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agent" / "tools").mkdir(parents=True)
    (tmp_path / "agent" / "tools" / "Statistics.py").write_text(CHECKOUT)
    made = reference.made_anew(tmp_path)
    file = tmp_path / "reference.json"
    file.write_text(json.dumps(made))
    monkeypatch.setattr(reference, "FIGURES", file)
    lines = [line for line in reference.page().splitlines() if line.startswith("| `")]
    rows = {line.split("`")[1]: line.split(" | ")[1:4] for line in lines}
    assert rows["calculate_batch_ndvi"][:2] == ["1", "1"]
    assert rows["difference"][1] == rows["difference"][0] != "none"
    assert rows["mean"][1] == "0"
    assert rows["compute_tvdi"][0] == "none"
