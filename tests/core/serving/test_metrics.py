from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from treeline.core.engine.actions import Skill, TokenUse
from treeline.core.engine.events import StepStarted
from treeline.core.home import store_url
from treeline.core.record.store import Store
from treeline.core.runs.recording import Recording
from treeline.core.serving.rates import Allowance, limit_rate


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Iterator[None]:
    monkeypatch.setenv("TREELINE_HOME", str(tmp_path / "home"))
    yield


def samples(client: TestClient, **headers: str) -> dict[tuple[str, str], float]:
    """Return the numbers by name and label, as a parser of OpenMetrics reads them."""
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    found = [sample for family in parse(answer.text) for sample in family.samples]
    return {(each.name, "".join(each.labels.values())): each.value for each in found}


def test_runs_are_counted_by_status_and_the_record_is_readable(client):
    store = Store(store_url())
    for run, status in (("a", "waiting"), ("b", "answered"), ("c", "answered")):
        store.create_run(run, "w", "q", {})
        store.set_status(run, status)
    store.create_run("part", "w", "q", {}, parent="a")
    found = samples(client)
    assert found["treeline_record_readable", ""] == 1
    assert found["treeline_runs", "waiting"] == 1 and found["treeline_runs", "answered"] == 2
    assert found["treeline_runs", "failed"] == 0


def test_a_record_that_cannot_be_read_is_said(client, tmp_path, monkeypatch):
    path = tmp_path / "other.sqlite"
    path.write_bytes(b"no database at all" * 100)
    monkeypatch.setenv("TREELINE_STORE", str(path))
    assert samples(client)["treeline_record_readable", ""] == 0


def test_tiles_and_tokens_are_counted(client, halves, tmp_path):
    token, _ = halves
    before = samples(client)
    assert client.get(f"/tiles/{token}/0/0/0.png").status_code in (200, 204)
    assert client.get("/tiles/nothing/0/0/0.png").status_code == 404
    store = Store(tmp_path / "s.sqlite")
    store.create_run("r", "w", "q", {})
    Recording(store, "r", threading.Event()).emit(
        StepStarted(1, Skill("Index"), "", TokenUse(input=100, output=7))
    )
    after = samples(client)

    def more(name: str, label: str) -> float:
        return after[name, label] - before.get((name, label), 0.0)

    assert more("treeline_tile_seconds_count", "404") == 1
    assert more("treeline_tokens_total", "input") == 100
    assert more("treeline_tokens_total", "output") == 7


def test_a_team_tells_numbers_only_for_the_token(client, monkeypatch):
    monkeypatch.setenv("TREELINE_MODE", "team")
    assert client.get("/metrics").status_code == 404
    monkeypatch.setenv("TREELINE_METRICS_TOKEN", "a long secret")
    assert client.get("/metrics", headers={"Authorization": "Bearer another"}).status_code == 404
    assert samples(client, Authorization="Bearer a long secret")


def test_an_allowance_fills_again_with_time():
    moment = [0.0]
    allowance = Allowance(lambda: moment[0])
    assert [allowance.take("ann", 2) for _ in range(2)] == [0, 0]
    assert allowance.take("ann", 2) == pytest.approx(30)
    assert allowance.take("bob", 2) == 0
    moment[0] = 30.0
    assert allowance.take("ann", 2) == 0
    assert allowance.take("ann", 2) > 0
    moment[0] = 10_000.0
    assert [allowance.take("ann", 2) > 0 for _ in range(3)] == [False, False, True]


def test_one_request_too_many_is_told_when_to_come_again(monkeypatch):
    answer = limit_rate("tiles", lambda quotas: quotas.tiles)(lambda request: PlainTextResponse("tile"))
    client = TestClient(Starlette(routes=[Route("/", answer)]))
    assert [client.get("/").status_code for _ in range(5)] == [200] * 5
    monkeypatch.setenv("TREELINE_QUOTAS", "tiles=2")
    assert [client.get("/").status_code for _ in range(3)] == [200, 200, 429]
    refused = client.get("/")
    assert refused.json()["error"].startswith("2 tiles a minute are allowed.")
    assert 0 < int(refused.headers["retry-after"]) <= 31


def test_forty_slow_answers_of_one_keep_nobody_else_waiting():
    begun, ended = threading.Semaphore(0), threading.Event()

    def answer(request: Request) -> PlainTextResponse:
        if request.client and request.client.host == "ann":
            begun.release()
            ended.wait(30)
        return PlainTextResponse("tile")

    tile = limit_rate("tiles", lambda quotas: quotas.tiles)(answer)

    async def ask(who: str) -> int:
        scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": (who, 1)}
        return (await tile(Request(scope))).status_code

    async def ask_all() -> None:
        hers = [asyncio.create_task(ask("ann")) for _ in range(60)]
        await asyncio.to_thread(begun.acquire, timeout=10)
        assert await asyncio.wait_for(ask("bob"), 10) == 200
        ended.set()
        assert await asyncio.gather(*hers) == [200] * 60

    asyncio.run(ask_all())
