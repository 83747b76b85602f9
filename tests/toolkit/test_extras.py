from __future__ import annotations

import sys

import pytest

from treeline.toolkit.errors import BackendMissing
from treeline.toolkit.extras import import_optional


def test_a_library_that_is_there_is_returned():
    assert import_optional("os.path", "none").sep


@pytest.mark.parametrize("module", ["statsmodels", "statsmodels.tsa.stattools"])
def test_a_library_that_is_absent_is_named_with_its_extra(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(BackendMissing, match="statsmodels") as caught:
        import_optional(module, "series")
    assert 'pip install "treeline[series]"' in caught.value.hint
