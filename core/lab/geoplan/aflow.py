"""AFlow's workflow for plans, as HTAM (arXiv 2511.17198), supplement 8.5, prints what its search found.

A first plan, refined, then checked for tools that are missing; of the three the most consistent is taken,
compared with what every plan must have, and brought into its form. The search itself is not made again.
"""

from __future__ import annotations

import re
from string import ascii_uppercase

from treeline.core.lab.geoplan.model_planners import AS_ARRAY, Advisor

_TASK = "The task:\n{question}\n\n"
_GENERATE = (
    f"{_TASK}Think step by step about the kind of task, the order from getting the data over preparing and "
    f"analysing it to what is delivered, and the tools for each step. {AS_ARRAY}"
)
_REFINE = (
    f"{_TASK}A first plan:\n{{plan}}\n\nImprove it: leave out what the task does not need, add what it "
    f"lacks, correct the order. {AS_ARRAY}"
)
_VERIFY = (
    f"{_TASK}The plan so far:\n{{plan}}\n\nDoes it have the tools that get the data, correct them, analyse "
    f"them for this task, and format and report the result? Add what is missing in its place. {AS_ARRAY}"
)
_AGREE = (
    f"{_TASK}Several plans were made for it:\n\n{{plans}}\n\nWhich agrees best with the others and with the "
    "task? Say why in a sentence, then end with its letter on a line of its own."
)
_VALIDATE = (
    f"{_TASK}The plan:\n{{plan}}\n\nHold it against these rules: imagery is downloaded, then corrected "
    "geometrically, then for the atmosphere; clouds are masked after that; the last tool formats the data or "
    f"writes the report. Change only what breaks a rule. {AS_ARRAY}"
)
_FORMAT = f"{_TASK}The plan:\n{{plan}}\n\nGive this plan in its form alone. {AS_ARRAY}"
_LETTER = re.compile(r"\b([A-Z])\b")

CALLS = 6
"""How often a model is asked for one plan."""


def aflow(advisor: Advisor, question: str) -> list[str]:
    """Return the plan that the printed workflow ends with."""
    first = advisor.ask(_GENERATE.format(question=question))
    refined = advisor.ask(_REFINE.format(question=question, plan=first))
    verified = advisor.ask(_VERIFY.format(question=question, plan=refined))
    agreed = _agree(advisor, question, [first, refined, verified])
    validated = advisor.ask(_VALIDATE.format(question=question, plan=agreed))
    return advisor.path(advisor.ask(_FORMAT.format(question=question, plan=validated)))


def _agree(advisor: Advisor, question: str, plans: list[str]) -> str:
    """Return the plan that the model takes; the last of them where it names none, which is counted."""
    letters = ascii_uppercase[: len(plans)]
    listed = "\n\n".join(f"{letter}:\n{plan}" for letter, plan in zip(letters, plans, strict=True))
    reply = advisor.ask(_AGREE.format(question=question, plans=listed))
    named = [letter for letter in _LETTER.findall(reply) if letter in letters]
    advisor.malformed_replies += not named
    # The last letter is the choice: the sentence before it may name others.
    return plans[letters.index(named[-1])] if named else plans[-1]
