"""The policy: from a decision state to an action, by way of a language model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from treeline.core.context.conversation import (
    Message,
    conversation,
    count_folded_steps,
    repetition,
    without_parts,
)
from treeline.core.context.folds import WINDOW, fold_further
from treeline.core.engine.actions import Action, Answer, Decision, Reasoning, TokenUse
from treeline.core.engine.state import State
from treeline.core.engine.verification.grounds import citation_remark, without_lost_citations
from treeline.core.errors import ContextTooLong, EndpointConfused
from treeline.core.policies.language.drafting import TellDraft, tell_nobody
from treeline.core.policies.language.exchange import Exchange, Patience
from treeline.core.policies.language.message import Reply
from treeline.core.policies.language.reply import Unclear, actions_of, mismatch
from treeline.core.settings import Endpoint

_CORRECTIONS = 3
_LONGEST_QUOTE = 2_000
# The parts of the context that no tool and no file is known by.
_ADVICE = {"cards": "the advice on tasks of this kind", "memory": "the lessons of earlier runs"}


class LanguagePolicy:
    """Asks a language model for the next action.

    Parameters
    ----------
    endpoint : Endpoint
        Where the model is; the key is sent to it and appears nowhere else.
    stream : bool
        Read messages as they are written.
    patience : Patience, optional
        How long the endpoint is waited for.

    Attributes
    ----------
    tell : callable
        Takes what the model is writing, now and then.
    begin : callable
        Takes the actions of a message that asks for several, which may be begun together.
    compare : callable
        Takes an answer and the state that it is given in, and returns what the model is told where another
        way leads to another one, or where the answer leaves out a part of the question.

    Raises
    ------
    BackendMissing
        The endpoint names no model, or neither address nor key.
    """

    name = "language"

    def __init__(self, endpoint: Endpoint, stream: bool = True, patience: Patience | None = None) -> None:
        self.tell: TellDraft = tell_nobody
        self.begin: Callable[[Sequence[Action], State], None] = lambda actions, state: None
        self.compare: Callable[[Answer, State], str] = lambda answer, state: ""
        self._exchange = Exchange(endpoint, stream, patience)
        self._remarks: dict[int, str] = {}
        self._pending: dict[int, Decision] = {}
        self._folded = 0
        self._left_out: tuple[str, ...] = ()
        self._window = endpoint.settings.window or WINDOW
        self._sees = endpoint.settings.sees

    def decide(self, state: State, notify: Callable[[str], None], stop: threading.Event) -> Decision:
        """Return the model's next action.

        A reply that is no action is answered by a correction, at most three times in a row; an answer that
        its evidence does not carry, or that is not what another way leads to, goes back once. Of a message
        with several calls the others follow one by one, without another request.

        Raises
        ------
        EndpointError
        Stopped
        """
        # One policy may work on several questions, one after the other.
        if not state.steps:
            self._remarks, self._pending, self._folded, self._left_out = {}, {}, 0, ()
        if warning := repetition(state.steps):
            notify(warning)
        number = len(state.steps) + 1
        if number in self._pending:
            return self._pending.pop(number)
        # What was asked for beside the last action and not taken belongs to a state that did not come about.
        self._pending.clear()
        tokens, corrections, insisted = TokenUse(), list[Message](), False
        for _ in range(_CORRECTIONS + 1):
            reply = self._reply(state, corrections, notify, stop)
            tokens += reply.tokens
            try:
                wanted, left_out = actions_of(reply, state)
                actions = [each.action for each in wanted]
                first = actions[0]
                # A model is asked once whether it stands by such an answer; given again, it is taken, and
                # what is still doubted decides how it is shown.
                if not insisted and isinstance(first, Answer) and (told := self._object(first, state)):
                    raise Unclear(told, first)
                self._remark(number + len(actions) - 1, left_out, notify)
                for place, each in enumerate(wanted[1:], number + 1):
                    own = Reasoning(beside=each.beside)
                    self._pending[place] = Decision(each.action, reasoning=own, joined=True)
                if len(actions) > 1:
                    self.begin(actions, state)
                reasoning = _reasoning_of(reply, wanted[0].beside)
                return Decision(_check_citations(first, state, notify), reply.thought, tokens, reasoning)
            except Unclear as unclear:
                problem = unclear
            if problem.fallback is not None and insisted:
                return Decision(problem.fallback, reply.reasoning, tokens)
            insisted = insisted or problem.fallback is not None
            notify(f"The model was corrected: {problem.correction}")
            corrections += _correction(reply, problem)
        raise EndpointConfused(
            f"The model gave no usable action in {_CORRECTIONS + 1} messages in a row. "
            f"It was last told: {problem.correction}",
            _what_helps(reply),
        )

    def _reply(
        self, state: State, corrections: list[Message], notify: Callable[[str], None], stop: threading.Event
    ) -> Reply:
        while True:
            try:
                return self._exchange.reply(self._messages(state, corrections), notify, stop, self.tell)
            except ContextTooLong as error:
                before = self._count_folded(state)
                # An endpoint that tells how much it holds is believed from here on.
                self._window = min(self._window, error.window or self._window)
                folded = self._count_folded(state)
                further = folded if folded > before else fold_further(len(state.steps), before)
                if further is None and not self._leave_out_advice(state, notify):
                    raise
            if further is None:
                continue
            self._folded = folded = further
            notify(f"The conversation outgrew the model's context: steps 1 to {folded} are now shortened.")

    def _object(self, answer: Answer, state: State) -> str:
        """Return what speaks against an answer: its own steps, and another way; empty where nothing does."""
        told = mismatch(answer, state)
        # A model without a result would say after another what it has to find.
        found = any(step.observation.kind == "result" for step in state.calls)
        return "\n".join(filter(None, [told, self.compare(answer, state) if found else ""]))

    def _messages(self, state: State, corrections: list[Message]) -> list[Message]:
        state = without_parts(state, self._left_out)
        said = conversation(state, self._remarks, self._count_folded(state), self._sees)
        return [*said, *corrections]

    def _count_folded(self, state: State) -> int:
        state = without_parts(state, self._left_out)
        return max(self._folded, count_folded_steps(state, self._window))

    def _leave_out_advice(self, state: State, notify: Callable[[str], None]) -> bool:
        """Leave out what a model can do without, where the beginning alone is too long; say what.

        What was left out once stays away: the beginning is the same at every turn.
        """
        parts = [part for part in _ADVICE if state.context.get(part) and part not in self._left_out]
        if not parts:
            return False
        self._left_out = (*self._left_out, *parts)
        left = " and ".join(_ADVICE[part] for part in parts)
        notify(f"The question outgrew the model's context: {left} are left out of it.")
        return True

    def _remark(self, step: int, left_out: Sequence[str], notify: Callable[[str], None]) -> None:
        """Tell what of a message was left out, the model after the last step of it."""
        for text in left_out:
            notify(text)
        if left_out:
            self._remarks[step] = " ".join(left_out)


def _what_helps(last: Reply) -> str:
    """Return what a person can do about a model whose last message was no action."""
    if last.withheld:
        return (
            "The endpoint keeps replies back by a filter of contents: ask in other words, or choose another."
        )
    if last.cut:
        return "Allow it longer replies, or less reasoning effort, in the settings of the model."
    return "Choose a model that can call functions."


def _reasoning_of(reply: Reply, beside: str) -> Reasoning:
    returned = (reply.reasoning_items or reply.reasoning) if reply.reasoning_field else ""
    return Reasoning(reply.reasoning_field, returned, beside)


def _check_citations(action: Action, state: State, notify: Callable[[str], None]) -> Action:
    """Return an action, an answer without the citations that name no step, which is reported."""
    if not isinstance(action, Answer):
        return action
    if remark := citation_remark(action, state):
        notify(remark)
    return without_lost_citations(action, state)


def _correction(reply: Reply, problem: Unclear) -> list[Message]:
    # The calls go back as text: a server that reads their arguments would stumble over malformed ones.
    said = [reply.text, *(f"{call.name}({call.arguments})" for call in reply.calls)]
    quoted = "\n".join(part for part in said if part)[:_LONGEST_QUOTE]
    return [
        {"role": "assistant", "content": quoted or "(nothing)"},
        {"role": "user", "content": problem.correction},
    ]
