"""What an element begins with is what the session has: a busy browser that makes it late would lose it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import assert_whole
from treeline.core.runs.options import RunOptions
from treeline.pages.parts.shared.services import Services

# What a person chose on a page before it was left, and what an address names, each another than is usual.
CHOSEN: dict[str, dict[str, Any]] = {
    "workbench.py": {
        "question": "What is the mean red?",
        "choices": "0.1\n0.2",
        "base": "Streets (OpenStreetMap)",
    },
    "compare.py": {
        "compare-question": "What is the mean red?",
        "compare-strategies": ["flat", "two_layer"],
        "compare-expert": "get_filelist",
        "price-input": 2.5,
    },
    "lab.py": {
        "lab-benchmark": "earth-bench",
        "lab-regime": "if",
        "lab-policy": "language",
        "lab-disclosure": "flat",
        "lab-team": "evolver",
        "lab-memory": "bench",
    },
    "data.py": {"catalogue-several-demo": True},
}
NAMED: dict[str, dict[str, Any]] = {
    "data.py": {
        "catalogue-grouping-demo": "Dates",
        "catalogue-words-demo": "red",
        "catalogue-roles-demo": ["red"],
    },
    "runs.py": {"history-status": ["answered"], "history-search": "red"},
    "tools.py": {"kit": "Statistics", "tool-search": "mean"},
}
SIDEBAR = {
    "endpoint-url": "http://127.0.0.1:9/v1",
    "endpoint-model": "m",
    "endpoint-vision": "v",
    "endpoint-key": "secret",
    "model-form": "responses",
    "model-effort": "high",
    "model-sees": True,
    "model-headers": "A: B",
    "policy": "language",
}


def begun_and_held(app: AppTest) -> Iterator[tuple[str, Any, Any]]:
    """Yield what each element with a key begins with, and what it holds."""
    for kind in ("text_input", "text_area", "toggle", "checkbox"):
        for element in getattr(app, kind):
            yield element.key, element.proto.default, element.value
    for element in app.number_input:
        yield element.key, element.proto.default if element.proto.HasField("default") else None, element.value
    for kind in ("selectbox", "radio"):
        for element in getattr(app, kind):
            begun = element.proto.default if element.proto.HasField("default") else None
            yield element.key, begun, element.index
    for element in app.multiselect:
        yield element.key, sorted(element.proto.default), sorted(element.indices)
    for element in app.get("button_group"):
        yield element.key, list(element.proto.default), list(element.indices)


@pytest.mark.parametrize("page", ["workbench.py", "compare.py", "lab.py", "data.py", "runs.py", "tools.py"])
def test_elements_begin_with_what_the_session_has(app: AppTest, served: Services, page: str) -> None:
    served.store.create_run("r", "demo", "What is the mean red?", RunOptions().to_json())
    chosen, named = CHOSEN.get(page, {}), NAMED.get(page, {})
    app.session_state["kept"] = {**SIDEBAR, **chosen}
    app.run()
    app.query_params.update(named)
    app.switch_page(page).run()
    assert_whole(app)
    found = {key: (begun, held) for key, begun, held in begun_and_held(app) if key}
    assert {key: pair for key, pair in found.items() if pair[0] != pair[1]} == {}
    missing = (SIDEBAR.keys() | chosen.keys() | named.keys()) - found.keys()
    assert missing == set()
