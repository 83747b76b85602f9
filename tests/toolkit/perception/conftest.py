from __future__ import annotations

import pytest

from tests.workplace import Workplace


@pytest.fixture
def workplace(tmp_path):
    return Workplace(tmp_path)
