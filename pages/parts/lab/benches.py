"""The benches of the record: how far each is, and which one is looked at."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from treeline.core.home import store_url
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.benches import BENCHES, Benches, Standing, memory_of
from treeline.core.record.store import RunRecord
from treeline.pages.parts.shared.answer import STATUS
from treeline.pages.parts.shared.choice import choose_row
from treeline.pages.parts.shared.clock import moment_column
from treeline.pages.parts.shared.look import table_height
from treeline.pages.parts.shared.services import services
from treeline.pages.parts.shared.session import pending_start
from treeline.pages.parts.shared.text import count_text

CHOSEN = "lab-bench"
BEGUN = "begun-bench"
_LIST_HEIGHT = 560
WORDS = {**{name: word for name, (_, _, word) in STATUS.items()}, "answered": "done"}


def benches() -> Benches:
    """Return the benches of the process."""
    return Benches(services().manager)


def standing_of(run: str) -> Standing:
    """Return how far a bench is; only what happened since the last look is read."""
    # One dictionary for all sessions, changed in place: the thousands of rows of a bench are read once.
    known = _standings(store_url())
    known[run] = benches().read_standing(run, known.get(run))
    return known[run]


@st.cache_resource(show_spinner=False)
def _standings(url: str) -> dict[str, Standing]:
    return {}


def report_of(record: RunRecord) -> dict[str, Any]:
    """Return the report on what a bench has so far."""
    standing = standing_of(record.id)
    # Rows are only ever added: their number tells whether the report is of those that there are.
    known = _reports(store_url())
    if known.get(record.id, (0, {}))[0] != len(standing.rows):
        known[record.id] = (len(standing.rows), benches().report(record, standing.rows))
    return known[record.id][1]


@st.cache_resource(show_spinner=False)
def _reports(url: str) -> dict[str, tuple[int, dict[str, Any]]]:
    return {}


def forget(run: str) -> None:
    """Forget a bench and its results."""
    services().store.delete_run(run)
    shutil.rmtree(memory_of(run), ignore_errors=True)
    for known in (_standings(store_url()), _reports(store_url())):
        known.pop(run, None)


def chosen_bench(records: Sequence[RunRecord]) -> RunRecord | None:
    """Return the bench of the address, or the one that the session looked at last."""
    new = pending_start(BEGUN)
    asked = new.name or st.session_state.get(CHOSEN) or st.query_params.get("bench")
    found = next((record for record in records if record.id == asked), None)
    if found is not None:
        st.session_state[CHOSEN] = st.query_params["bench"] = found.id
    new.name = ""
    return found


def choose(run: str) -> None:
    """Look at a bench."""
    st.session_state[CHOSEN] = st.query_params["bench"] = run


def show_list(records: Sequence[RunRecord]) -> None:
    """Show the benches, the newest first."""
    choose_row(
        [_row(record) for record in records],
        [record.id for record in records],
        CHOSEN,
        choose,
        height=table_height(len(records), _LIST_HEIGHT),
        alt="Benches, the newest first",
        column_config={
            "Started": moment_column("MM-DD HH:mm", width=80),
            "What": st.column_config.TextColumn(width=250),
            "Done": st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1, width=60),
            "": st.column_config.TextColumn(width=55),
        },
    )


def _row(record: RunRecord) -> dict[str, Any]:
    standing = standing_of(record.id)
    return {
        "Started": record.created,
        "What": title_of(record),
        "Done": len(standing.rows) / standing.total if standing.total else 0.0,
        "": WORDS[record.status],
    }


def title_of(record: RunRecord) -> str:
    """Return a bench in a few words: the benchmark, and how it is run where that is not as usual."""
    bench = BENCHES[record.options["bench"]]
    return ", ".join([bench.title, *setting_differences(record)])


def setting_differences(record: RunRecord) -> list[str]:
    """Return the settings of a bench that tell it from others."""
    return _DIFFERING[record.options["bench"]](record.options["settings"])


def _of_planning(settings: Mapping[str, Any]) -> list[str]:
    return [settings["planner"], *(["with neighbours"] if settings["neighbours"] else [])]


def _of_ablation(settings: Mapping[str, Any]) -> list[str]:
    # The folder of a workspace's inputs is called after nothing; the workspace's own is.
    places = ", ".join(Path(address.removesuffix("/inputs")).name for address in settings["data"])
    return [settings["policy"], count_text(settings["variants"], "variant"), f"on {places}"]


def _of_reproduction(settings: Mapping[str, Any]) -> list[str]:
    table = f"{settings['paper']}, table {settings['table']}"
    models = ", ".join(settings["models"]) or "without a model"
    most = [f"{count_text(settings['limit'], 'question')} a row"] if settings["limit"] else []
    return [table, *most, models, *_data(settings)]


def _of_questions(settings: Mapping[str, Any]) -> list[str]:
    usual = BenchOptions()
    named = ("disclosure", "team", "profile")
    told = [str(settings[name]) for name in named if settings[name] != getattr(usual, name)]
    told += [f"{settings['rounds']} rounds"] if settings["rounds"] > 1 else []
    told += ["with memory"] if settings["memory"] != usual.memory else []
    return [settings["regime"].upper(), settings["policy"], *told, *_data(settings)]


def _data(settings: Mapping[str, Any]) -> list[str]:
    return ["with data"] if settings["data"] else []


_DIFFERING: Mapping[str, Callable[[Mapping[str, Any]], list[str]]] = {
    "earth-bench": _of_questions,
    "geoplan": _of_planning,
    "ablation": _of_ablation,
    "reproduce": _of_reproduction,
}
