"""What a language model answered, and which action that is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from treeline.core.context.conversation import letters
from treeline.core.context.functions import ARGUMENTS, FUNCTIONS, find_function, main_field, tool_name
from treeline.core.context.json_reading import read_value
from treeline.core.engine.actions import Action, Answer, Call
from treeline.core.engine.state import State
from treeline.core.engine.values import make_readable
from treeline.core.engine.verification.carried_sentences import with_citations_of_text
from treeline.core.engine.verification.doubtful_sentences import (
    describe_doubts,
    find_doubtful_sentences,
)
from treeline.core.engine.verification.grounds import citation_remark
from treeline.core.engine.verification.missing_units import describe_missing_units, find_missing_units
from treeline.core.engine.verification.settling import is_carried_without
from treeline.core.policies.language.dialects import parse_calls
from treeline.core.policies.language.message import FunctionCall, Reply
from treeline.toolkit import registry
from treeline.toolkit.errors import InputError

# Where the prompt itself opened the thinking, only its end is in the message.
_THINKING = re.compile(
    r"(?:<think(?:ing)?>|<\|start_thinking\|>|\[think\]|\A(?=(?:(?!<think).)*</think))(.*?)"
    r"(?:</think(?:ing)?>|<\|end_thinking\|>|\[/think\]|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_TAGGED = re.compile(
    r"<answer>\s*(.*?)\s*</?answer>|^\W*Final Answer:\s*([^\n]+)", re.DOTALL | re.IGNORECASE | re.MULTILINE
)
# An answer that is a number with its unit, and nothing else.
_NUMBER = re.compile(r"^([-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*([^\d\s]\S*)?$")
# Letters. Some hundred sentences or rows; to verify far more takes minutes, and nobody reads them.
_LONGEST_ANSWER = 10_000
# So many calls of one message are carried out.
_MOST_CALLS = 24
_LETTER = re.compile(r"^\W*(?:option\s+)?([A-Z])\s*(?:[.):].*)?\W*$", re.IGNORECASE | re.DOTALL)


class Unclear(Exception):
    """A reply that is no action; the message tells the model what to do instead.

    Attributes
    ----------
    fallback : Answer, optional
        What the reply is taken for when the model insists.
    """

    def __init__(self, correction: str, fallback: Answer | None = None) -> None:
        super().__init__(correction)
        self.correction = correction
        self.fallback = fallback


def settle(reply: Reply, written: bool = True) -> Reply:
    """Return a reply with thinking told apart from text, and calls written as text made calls.

    Some servers pass on both as the model wrote them.

    Parameters
    ----------
    written : bool
        Whether the text may hold calls: functions were offered.
    """
    thinking = "\n".join(match.strip() for match in _THINKING.findall(reply.text))
    text, calls = _THINKING.sub("", reply.text).strip(), reply.calls
    if written:
        # Some servers pass a call on both as such and as it was written: it is no thought.
        text, found = parse_calls(text)
        calls = calls or found
    return replace(reply, text=text, reasoning=(reply.reasoning or thinking).strip(), calls=calls)


@dataclass(frozen=True, slots=True)
class Wanted:
    """An action that a reply asks for, and what its endpoint put beside the call of it."""

    action: Action
    beside: str = ""


def actions_of(reply: Reply, state: State) -> tuple[list[Wanted], list[str]]:
    """Return the actions that a reply asks for in their order, and why others of it are left out.

    An answer behind calls was written before their results were there; one before them ends the run. What is
    asked for twice is carried out once, and of very many only the first are: the run has to go on from them.

    Raises
    ------
    Unclear
        The reply is no action, or its first one is none.
    """
    if not reply.calls:
        raise _without_call(reply, state)
    first = reply.calls[0]
    wanted, left_out, twice = (
        [Wanted(_action(first, reply.cut, state), first.beside)],
        list[str](),
        list[str](),
    )
    if len(reply.calls) > _MOST_CALLS:
        left_out.append(
            f"Of the {len(reply.calls)} calls of your message the first {_MOST_CALLS} were looked at: "
            "call again what is still needed, in fewer calls; most tools take lists."
        )
    for number, call in enumerate(reply.calls[1:_MOST_CALLS], 2):
        try:
            action = _action(call, reply.cut, state)
            if any(action == each.action for each in wanted):
                twice.append(str(number))
            else:
                wanted.append(Wanted(action, call.beside))
        except Unclear as unclear:
            left_out.append(f"Call {number} of your message was not carried out: {unclear.correction}")
    if twice:
        left_out.append(f"Call {', '.join(twice)} of your message asks for what another one does.")
    if isinstance(wanted[0].action, Answer):
        return wanted[:1], []
    kept = [each for each in wanted if not isinstance(each.action, Answer)]
    if len(kept) < len(wanted):
        left_out.append("The answer behind calls was left out: answer once you have their results.")
    return kept, left_out


def _action(call: FunctionCall, cut: bool, state: State) -> Action:
    """Return the action of a call; a tool that is called as if it were a function is the call of that tool.

    Raises
    ------
    Unclear
    """
    tool, name = tool_name(call.name), find_function(call.name)
    if tool in registry():
        return Call(tool, _fields(call, cut))
    if name is None:
        raise Unclear(
            f"There is no function {call.name!r}. The functions are {', '.join(FUNCTIONS)}. "
            f'A tool is called by call(tool="{tool}", arguments={{...}}).'
        )
    fields = _unwrapped(_fields(call, cut), name)
    try:
        action = FUNCTIONS[name].model_validate(fields).action()
    except ValidationError as error:
        raise Unclear(f"The arguments of {name} are not usable: {_problems(error)}.") from None
    return _checked_answer(action, state) if isinstance(action, Answer) else action


def letter_of(text: str | None, choices: tuple[str, ...]) -> str | None:
    """Return the letter of an option, given as a letter or in its own words; ``None`` if it is neither."""
    options = letters(choices)
    folded = (text or "").strip().casefold()
    for letter, option in options.items():
        if folded == option.strip().casefold():
            return letter
    match = _LETTER.match(folded)
    return match[1].upper() if match and match[1].upper() in options else None


def _without_call(reply: Reply, state: State) -> Unclear:
    if not reply.text:
        ended = (
            "cut off while you were thinking: think less"
            if reply.cut
            else "kept back by a filter of contents: use plain technical words"
            if reply.withheld
            else "empty"
        )
        return Unclear(
            f"Your message was {ended}. Take the next action by calling skill, doc, call or answer."
        )
    tagged = _TAGGED.search(reply.text)
    core = (tagged[1] or tagged[2]).strip() if tagged else reply.text
    number = _NUMBER.match(core)
    fallback = Answer(
        text=core if tagged and not state.choices else reply.text,
        value=float(number[1].replace(",", "")) if number else None,
        unit=(number[2] or "") if number else "",
        choice=letter_of(core, state.choices) if tagged else None,
    )
    ungrounded = not any(step.observation.kind == "result" for step in state.calls)
    return Unclear(
        "Your message called no function. If it was your answer, give it by the function answer; "
        "otherwise take the next action by calling skill, doc or call."
        + (f" An answer without a result is a guess. {remaining_needs(state)}" if ungrounded else ""),
        None if reply.cut else _shortened(fallback),
    )


def _fields(call: FunctionCall, cut: bool) -> dict[str, Any]:
    try:
        fields = make_readable(read_value(call.arguments.strip() or "{}"))
    except (ValueError, RecursionError, InputError) as error:
        why = "they were cut off because the message grew too long" if cut else str(error)
        raise Unclear(
            f"The arguments of {call.name} are not JSON: {why}. Send the call again with valid JSON."
        ) from None
    if isinstance(fields, str) and (function := find_function(call.name)):
        return {main_field(function): fields}
    if not isinstance(fields, dict):
        raise Unclear(f"The arguments of {call.name} must be a JSON object, not {type(fields).__name__}.")
    return fields


def _unwrapped(fields: dict[str, Any], function: str) -> dict[str, Any]:
    """Return the fields of a function, also where a model wrote the whole call once more into them."""
    inner = [fields[name] for name in ARGUMENTS if name in fields]
    others = [str(value) for name, value in fields.items() if name not in ARGUMENTS]
    again = len(inner) == 1 and all(find_function(value) == function for value in others)
    return inner[0] if again and isinstance(inner[0], dict) else fields


def _problems(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(str(part) for part in e['loc'])}: {e['msg']}" for e in error.errors())


def _checked_answer(answer: Answer, state: State) -> Answer:
    letter = letter_of(answer.choice, state.choices)
    answer = with_citations_of_text(replace(answer, choice=letter), state)
    if (shortened := _shortened(answer)) is not answer:
        raise Unclear(
            f"{shortened.unverified} Answer again with what was asked alone; long tables belong into a file.",
            shortened,
        )
    if state.choices and letter is None and answer.status not in ("declined", "asks"):
        options = ", ".join(letters(state.choices))
        raise Unclear(f"The answer names none of the options {options}. Give its letter as choice.", answer)
    return answer


def _shortened(answer: Answer) -> Answer:
    """Return an answer, or of one that is too long to be verified its beginning, unverified for that."""
    if len(answer.text) <= _LONGEST_ANSWER:
        return answer
    why = f"The answer has {len(answer.text):,} letters; up to {_LONGEST_ANSWER:,} can be verified."
    return replace(answer, text=f"{answer.text[:_LONGEST_ANSWER]} ...", unverified=why)


def remaining_needs(state: State) -> str:
    """Return what is still to be done before a question can be answered, in sentences."""
    refused = [step for step in state.calls if not step.observation.is_success]
    if refused:
        last = refused[-1]
        hint = f" Its hint: {last.observation.hint}" if last.observation.hint else ""
        todo = f"The last call, step {last.number}, gave no result: {last.observation.text}{hint}"
    elif state.documents:
        todo = f"Call what you read of: {', '.join(sorted(state.documents))}."
    elif state.steps:
        todo = "Read the document of a tool that gives what is asked, then call it."
    else:
        todo = "Open the kit that gives what is asked, read the tool's document, and call it."
    return f"{todo} Where the workspace lacks what is needed, decline and name it; a guess is no answer."


def mismatch(answer: Answer, state: State) -> str:
    """Return what a model is told of an answer that its evidence does not carry; empty where it does."""
    if answer.answers and not any(step.observation.kind == "result" for step in state.calls):
        return f"The answer rests on no result. {remaining_needs(state)}"
    found = find_doubtful_sentences(answer, state)
    # What is doubted by rules of words is shown as not confirmed: most of it is true, and worth no turn.
    if not found or is_carried_without(answer, state, found):
        return ""
    doubts = [*describe_doubts(found)]
    # A unit that is left out is shown beside the number in any case: it alone is worth no turn.
    doubts += describe_missing_units(find_missing_units(answer, state))
    lines = "\n".join(f"- {line}" for line in filter(None, [citation_remark(answer, state), *doubts]))
    return (
        f"The answer does not follow from the steps that it cites.\n{lines}\nCall the tool that gives what "
        "is missing (calculate works out sums, differences and ratios), or answer again in full with what "
        "the steps say, and cite those; what is not named here can stay. Decline if neither can be done."
    )
