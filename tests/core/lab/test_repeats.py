"""Questions that are worked on several times: each time with a seed of its own, and no surer for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.lab.published_bench import write_benchmark
from tests.core.lab.test_earth_bench import question
from tests.endpoint import ScriptedEndpoint, use
from treeline.core.cli import main
from treeline.core.lab.bench_options import BenchOptions
from treeline.core.lab.earth_bench import run_questions, summarise
from treeline.core.lab.results import Results
from treeline.core.lab.tuning import TUNED
from treeline.toolkit.errors import InputError


def test_repeats_are_kept_apart_and_counted_as_one_question(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl", {})
    options = BenchOptions(repeats=2, workers=1)
    report = run_questions([question(8), question(4)], options, results)
    assert [row["id"] for row in report["questions"]] == [8, 4, "8 #2", "4 #2"]
    assert [row["question_id"] for row in report["questions"]] == ["8", "4", "8", "4"]
    assert report["set_aside"]["questions"] == 1 and report["looked_at"]["questions"] == 1
    assert list(Results(tmp_path / "results.jsonl", {}).rows) == ["8", "4", "8 #2", "4 #2"]
    assert report["tuned_on"] == TUNED["earth-bench"]
    once = summarise(report["questions"][:2])
    assert report["intervals"] == once["intervals"]
    with pytest.raises(InputError, match="0"):
        BenchOptions(repeats=0).check()


def test_each_repeat_asks_the_model_with_the_next_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_benchmark(tmp_path)
    with ScriptedEndpoint(
        lambda messages: use("answer", text="None.", declined=True, evidence=[])
    ) as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
        monkeypatch.setenv("TREELINE_MODEL", "m")
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        arguments = [
            "--questions",
            str(tmp_path / "benchmark"),
            "--regime",
            "ap",
            "--files-only",
            "--limit",
            "1",
        ]
        more = ["--policy", "language", "--seed", "7", "--repeats", "2", "--temperature", "0.5", "--json"]
        assert main(["bench", "earth-bench", *arguments, *more]) == 0
        assert len(json.loads(capsys.readouterr().out)["questions"]) == 2
        seeds = [request.body["seed"] for request in endpoint.requests]
        assert set(seeds) == {7, 8} and seeds == sorted(seeds)
        assert {request.body["temperature"] for request in endpoint.requests} == {0.5}
