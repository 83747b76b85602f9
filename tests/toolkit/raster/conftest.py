"""A context over a temporary folder, with files described by their own metadata."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rasters import PlainResolver
from treeline.toolkit.context import ToolContext, use_context


@pytest.fixture
def resolver(tmp_path: Path) -> PlainResolver:
    return PlainResolver(tmp_path)


@pytest.fixture
def context(tmp_path: Path, resolver: PlainResolver) -> Iterator[ToolContext]:
    with use_context(ToolContext(output_folder=tmp_path, resolver=resolver, threads=2)) as context:
        yield context
