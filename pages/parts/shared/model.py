"""The language model in the sidebar: where it is, how it is asked, and whether it works."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from treeline.core.access import acting_person
from treeline.core.engine.actions import TokenUse
from treeline.core.home import home
from treeline.core.model_settings import EFFORTS, FORMS, ModelSettings, headers_in
from treeline.core.policies.language.probing import Probe, probe
from treeline.core.settings import Endpoint
from treeline.pages.parts.shared.fields import show_choice, show_number_field, show_text_field
from treeline.pages.parts.shared.session import keep, widget_value
from treeline.pages.parts.shared.text import number, plain
from treeline.toolkit.errors import TreelineError

_PROBED = "model-probed"
# What each person named last: a page that is loaded anew begins with it. Never a key, and no file has it; an
# address has none of it either, since a link must not say where questions and a key are sent.
_NAMED: dict[tuple[str, str], dict[str, str]] = {}
_LONGEST_LIST = 12
_EFFORT_NAMES: Mapping[str, str] = {name: name.capitalize() or "As it is" for name in EFFORTS}
_OTHERS = ("effort", "form", "sees")
_FORM_NAMES = {"chat": "Chat completions", "responses": "Responses"}


@dataclass(frozen=True, slots=True)
class _Number:
    """A setting that is a number, with the step of its field."""

    label: str
    least: float
    most: float
    step: float
    empty: str = "as it is"


_NUMBERS: Mapping[str, _Number] = {
    "temperature": _Number("Temperature", 0.0, 2.0, 0.1),
    "seed": _Number("Seed", 0, 2**31 - 1, 1, "none"),
    "longest_reply": _Number("Longest reply, tokens", 16, 1_000_000, 256),
    "window": _Number("Context window, tokens", 512, 10_000_000, 1024, "learnt"),
    "silence": _Number("Seconds of silence", 1.0, 3600.0, 30.0),
    "attempts": _Number("Attempts", 1, 50, 1),
    "price_input": _Number("Price of 1 M read", 0.0, 100_000.0, 0.1),
    "price_cached": _Number("Price of 1 M cached", 0.0, 100_000.0, 0.1),
    "price_output": _Number("Price of 1 M written", 0.0, 100_000.0, 0.1),
}


def show_endpoint(*, speaks: bool) -> None:
    """Show the fields of an endpoint; those of the language model where one chooses the actions."""
    known = Endpoint.from_environment()
    named = _NAMED.setdefault((acting_person().id, str(home())), {})
    for key, value in (
        ("endpoint-url", known.url),
        ("endpoint-model", known.model),
        ("endpoint-vision", known.vision_model),
    ):
        keep(key, named.get(key, value))
        named[key] = st.session_state[key]
    keep("endpoint-key", "")
    with st.expander("Models", icon=":material/hub:", expanded=speaks, key=f"models-{speaks}"):
        show_text_field("Endpoint", "endpoint-url", placeholder="http://localhost:11434/v1")
        if speaks:
            show_text_field("Model", "endpoint-model", placeholder="name at the endpoint")
        show_text_field(
            "Vision model",
            "endpoint-vision",
            placeholder="none",
            help="Asked by the tools of Perception, with tiles of the image. Without it they use weights "
            "from TREELINE_WEIGHTS, or a classical method where one can tell what is looked for.",
        )
        told = "Stays in this session; nothing writes it down."
        show_text_field("Key", "endpoint-key", type="password", help=told)
        if speaks:
            _show_settings()
            _show_test()


def _show_settings() -> None:
    usual = ModelSettings()
    for name in _OTHERS:
        keep(f"model-{name}", getattr(usual, name))
    keep("model-headers", "")
    with st.popover("How it is asked", icon=":material/tune:", width="stretch"):
        show_choice("Exchange", "model-form", {name: _FORM_NAMES[name] for name in FORMS})
        show_choice("Reasoning", "model-effort", {name: _EFFORT_NAMES[name] for name in EFFORTS})
        st.toggle("It sees pictures", widget_value("model-sees"), key="model-sees", help=_help("sees"))
        for name, field in _NUMBERS.items():
            show_number_field(
                field.label,
                f"model-{name}",
                getattr(usual, name),
                field.least,
                field.most,
                step=field.step,
                placeholder=field.empty,
                help=_help(name),
            )
        st.text_area(
            "Headers",
            widget_value("model-headers"),
            key="model-headers",
            placeholder="NAME: VALUE",
            height=68,
            help="One a line, sent to the endpoint. They stay in this session.",
        )


def _help(name: str) -> str:
    told = ModelSettings.model_fields[name].description or ""
    return told[:1].upper() + told[1:] + "."


def _show_test() -> None:
    if st.button("Test this endpoint", icon=":material/network_check:", key="model-test", width="stretch"):
        try:
            with st.spinner("One call is tried", show_time=True):
                st.session_state[_PROBED] = probe(session_endpoint())
        except TreelineError as error:
            st.session_state[_PROBED] = str(error)
    found = st.session_state.get(_PROBED)
    if isinstance(found, Probe):
        _show_probe(found)
    elif found:
        st.error(plain(found), icon=":material/error:")


def _show_probe(found: Probe) -> None:
    if found.works:
        st.success(
            f"{plain(found.model)} called a function in {found.seconds:.2g} s.", icon=":material/check:"
        )
    for problem in found.problems:
        show = st.warning if found.works else st.error
        show(plain(problem))
    if found.models:
        more = len(found.models) - _LONGEST_LIST
        told = ", ".join(found.models[:_LONGEST_LIST]) + (f" and {more} more" if more > 0 else "")
        st.caption(f"Models there: {plain(told)}")


def model_settings(state: Mapping[str, Any]) -> ModelSettings:
    """Return how the session wants its language model to be asked.

    Raises
    ------
    InputError
        A header is not written as one.
    """
    given = {name: state.get(f"model-{name}") for name in (*_NUMBERS, *_OTHERS)}
    return ModelSettings.of({**given, "headers": headers_in(state.get("model-headers") or "")})


def has_prices() -> bool:
    """Return whether the session tells what tokens of its language model cost."""
    return any(st.session_state.get(f"model-{name}") for name in _NUMBERS if name.startswith("price_"))


def money_text(used: TokenUse) -> str:
    """Return what tokens cost at the prices of the session; empty where none is set."""
    try:
        settings = session_endpoint().settings
    except TreelineError:
        return ""
    if not settings.has_prices:
        return ""
    return f"cost {number(settings.cost_of(used.input, used.cached, used.output))}"


def session_endpoint(*, speaks: bool = True) -> Endpoint:
    """Return the endpoint that the session names; what it leaves empty is the environment's.

    Parameters
    ----------
    speaks : bool
        Whether its language model is asked; the settings of one count for nothing else.

    Raises
    ------
    InputError
        A setting of the model cannot be.
    """
    state: Any = st.session_state
    return Endpoint.of_visitor(
        url=state.get("endpoint-url", "").strip(),
        model=state.get("endpoint-model", ""),
        key=state.get("endpoint-key", ""),
        vision_model=state.get("endpoint-vision", ""),
        settings=model_settings(state) if speaks else ModelSettings(),
    )
