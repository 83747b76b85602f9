"""A person at a run on the command line: a line is an action, or a word on a call that is proposed."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from typing import TextIO

from treeline.core.engine.actions import Action, Answer, Call, Doc, Skill, action_name
from treeline.core.engine.disclosure import opened_names
from treeline.core.engine.events import DecisionAwaited, StepFinished, StepStarted
from treeline.core.engine.journal import events_of, recorded_state
from treeline.core.engine.state import State
from treeline.core.engine.verification.claims import claims_in
from treeline.core.engine.waiting import find_awaited, give
from treeline.core.policies.language.reply import letter_of
from treeline.core.runs.manager import RunManager
from treeline.core.runs.names import OFF
from treeline.toolkit.errors import InputError, TreelineError
from treeline.toolkit.json_texts import read_json

_PAUSE = 0.05
_CITED = re.compile(r"\s*\[((?:\d+[\s,]*)+)\]\s*$")
_SHORT = 400
# As hints write it: doc('mean').
_AS_FUNCTION = re.compile(r"(skill|doc|open|read)\((.+)\)")

HELP = """\
open KIT                 see what a kit holds
read TOOL                read a tool's document, after which it can be called
call TOOL {JSON}         call a tool; the arguments are a JSON object
answer TEXT [N N]        end the run; N are the steps that the answer rests on
decline TEXT             end the run: the question cannot be answered, and why
tree, data, steps        look again at the kits, the rasters, what was done
stop                     end without an answer
help                     this"""
HELP_PROPOSED = """\
yes                      make the call
edit {JSON}              make it with other arguments
no REASON                do not make it; the policy is told the reason
always                   make it, and do not ask about this tool in this workspace again
all                      make it, and ask about nothing more in this run
stop                     end without an answer"""


class Unclear(InputError):
    """A line that says no action."""


def action_of(line: str, state: State) -> Action:
    """Return the action that a line says.

    Raises
    ------
    Unclear
        It says none.
    """
    written = _AS_FUNCTION.fullmatch(line.strip())
    word, _, rest = (" ".join(written.groups()) if written else line.strip()).partition(" ")
    make = _ACTIONS.get(word.casefold())
    if make is None:
        raise Unclear(f"There is no command {word!r}.", "`help` lists them.")
    if not rest.strip():
        raise Unclear(f"After {word!r} something is missing.", "`help` shows how it is written.")
    return make(rest.strip(), state)


def _open(rest: str, state: State) -> Action:
    return Skill(_unquote(rest))


def _read(rest: str, state: State) -> Action:
    return Doc(_unquote(rest))


def _call(rest: str, state: State) -> Action:
    tool, _, arguments = rest.partition(" ")
    return Call(tool, arguments_of(arguments.strip() or "{}"))


def arguments_of(text: str) -> dict[str, object]:
    """Return the arguments that a text says.

    Raises
    ------
    Unclear
        It is no JSON object.
    """
    try:
        arguments = read_json(text)
    except ValueError as error:
        raise Unclear(
            f"The arguments are not JSON: {error}.", 'Such as call mean {"x": [1, 2, 3]}.'
        ) from None
    if not isinstance(arguments, dict):
        raise Unclear("The arguments are no JSON object.", 'Such as call mean {"x": [1, 2, 3]}.')
    return arguments


def _answer(rest: str, state: State) -> Action:
    cited = _CITED.search(rest)
    text = rest[: cited.start()].strip() if cited else rest
    evidence = tuple(int(number) for number in re.findall(r"\d+", cited[1])) if cited else ()
    choice = letter_of(text, state.choices)
    if state.choices and choice is None:
        raise Unclear("The answer names none of the options.", "Begin it with the letter of one: answer B.")
    claims = claims_in(text)
    # Of several numbers nothing says which is the answer.
    value = claims[0].number if len(claims) == 1 else None
    return Answer(text, value, choice=choice, evidence=evidence)


def _decline(rest: str, state: State) -> Action:
    return Answer(rest, declined=True)


def _unquote(text: str) -> str:
    try:
        return " ".join(shlex.split(text))
    except ValueError:
        return text


_ACTIONS: dict[str, Callable[[str, State], Action]] = {
    "open": _open,
    "skill": _open,
    "read": _read,
    "doc": _read,
    "call": _call,
    "answer": _answer,
    "decline": _decline,
}


class Attendance:
    """Leads a person through a run, line by line.

    Parameters
    ----------
    lines : iterator of str
        What the person says.
    out : text stream
        Where everything that the person reads goes; standard error by default, which leaves the other one
        to the result.
    prompts : bool
        Whether a prompt is shown, as on a terminal.
    """

    def __init__(
        self,
        manager: RunManager,
        run: str,
        lines: Iterator[str],
        out: TextIO | None = None,
        *,
        prompts: bool = False,
    ) -> None:
        self._manager = manager
        self._store = manager.store
        self._run = run
        self._lines = lines
        self._out = out or sys.stderr
        self._prompts = prompts
        self._seen = 0

    def attend(self) -> None:
        """Show what happens and ask, until the run has ended."""
        while not self._manager.record(self._run).is_finished:
            awaited = find_awaited(stored.event for stored in events_of(self._store, self._run))
            self._tell_news()  # all that was before the question, which may have come just now
            if awaited is None:
                time.sleep(_PAUSE)
            elif not self._ask(awaited):
                self._manager.stop(self._run)
                self._manager.wait(self._run)
        self._tell_news()

    def _ask(self, awaited: DecisionAwaited) -> bool:
        """Ask for a word until there is one; return whether the run goes on."""
        self._introduce(awaited)
        while True:
            if self._prompts:
                print("> ", end="", file=self._out, flush=True)
            line = next(self._lines, None)
            if line is None:
                self._say(
                    "The input ended before the answer, so the run is stopped; "
                    f"`treeline resume {self._run}` goes on with it."
                )
                return False
            word = line.strip()
            if not word or word.startswith("#"):
                continue
            if word.casefold() in ("stop", "quit", "exit"):
                return False
            try:
                if self._take(word, awaited):
                    return True
            except TreelineError as error:
                self._say(str(error))

    def _take(self, word: str, awaited: DecisionAwaited) -> bool:
        """Take a line; return whether the run goes on with it."""
        command = word.casefold().split()[0]
        if command == "help":
            self._say(HELP if _is_free(awaited) else HELP_PROPOSED)
            return False
        if command in ("tree", "data", "steps"):
            self._say(self._look(command))
            return False
        if _is_free(awaited):
            give(self._store, self._run, awaited.step, action_of(word, self._state))
            return True
        return self._take_word(command, word, awaited)

    def _take_word(self, command: str, word: str, awaited: DecisionAwaited) -> bool:
        rest = word.partition(" ")[2].strip()
        action = awaited.action
        match command:
            case "no" | "deny":
                give(self._store, self._run, awaited.step, denied=rest or "not wanted")
            case "edit" if isinstance(action, Call):
                give(self._store, self._run, awaited.step, Call(action.tool, arguments_of(rest)))
            case "yes" | "go" | "always" | "all":
                if command == "always" and isinstance(action, Call):
                    self._manager.remember_tool(self._run, action.tool)
                if command == "all":
                    self._manager.set_approval(self._run, OFF)
                give(self._store, self._run, awaited.step)
            case _:
                raise Unclear(
                    f"There is no word {command!r}.", "yes, no REASON, edit {JSON}, always, all, stop."
                )
        return True

    @property
    def _state(self) -> State:
        return recorded_state(self._store, self._run)

    def _introduce(self, awaited: DecisionAwaited) -> None:
        if awaited.plan:
            self._say("The plan:")
            for number, call in enumerate(awaited.plan, start=1):
                self._say(f"{number:3d} {call.tool} {_arguments(call)}")
            self._say("yes, no REASON or stop?")
        elif isinstance(awaited.action, Call):
            self._say(f"{awaited.step:3d} {awaited.action.tool} {_arguments(awaited.action)}")
            self._say("yes, no REASON, edit {JSON}, always, all or stop?")
        elif awaited.step == 1 and not self._state.steps:
            self._say(self._look("tree"))
            self._say("\n" + HELP)

    def _look(self, what: str) -> str:
        state = self._state
        if what == "data":
            return state.context.get("catalogue", "")
        if what == "steps":
            return (
                "\n".join(
                    f"{step.number:3d} {step.action.kind} {action_name(step.action)}: "
                    f"{_short(step.observation.text)}"
                    for step in state.steps
                )
                or "No step yet."
            )
        opened = ", ".join(sorted(opened_names(state))) or "none"
        return f"{state.context.get('tree', '')}\nOpened: {opened}"

    def _tell_news(self) -> None:
        for stored in events_of(self._store, self._run, self._seen):
            self._seen = stored.number
            match stored.event:
                case StepStarted(step=number, action=action):
                    self._say(f"{number:3d} {action.kind} {action_name(action)}")
                case StepFinished(observation=observation) if observation.text != "answered":
                    mark = {"refusal": "refused: ", "failure": "failed: "}.get(observation.kind, "")
                    self._say(f"{mark}{observation.text}")
                    if observation.hint:
                        self._say(f"hint: {observation.hint}")
                case _:
                    pass

    def _say(self, text: str) -> None:
        print(text, file=self._out, flush=True)


def _is_free(awaited: DecisionAwaited) -> bool:
    return awaited.action is None and not awaited.plan


def _arguments(call: Call) -> str:
    return _short(json.dumps(call.arguments, ensure_ascii=False))


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else f"{text[: _SHORT - 2]} …"


def attend_from_terminal(manager: RunManager, run: str) -> None:
    """Lead whoever sits at standard input through a run."""
    Attendance(manager, run, iter(sys.stdin.readline, ""), prompts=sys.stdin.isatty()).attend()
