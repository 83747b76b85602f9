"""Charts that are asked for end in a product; correlations of ranks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.core.policies.planner.conftest import Ask, answer_of
from tests.core.policies.planner.test_demo import lst, ndvi

DAY = "2022-07-18"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        (f"Show a histogram of LST on {DAY}", f"lst_histogram_{DAY}.png"),
        (f"scatter plot of NDVI and LST on {DAY}", "scatter.png"),
    ],
)
def test_a_chart_ends_in_a_product(ask: Ask, demo: Path, question: str, name: str) -> None:
    answer = answer_of(ask(question, demo))
    assert answer.map == name and name in answer.text
    assert "14,400 pixels" in answer.text


def test_a_histogram_says_where_most_pixels_lie(ask: Ask, demo: Path) -> None:
    values = lst(demo, DAY)
    counts, edges = np.histogram(values, np.linspace(values.min(), values.max(), 65))
    most = int(counts.argmax())
    text = answer_of(ask(f"Show a histogram of LST on {DAY}", demo)).text
    assert f"from {values.min():.2f} K to {values.max():.2f} K" in text
    assert f"({counts[most]:,}) between {edges[most]:.2f} K and {edges[most + 1]:.2f} K" in text


def test_spearmans_rho_of_pixels(ask: Ask, demo: Path) -> None:
    answer = answer_of(ask(f"Spearman correlation between NDVI and LST on {DAY}", demo))
    expected = stats.spearmanr(ndvi(demo, DAY).ravel(), lst(demo, DAY).ravel()).statistic
    assert answer.value == pytest.approx(expected, abs=1e-4)
    assert "rank correlation of NDVI" in answer.text
