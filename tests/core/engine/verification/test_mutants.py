"""Of changes to honest answers few pass: of denials, and of numbers ten times as large."""

from __future__ import annotations

import pytest

from tests.core.engine.verification.mutants import OPERATIONS, honest_answers, mutants


@pytest.mark.parametrize(("operation", "most"), [("denial", 0.06), ("tenfold", 0.05)])
def test_few_changes_of_honest_answers_pass(operation: str, most: float):
    found = [*mutants(operation)]
    alive = [mutant for mutant in found if mutant.passes]
    assert len(found) > 200
    assert len(alive) <= most * len(found), [mutant.text for mutant in alive]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_changes_an_honest_answer(operation: str):
    mutant = next(mutants(operation))
    assert mutant.text != honest_answers()[mutant.name].text
