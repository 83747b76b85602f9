"""The next step of a run whose actions a person chooses: open, read, call, answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from treeline.core.context.conversation import letters
from treeline.core.context.open_tools import OPEN_TOOLS
from treeline.core.engine.actions import Answer, Call, Doc, Skill
from treeline.core.engine.disclosure import opened_names
from treeline.core.engine.events import DecisionAwaited
from treeline.core.engine.state import State, Step
from treeline.pages.parts.shared.run_view import RunView
from treeline.pages.parts.shared.services import is_own_run, services, tree_of
from treeline.pages.parts.shared.session import position_of
from treeline.pages.parts.shared.text import plain, shorten
from treeline.pages.parts.tools.form import show_form
from treeline.pages.parts.tools.run import in_labels
from treeline.pages.parts.workbench.reply import keep_fault, show_fault, tell
from treeline.pages.parts.workbench.steps import tell_briefly
from treeline.toolkit import registry

_LONGEST_HINT = 240
OPEN, READ, CALL, ANSWER = "Open a kit", "Read a document", "Call a tool", "Answer"
_TOOL = "person-tool"
_WHAT_FOR = {
    OPEN: "A kit holds the tools for one kind of work; point at one to see which. "
    "A click on the tree opens it too.",
    READ: "The document of a tool says what it needs and gives. Once it is read, the tool can be called.",
    CALL: "Rasters that the tool makes come onto the map, and numbers that it gives into the steps below.",
    ANSWER: "Say the answer with the number that a step gave; it is checked against the steps that you name.",
}
THE_WAY = "You choose the steps, on the left: open a kit, read a tool's document, call the tool, then answer."


def kits_to_open(run: str, state: State) -> list[str]:
    """Return the branches that are seen and not open: kits, and parts of those that have some."""
    opened = opened_names(state)
    parts = [name for step in state.steps for name in _contents_of(step, "parts")]
    return [name for name in (*tree_of(run).kits, *parts) if name not in opened]


def tools_to_read(state: State) -> list[str]:
    """Return the tools of open branches whose document was not read."""
    read = opened_names(state)
    seen = dict.fromkeys(name for step in state.steps for name in _contents_of(step, "tools"))
    return [name for name in seen if name not in read]


def tools_to_call(run: str, state: State) -> list[str]:
    """Return the tools that may be called, those that were read last first."""
    allowed = services().manager.disclosure(run).callable_set(state)
    read = [step.action.tool for step in state.steps if isinstance(step.action, Doc)]
    first = [name for name in reversed(read) if name in allowed]
    return list(dict.fromkeys([*first, *sorted(allowed), *OPEN_TOOLS]))


def _contents_of(step: Step, what: str) -> Sequence[str]:
    value = step.observation.value
    if not isinstance(step.action, Skill) or not isinstance(value, dict):
        return ()
    return [str(name) for name in value.get(what, ())]


def is_free(view: RunView) -> bool:
    """Return whether a run waits for a person to choose its next action."""
    awaited = view.awaited
    return awaited is not None and awaited.action is None and not awaited.plan


def take_node(run: str, view: RunView, name: str) -> bool:
    """Open the kit or read the document that a node of the tree stands for; return whether it is done so."""
    if view.awaited is None or not is_free(view) or not is_own_run(run):
        return False
    step = view.awaited.step
    if name in kits_to_open(run, view.state):
        tell(run, step, Skill(name))
        return True
    if name in tools_to_read(view.state):
        tell(run, step, Doc(name))
        return True
    if name in view.state.documents:
        st.session_state[_TOOL] = name
    return False


def show_next_step(view: RunView, run: str, awaited: DecisionAwaited) -> None:
    """Show what can be done next, each as a button or a form."""
    if not is_own_run(run):
        st.caption("It waits for its owner to decide.")
        return
    state = view.state
    with st.container(border=True, gap="xsmall", key="next-step"):
        st.markdown(f"**Step {awaited.step}: what next?**")
        show_fault(run, awaited.step)
        _last_refusal(view)
        shown = st.segmented_control(
            "What next",
            [OPEN, READ, CALL, ANSWER],
            default=_likely(state),
            required=True,
            label_visibility="collapsed",
            key=f"next-{run}-{awaited.step}",
        )
        st.caption(_WHAT_FOR[shown or OPEN])
        _FIELDS[shown or OPEN](state, run, awaited.step)


def _likely(state: State) -> str:
    """Return what mostly follows what was done last."""
    last = state.steps[-1] if state.steps else None
    match last.action if last else None:
        case Skill() if last and last.observation.is_success:
            return READ
        case Doc() if last and last.observation.is_success:
            return CALL
        case Call() if last and not last.observation.is_success:
            return CALL
        # A call that gave numbers and no raster is mostly the last one.
        case Call() if last and not last.observation.products:
            return ANSWER
    return OPEN


def _last_refusal(view: RunView) -> None:
    last = view.steps[-1].observation if view.steps else None
    if last is None or last.is_success:
        return
    action = view.steps[-1].action
    tool = registry().get(action.tool) if isinstance(action, Call) and action.tool in registry() else None
    text, help_text = (in_labels(each, tool) if tool else each for each in (last.text, last.hint))
    hint = f"\n\n:material/lightbulb: {plain(shorten(help_text, _LONGEST_HINT))}" if help_text else ""
    st.warning(f"{plain(shorten(text, 300))}{hint}", icon=":material/block:")


def _open(state: State, run: str, step: int) -> None:
    kits = tree_of(run).kits
    with st.container(horizontal=True, gap="xsmall"):
        for name in kits_to_open(run, state):
            st.button(
                plain(name),
                key=f"open-{step}-{name}",
                on_click=tell,
                args=(run, step, Skill(name)),
                help=plain(kits[name].summary) if name in kits else None,
            )


def _read(state: State, run: str, step: int) -> None:
    names = tools_to_read(state)
    if not names:
        st.caption("Open a kit first: its tools are then listed here.")
        return
    briefs = {name: registry().get(name).brief for name in names if name in registry()}
    chosen = st.selectbox(
        "Tool",
        names,
        None,
        key=f"read-{step}",
        placeholder="Whose document?",
        format_func=lambda name: f"{name}: {briefs.get(name, '')}",
        label_visibility="collapsed",
    )
    st.button(
        "Read it",
        key=f"read-it-{step}",
        type="primary",
        icon=":material/description:",
        disabled=chosen is None,
        on_click=tell,
        args=(run, step, Doc(chosen or "")),
    )


def _call(state: State, run: str, step: int) -> None:
    names = tools_to_call(run, state)
    wanted = st.session_state.pop(_TOOL, None)
    key = f"call-{step}"
    # A field's value can be set before the field is shown, and not after: a click on the tree was before.
    if wanted in names:
        st.session_state[key] = wanted
    name = st.selectbox("Tool", names, position_of(key, names), key=key, label_visibility="collapsed")
    if name is None:
        return
    try:
        data = services().manager.data(run)
        given = _refused_arguments(state, name)
        arguments = show_form(registry().get(name), data, key=f"-{run}-{step}", submit="Call", given=given)
    except ValueError as error:
        keep_fault(run, step, str(error))
        st.rerun()
    if arguments is not None:
        tell(run, step, Call(name, arguments))
        st.rerun()


def _refused_arguments(state: State, tool: str) -> Mapping[str, Any] | None:
    """Return what a tool was given by the call before, where that was refused: one thing is to be changed."""
    last = state.steps[-1] if state.steps else None
    if last is None or last.observation.is_success or not isinstance(last.action, Call):
        return None
    return last.action.arguments if last.action.tool == tool else None


def _answer(state: State, run: str, step: int) -> None:
    results = [each for each in state.calls if each.observation.kind == "result"]
    named = {each.number: _told(each) for each in results}
    with st.form(f"answer-{run}-{step}"):
        text = st.text_input("Answer in a sentence", key=f"answer-text-{step}")
        choice = _choose_option(state, step)
        value = st.number_input("Value (optional)", value=None, format="%.6g", key=f"answer-value-{step}")
        evidence = st.multiselect(
            "It rests on the steps",
            list(named),
            list(named)[-1:],
            format_func=named.__getitem__,
            key=f"answer-evidence-{step}",
        )
        declined = st.checkbox("The question cannot be answered", key=f"answer-declined-{step}")
        if not st.form_submit_button("Answer", type="primary", icon=":material/flag:"):
            return
    said = text.strip() or (choice[1] if choice else "")
    if not said or (state.choices and choice is None and not declined):
        keep_fault(run, step, "Say the answer, and of options which.")
        st.rerun()
    letter = choice[0] if choice else None
    tell(run, step, Answer(said, value, choice=letter, evidence=tuple(evidence), declined=declined))
    st.rerun()


def _choose_option(state: State, step: int) -> tuple[str, str] | None:
    if not state.choices:
        return None
    options = list(letters(state.choices).items())
    return st.radio(
        "Option",
        options,
        None,
        key=f"answer-choice-{step}",
        format_func=lambda option: plain(f"{option[0]}: {option[1]}"),
    )


def _told(step: Step) -> str:
    """Return a step with what it gave, so that nobody has to look it up below the form."""
    tool = step.action.tool if isinstance(step.action, Call) else ""
    gave = tell_briefly(step.observation.value)
    return f"{step.number} {tool}" + (f" \u2192 {shorten(gave, 40)}" if gave else "")


_FIELDS: dict[str, Callable[[State, str, int], None]] = {
    OPEN: _open,
    READ: _read,
    CALL: _call,
    ANSWER: _answer,
}
