"""Values that cannot be are left out, with a word to the person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from treeline.toolkit.context import ToolContext, use_context
from treeline.toolkit.plausible import keep_plausible, limit_result, limiter, limiter_of
from treeline.toolkit.variables import VARIABLES

LOW, HIGH = VARIABLES["evi"].plausible


@pytest.mark.parametrize(
    "make",
    [
        lambda: limiter(LOW, HIGH, "EVI"),
        lambda: limiter_of("evi"),
        lambda: lambda values: limit_result(lambda a: a, LOW, HIGH, "EVI")(a=values),
        lambda: lambda values: keep_plausible(lambda a: a, "evi")(a=values),
    ],
)
def test_both_ends_of_a_range_are_kept_and_what_lies_outside_is_not(
    make: Callable[[], Any], context: ToolContext
):
    with use_context(context):
        keep = make()
        ends = np.array([LOW, 0.0, HIGH], np.float32)
        assert keep(ends) is ends and not context.warnings
        found = keep(np.array([LOW - 0.01, LOW, HIGH, HIGH + 0.01], np.float32))
    assert np.isnan(found).tolist() == [True, False, False, True]
    (said,) = context.warnings
    assert "-1 to 2 are implausible" in str(said)
