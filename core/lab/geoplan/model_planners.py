"""Planners that ask a language model: the baselines of HTAM (arXiv 2511.17198), section 5 and supplement 8.

Chain of thought (Wei et al. 2022), ReAct (Yao et al. 2023), plan and execute (Wang et al. 2023),
debate (Du et al. 2023) with three debaters, opening statements, two rounds and a judge.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import get_close_matches
from typing import NamedTuple

from treeline.core.context.conversation import Message
from treeline.core.engine.actions import TokenUse
from treeline.core.memory.model_reflection import reflection_exchange
from treeline.core.settings import Endpoint
from treeline.toolkit.errors import BackendMissing

_DEBATERS = 3
_ROUNDS = 2
MOST_ACTIONS = 25
MOST_STEPS = 12
_ARRAY = re.compile(r"\[[^\[\]]*\]", re.DOTALL)
_ACTION = re.compile(r"^\W*action\W*:\W*(\w+)", re.IGNORECASE | re.MULTILINE)
NUMBERED = re.compile(r"^\s*(?:\d+[.)]|[-*])\s+(.+)$", re.MULTILINE)
_FINISH = "finish"

_BASE = (
    "You plan remote-sensing tasks. A plan is the sequence of tools to be called, from getting the data to "
    "the final product; the tools are not run. These are the tools:\n\n{tools}"
)
AS_ARRAY = 'End with the plan as one JSON array of tool names in their order, such as ["a", "b"].'
_THINK = f"Think step by step about what the task needs, in a few sentences. {AS_ARRAY}"
_ACT = (
    "Work on the task one tool at a time. Each reply has two lines:\nThought: what is needed next\n"
    f"Action: the name of one tool, or {_FINISH} when nothing more is needed"
)
_OUTLINE = (
    f"Write the steps that the task takes as a numbered list, at most {MOST_STEPS}, one line each, without "
    "naming tools."
)
_CARRY_OUT = "This is the step to carry out now:\n{step}\n\nReply with a JSON array of the tools that do it."
_REVISE = (
    "These are the plans of all debaters, yours is number {own}:\n\n{plans}\n\nSay what is better in theirs "
    f"and what in yours, and revise your plan. {AS_ARRAY}"
)
_SETTLE = (
    "You are the judge of a debate about a plan for this task:\n{question}\n\nThe debaters' last plans:\n\n"
    f"{{plans}}\n\nMake one plan of what is right in them. {AS_ARRAY}"
)


class Usage(NamedTuple):
    """Replies of a model, and the tokens that it read and wrote."""

    calls: int
    read: int
    written: int


NO_USAGE = Usage(0, 0, 0)


class Advisor:
    """A language model that is asked for plans over some tools.

    Parameters
    ----------
    tools : mapping of str to str
        Descriptions by name.

    Attributes
    ----------
    malformed_replies : int
        Replies that lacked the form that was asked for.

    Raises
    ------
    BackendMissing
        No model is named, or neither an address nor a key is given.
    """

    def __init__(self, endpoint: Endpoint, tools: Mapping[str, str], stop: threading.Event) -> None:
        self._exchange = reflection_exchange(endpoint)
        self._stop = stop
        self.malformed_replies = 0
        self._used: list[TokenUse] = []
        self._names = {name.casefold(): name for name in tools}
        listed = "\n".join(f"- {name}: {text}" if text else f"- {name}" for name, text in tools.items())
        self._system: Message = {"role": "system", "content": _BASE.format(tools=listed)}

    def say(self, messages: Sequence[Message]) -> str:
        """Return the model's reply to a conversation about the tools.

        Raises
        ------
        EndpointError
        Stopped
        """
        reply = self._exchange.reply([self._system, *messages], lambda text: None, self._stop)
        self._used.append(reply.tokens)
        return reply.text

    @property
    def usage(self) -> Usage:
        """Replies so far, and the tokens that were read and written for them."""
        # Copied, since debaters add to it from threads of their own.
        used = list(self._used)
        return Usage(len(used), sum(use.input for use in used), sum(use.output for use in used))

    def ask(self, text: str) -> str:
        """Return the model's reply to one message."""
        return self.say([{"role": "user", "content": text}])

    def canonical_name(self, name: str) -> str | None:
        """Return a tool's name as it is written; ``None`` where there is none of that name."""
        return self._names.get(name.strip().casefold())

    def nearest(self, name: str) -> list[str]:
        """Return the names most like one that there is not."""
        return [self._names[each] for each in get_close_matches(name.casefold(), self._names, 3)]

    def path(self, text: str) -> list[str]:
        """Return the tools of the last list in a reply; a reply without a list counts as malformed."""
        return self._list_known(text, self._names)

    def number_in(self, text: str) -> int | None:
        """Return the whole number of the last list in a reply; ``None`` where it holds none."""
        found = _ARRAY.findall(text)
        number = found[-1].strip("[] \n") if found else ""
        return int(number) if number.isdigit() else None

    def names_in(self, text: str, names: Sequence[str]) -> list[str]:
        """Return those of some names that the last list in a reply holds, in its order; as :meth:`path`."""
        return self._list_known(text, {name.casefold(): name for name in names})

    def _list_known(self, text: str, known: Mapping[str, str]) -> list[str]:
        # The last list is the plan: thoughts before it hold lists too.
        for found in reversed(_ARRAY.findall(text)):
            try:
                items = json.loads(found)
            except ValueError:
                continue
            names = [known.get(item.strip().casefold()) for item in items if isinstance(item, str)]
            return [name for name in names if name]
        self.malformed_replies += 1
        return []


def chain_of_thought(advisor: Advisor, question: str) -> list[str]:
    """Return the plan that one chain of thoughts ends with."""
    return advisor.path(advisor.ask(f"{question}\n\n{_THINK}"))


def react(advisor: Advisor, question: str) -> list[str]:
    """Return the tools that were named one after the other, each after a thought."""
    messages: list[Message] = [{"role": "user", "content": f"{question}\n\n{_ACT}"}]
    path: list[str] = []
    for _ in range(MOST_ACTIONS):
        reply = advisor.say(messages)
        action = _ACTION.search(reply)
        # A bool counts as 0 or 1.
        advisor.malformed_replies += action is None
        if action is None or action[1].casefold() == _FINISH:
            break
        tool = advisor.canonical_name(action[1])
        if tool is not None:
            path.append(tool)
            seen = f"Observation: {tool} is done."
        else:
            near = ", ".join(advisor.nearest(action[1]))
            seen = f"Observation: there is no tool {action[1]}; nearest: {near}."
        messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": seen}]
    return path


def plan_and_execute(advisor: Advisor, question: str) -> list[str]:
    """Return the tools of each step of a plan that is made once and not changed."""
    outline = advisor.ask(f"{question}\n\n{_OUTLINE}")
    steps = NUMBERED.findall(outline)[:MOST_STEPS]
    advisor.malformed_replies += not steps
    path: list[str] = []
    for step in steps:
        text = f"The task:\n{question}\n\nThe steps:\n{outline}\n\n{_CARRY_OUT.format(step=step)}"
        path += advisor.path(advisor.ask(text))
    return path


def debate(advisor: Advisor, question: str) -> list[str]:
    """Return the plan that a judge makes of those of three debaters after two rounds."""
    roles = [f"You are debater {number} of {_DEBATERS}." for number in range(1, _DEBATERS + 1)]
    said = side_by_side(advisor, [f"{role}\n\n{question}\n\n{_THINK}" for role in roles])
    for _ in range(_ROUNDS):
        plans = _number_texts(said)
        said = side_by_side(
            advisor,
            [
                f"{role}\n\n{question}\n\n{_REVISE.format(own=number, plans=plans)}"
                for number, role in enumerate(roles, start=1)
            ],
        )
    return advisor.path(advisor.ask(_SETTLE.format(question=question, plans=_number_texts(said))))


def side_by_side(advisor: Advisor, texts: Sequence[str]) -> list[str]:
    """Return the replies to some messages, asked at once."""
    if not texts:
        return []
    with ThreadPoolExecutor(len(texts)) as pool:
        return list(pool.map(advisor.ask, texts))


def _number_texts(said: Iterable[str]) -> str:
    return "\n\n".join(f"# Debater {number}\n\n{text}" for number, text in enumerate(said, start=1))


def check_model(endpoint: Endpoint | None, what: str) -> Endpoint:
    """Return the endpoint that a language model is asked at.

    Raises
    ------
    BackendMissing
        None is configured; says so in one sentence.
    """
    found = endpoint or Endpoint.from_environment()
    try:
        found.check()
    except BackendMissing:
        raise BackendMissing(
            f"{what} needs a language model, and no endpoint is configured: set TREELINE_MODEL, and "
            "OPENAI_BASE_URL or OPENAI_API_KEY."
        ) from None
    return found
