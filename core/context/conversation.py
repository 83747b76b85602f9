"""The conversation as a language model is sent it, rebuilt from the decision state at each turn.

The beginning never changes during a run: system text, tools, context, question, then the steps in
order. What is appended to a step depends on that step and those before it alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from treeline.core.context.digest import differences, digest_sections, is_alike, names_of
from treeline.core.context.folds import WINDOW, Size, folds, is_served
from treeline.core.context.foreign_text import DATA, indent_headings
from treeline.core.context.functions import DEFINITIONS, arguments_of
from treeline.core.context.pictures import picture_messages
from treeline.core.context.tokens import count_tokens
from treeline.core.engine.actions import Observation, action_name
from treeline.core.engine.state import State, Step

Message = dict[str, Any]

# Twice in a row may be a retry; three times is a loop.
REPEATS = 3

# What the form of a chat adds to each message: markers of role, beginning and end.
MESSAGE_OVERHEAD = 4

_LONGEST_THOUGHT = 1_500

SYSTEM = f"""\
You are a remote-sensing analyst and answer a question about a workspace's rasters by tools in kits. Open \
no more than you need.

- Call functions after a sentence on why; several in one message are carried out in order. \
Answer in a message without other calls.
- A raster is a file name, a collection a handle: @ndvi in order of time, of it @ndvi[2021-07] or \
@ndvi[2021-06:2021-08]; prefer handles to lists. @result4 is the result of step 4.
- Mind quantities and units: reflectance is not radiance, brightness not surface temperature, K not °C.
- Heed the hint of a refusal; the same action is refused again.
- Every number in the answer comes from a result here, at its precision, and has its step behind it: \
0.69 [5]. So do numbers that you hand to arithmetic come from results. If the question can be meant in ways \
that differ, ask back by asks; if the workspace lacks what is needed, answer with declined true and what \
would be needed.
- {DATA}
"""

_TITLES = {
    "tree": "Kits",
    "documents": "Documents of tools that may be called",
    "open": "Tools that may always be called",
    "cards": "Advice on tasks of this kind",
    "memory": "What was learned earlier",
    "catalogue": "Workspace",
    "holdings": "What the data hold",
    "area": "Area of interest",
    "before": "What was asked before",
    "meant": "What is meant",
    "whole": "The team's question, of which yours is a part",
    "read": "Documents read, in short",
    "opened": "Kits opened, by name",
    "digest": "Earlier steps in short, with all that they gave",
}


def letters(choices: Sequence[str]) -> dict[str, str]:
    """Return the options by letter, A first."""
    return {chr(ord("A") + index): text for index, text in enumerate(choices)}


def conversation(
    state: State, remarks: Mapping[int, str] | None = None, folded: int = 0, sees: bool = False
) -> list[Message]:
    """Return the messages of a state.

    Parameters
    ----------
    remarks : mapping of int to str, optional
        What a step's observation is followed by, by step number.
    folded : int
        So many of the oldest steps are shortened: of documents what a call needs, of listings the
        names, of the others a digest.
    sees : bool
        Pictures that steps drew are shown behind them.
    """
    messages: list[Message] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "\n\n".join(sections(state, folded).values())},
    ]
    for turn in turns(state.steps[folded:]):
        messages.append(request_of(turn))
        for step in turn:
            remark = (remarks or {}).get(step.number, "")
            warning = repetition(state.steps[: step.number])
            served = is_served(step, state.steps[step.number :])
            messages.append(observation_of(step, [warning, remark], served))
        messages += picture_messages(turn) if sees else ()
    return messages


def without_parts(state: State, parts: Collection[str]) -> State:
    """Return a state without some parts of its context."""
    if not parts:
        return state
    return replace(state, context={name: text for name, text in state.context.items() if name not in parts})


def turns(steps: Sequence[Step]) -> list[list[Step]]:
    """Return steps by the message of the model that asked for them."""
    found: list[list[Step]] = []
    for step in steps:
        if step.joined and found:
            found[-1].append(step)
        else:
            found.append([step])
    return found


def folds_of(state: State, window: int = WINDOW) -> list[int]:
    """Return how many of the oldest steps are shortened before each step, and after the last."""
    beginning = definition_tokens() + count_tokens(SYSTEM) + sum(map(count_tokens, sections(state).values()))
    sizes = [
        _size(step, state.steps[:place], state.steps[place + 1 :]) for place, step in enumerate(state.steps)
    ]
    return list(folds(sizes, beginning, window))


def count_folded_steps(state: State, window: int = WINDOW) -> int:
    """Return how many of the oldest steps the context of a state tells in short."""
    return folds_of(state, window)[-1]


def _size(step: Step, earlier: Sequence[Step], later: Sequence[Step]) -> Size:
    if is_alike(step, earlier):
        short = count_tokens(differences(step))
    else:
        short = sum(map(count_tokens, digest_sections([step]).values()))
    return Size(step_tokens(step, is_served(step, later)), short)


@cache
def definition_tokens() -> int:
    """Return the tokens of the functions that a model is offered."""
    return count_tokens(json.dumps(DEFINITIONS, separators=(",", ":")))


def step_tokens(step: Step, served: bool = False) -> int:
    """Return the tokens of a step's messages: thought, action and observation."""
    total = 0
    for message in (request_of([step]), observation_of(step, served=served)):
        calls = "".join(call["function"]["arguments"] for call in message.get("tool_calls", ()))
        said = message["content"] + message.get(step.reasoning.field, "")
        total += count_tokens(said) + count_tokens(calls) + MESSAGE_OVERHEAD
    return total


def repetition(steps: Sequence[Step]) -> str:
    """Return a warning when the last steps are one action over and over; else nothing."""
    if not steps:
        return ""
    count = 0
    for step in reversed(steps):
        # Only the same action in a row is a loop; the same call after another one may see new products.
        if step.action != steps[-1].action:
            break
        count += 1
    if count < REPEATS:
        return ""
    return (
        f"You have now taken the same action {count} times in a row, with the same outcome. "
        "Take a different one, or answer with what you have."
    )


def sections(state: State, folded: int = 0) -> dict[str, str]:
    """Return the sections of the first message by part: the context, ``question``, then what is folded."""
    # In the order of the titles, whatever order the context was put together in: the same beginning is what
    # an endpoint caches.
    ordered = dict.fromkeys([*_TITLES, *state.context])
    texts = {part: state.context[part] for part in ordered if state.context.get(part)}
    texts = {part: indent_headings(text) for part, text in texts.items()}
    texts["question"] = state.question
    if state.choices:
        options = "\n".join(f"{letter}. {text}" for letter, text in letters(state.choices).items())
        texts["question"] += f"\n\nOptions:\n{options}"
    texts |= digest_sections(state.steps[:folded])
    return {part: f"# {_TITLES.get(part, part.capitalize())}\n\n{text}" for part, text in texts.items()}


def request_of(turn: Sequence[Step]) -> Message:
    """Return the message in which a model asked for steps, with what it thought where that goes back."""
    first = turn[0]
    message: Message = {
        "role": "assistant",
        "content": _said(first) or first.action.kind,  # some endpoints take no empty message
        "tool_calls": [
            {
                "id": _identifier(step),
                "type": "function",
                "function": _function_of(step),
                **json.loads(step.reasoning.beside or "{}"),
            }
            for step in turn
        ],
    }
    if first.reasoning.field:
        message[first.reasoning.field] = first.reasoning.text
    return message


def _said(step: Step) -> str:
    """Return what a model said before it called; what it reasoned goes back in its own field alone."""
    reasoned = step.reasoning.text
    if step.thought in reasoned or json.dumps(step.thought)[1:-1] in reasoned:
        return ""
    return _shorten(step.thought, _LONGEST_THOUGHT)


def _identifier(step: Step) -> str:
    # Nine letters and digits: some endpoints accept no other form of identifier.
    return f"step{step.number:05d}"


def _function_of(step: Step) -> Message:
    return {"name": step.action.kind, "arguments": arguments_of(step.action)}


def observation_of(step: Step, remarks: Sequence[str] = (), served: bool = False) -> Message:
    """Return the message of a step's observation, followed by remarks.

    Of a listing that has served, the names stay and the briefs go.
    """
    observed = _names(step) if served else _describe_observation(step.number, step.observation)
    text = "\n".join([observed, *filter(None, remarks)])
    return {"role": "tool", "tool_call_id": _identifier(step), "content": text}


def _names(step: Step) -> str:
    return f"[step {step.number}] information: tools of {action_name(step.action)} by name: {names_of(step)}"


def _describe_observation(number: int, observation: Observation) -> str:
    lines = [f"[step {number}] {observation.kind}: {indent_headings(observation.text)}"]
    if not observation.is_success:
        lines += [f"warning: {indent_headings(warning)}" for warning in observation.warnings]
    if observation.hint:
        lines.append(f"hint: {indent_headings(observation.hint)}")
    return "\n".join(lines)


def _shorten(text: str, longest: int) -> str:
    text = text.strip()
    return text if len(text) <= longest else f"{text[: longest - 4]} ..."
