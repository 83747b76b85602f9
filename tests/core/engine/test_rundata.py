"""Which file a path means."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from treeline.core.engine.rundata import RunData


@pytest.mark.parametrize(
    ("address", "files", "found"),
    [
        ("x/a.tif", ["/d/a.tif"], "/d/a.tif"),
        ("x/a.tif", ["/d/b.tif"], None),
        ("y/x/a.tif", ["/d/x/a.tif", "/e/y/x/a.tif"], "/e/y/x/a.tif"),  # the longest tail
        ("x/a.tif", ["/d/e/x/a.tif", "/d/x/a.tif"], "/d/x/a.tif"),  # the least deep
        ("x/a.tif", ["/d/x/a.tif", "/e/x/a.tif"], None),  # either
        ("a.tif", ["/d/a.tif", "/p/a.tif"], None),
        ("", ["/d/a.tif"], None),
    ],
)
def test_a_path_means_the_one_file_that_lies_most_as_it_says(
    address: str, files: list[str], found: str | None
):
    stub = SimpleNamespace(
        folder=Path("/run"), _products=("made.tif",), _files_like=lambda _: [Path(file) for file in files]
    )
    assert RunData.locate(stub, address) == found  # type: ignore[arg-type]
    assert RunData.locate(stub, "elsewhere/made.tif") == "/run/made.tif"  # type: ignore[arg-type]
