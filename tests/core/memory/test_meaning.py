"""Which variables a question names."""

from __future__ import annotations

import pytest

from treeline.core.memory.meaning import roles_in_question


@pytest.mark.parametrize(
    ("question", "roles"),
    [
        ("What is the mean enhanced vegetation index?", ("evi",)),  # and not NDVI, "the vegetation index"
        ("How high is the nighttime land surface temperature?", ("lst_night",)),
        ("Is NDVI higher where LST is low?", ("ndvi", "lst")),
        ("What is the mean temperature?", ()),
    ],
)
def test_the_longest_name_of_a_variable_is_meant(question: str, roles: tuple[str, ...]):
    assert sorted(roles_in_question(question)) == sorted(roles)
