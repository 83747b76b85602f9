"""The tables as data: every value stands in the paper's text, and every setting names something."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.geoplan.planners import PLANNERS
from treeline.core.lab.reproduce.measures import MEASURES, SLICES
from treeline.core.lab.reproduce.papers import SETTING, Paper, paper_names, paper_of
from treeline.core.lab.reproduce.report import ELO
from treeline.core.lab.reproduce.works import WORKS
from treeline.toolkit.errors import InputError

TEXTS = {"earth-agent": "earth_agent", "htam": "htam_earthagent", "rs-claw": "rs_claw"}
PROMISED = {
    "rs-claw": "2 3 4 5 6 7 8 9 10 11",
    "earth-agent": "1 2 8 9 10 11 12",
    "rsmem": "1 2 3 4 7 8 9 10",
    "geoevolver": "main ablation K M",
    "htam": "1 2 3 5 13",
}


@pytest.fixture(params=sorted(PROMISED))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_paper_has_its_tables(name: str) -> None:
    assert paper_names() == sorted(PROMISED)
    paper = paper_of(name)
    for number in PROMISED[name].split():
        assert paper.table(number).title and len(paper.numbers(number)) == 1
    with pytest.raises(InputError, match="no table '99'"):
        paper.table("99")


def test_systems_metrics_and_slices_are_there(name: str) -> None:
    paper = paper_of(name)
    for table in paper.tables.values():
        assert {*table.metrics} <= {*MEASURES, ELO} and {*table.percent} <= {*MEASURES}
        assert not table.slices or table.slices in SLICES
        assert table.values or table.lost or table.contrasts or table.differences
        assert {contrast.metric for contrast in table.contrasts} <= {*table.metrics}
        for system in table.systems:
            _check_system(paper, system, table.bench)


def _check_system(paper: Paper, name: str, bench: str) -> None:
    system = paper.systems[name]
    if system.missing:
        assert not system.options
        return
    assert {*system.options} <= WORKS[bench].names, name
    if bench == "geoplan":
        assert system.options["planner"] in PLANNERS
    else:
        BenchOptions(**system.options).check()


def test_published_rows_are_told_apart(name: str) -> None:
    for table in paper_of(name).tables.values():
        settings = [tuple(row.get(key, "") for key in SETTING) for row in table.published_rows]
        assert len(settings) == len(set(settings)), table.title
        for row in table.published_rows:
            percent = [value for key, value in row["values"].items() if key in table.percent]
            assert all(0 <= value <= 100 for value in percent)
            assert row.get("system") in (None, *table.systems, row.get("model"))


def test_every_published_value_stands_in_the_text(name: str, shared: Path) -> None:
    """A number that the text does not hold as it is written was made up, or mistyped."""
    text = (shared / "papers" / f"{TEXTS.get(name, name)}.txt").read_text("utf-8")
    written = [float(found) for found in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", text.replace(",", ""))]
    known = set(written)
    for number, table in paper_of(name).tables.items():
        for row in table.published_rows:
            lost = {key: value for key, value in row["values"].items() if float(value) not in known}
            assert not lost, (number, row, lost)
        lost_contrasts = [each for each in table.contrasts if abs(each.value) not in known]
        assert not lost_contrasts, (number, lost_contrasts)


def test_rows_of_a_table_stand_in_one_line_of_the_text(shared: Path) -> None:
    """The values of a row belong together: they are in the text in their order, near to each other."""
    text = (shared / "papers" / "earth_agent.txt").read_text("utf-8")
    plain = re.sub(r"</?u>|[*_↑↓]", "", text)
    rows: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for number in ("1", "8", "9", "10"):
        for row in paper_of("earth-agent").table(number).published_rows:
            rows.setdefault((number, row["model"]), {})[row["regime"]] = row["values"]
    for (number, model), both in rows.items():
        names = list(both["ap"])
        numbers = [both[regime][metric] for metric in names for regime in ("ap", "if")]
        pattern = rf"{re.escape(model)}\s" + r"\s+".join(rf"{value:g}[.0]*" for value in numbers)
        assert re.search(pattern.replace(r"\s+", r"\s*\t\s*"), plain), (number, model, numbers)
