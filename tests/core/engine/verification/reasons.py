"""Why each answer that misstates its results is unverified, word for word.

``reasons.yaml`` lists them; who changes what is found, or its words, changes the list too, where a reviewer
sees whether each answer is still refused for what is wrong with it. ``python -m
tests.core.engine.verification.reasons`` writes it anew.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

LIST = Path(__file__).with_name("reasons.yaml")


@cache
def reasons() -> dict[str, dict[str, str]]:
    """Return the list: reasons by group of answers and name."""
    return yaml.safe_load(LIST.read_text("utf-8"))


def all_reasons() -> dict[str, dict[str, str]]:
    """Return why the answers are unverified now."""
    from tests.core.engine.verification import (
        test_cheats,
        test_misstatements,
        test_other_words,
        test_sentences,
    )

    return {
        "cheats": {name: told.why() for name, told in test_cheats.CHEATS.items()},
        "misstatements": {name: told.why() for name, told in test_misstatements.CHEATS.items()},
        "sentences": {name: told.why() for name, told in test_sentences.CHEATS.items()},
        "other_words": {
            name: test_other_words.told("cheats", name).why()
            for name in (*test_other_words.ANSWERS["cheats"], *test_other_words.FURTHER["cheats"])
        },
    }


if __name__ == "__main__":
    LIST.write_text(yaml.safe_dump(all_reasons(), allow_unicode=True, width=110, sort_keys=False), "utf-8")
