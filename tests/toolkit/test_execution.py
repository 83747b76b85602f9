from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
import rasterio

from tests.rasters import PlainResolver, write_raster
from treeline.toolkit import cluster as workers
from treeline.toolkit.context import ToolContext, current_context, use_context
from treeline.toolkit.errors import BackendMissing, InputError, RasterMissing, Stopped, TreelineError
from treeline.toolkit.execution import each
from treeline.toolkit.functions import Functions
from treeline.toolkit.raster import map_pixels, source, statistics
from treeline.toolkit.tool import OF_INPUT, Gives, Reads, Registry, Writes, build_tool, variant


def ratio(
    first: Annotated[str, Reads("red")],
    second: Annotated[str, Reads("nir")],
    output: Annotated[str, Writes("ndvi")],
    factor: float = 1.0,
) -> str:
    """Return a ratio.

    Parameters
    ----------
    first, second : str
        Rasters.
    output : str
        Where to write.
    factor : float
        Multiplies.

    Returns
    -------
    str
        The path.
    """
    inputs = {"a": source(first, "red"), "b": source(second, "nir")}
    return map_pixels(lambda a, b: factor * a / b, inputs, output, role="ndvi").path.name


def means(rasters: Annotated[list[str], Reads()]) -> list[float]:
    """Return means.

    Parameters
    ----------
    rasters : list of str
        Rasters.
    """
    return each(mean_of, rasters)


def mean_of(address: str) -> float:
    current_context().warn(f"looked at {address}")
    return statistics(address).mean


def nested_means(addresses: list[str]) -> list[float]:
    return each(mean_of, addresses)


def dies_once(marker: str, number: int) -> int:
    if number == 1 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * 10


def waits(address: str) -> None:
    threading.Event().wait(2)


RATIO = build_tool(
    ratio, kit="Index", source="test", gives=Gives("raster"), parameter_aliases={"red": "first"}
)
MEANS = build_tool(means, kit="Statistics", source="test", gives=Gives("series", "mean", OF_INPUT))


@pytest.fixture
def context(tmp_path: Path) -> Iterator[ToolContext]:
    for number in range(5):
        write_raster(tmp_path / f"r{number}.tif", np.full((3, 4), number + 1.0), descriptions=["red"])
    write_raster(tmp_path / "nir.tif", np.full((3, 4), 2.0), descriptions=["nir"])
    with use_context(
        ToolContext(output_folder=tmp_path, resolver=PlainResolver(tmp_path), threads=3)
    ) as context:
        yield context


def process_of(name: str) -> int:
    return os.getpid()


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_WORKERS", "2")


REDS = [f"r{number}.tif" for number in range(5)]


def test_results_warnings_and_products_come_in_order(context: ToolContext) -> None:
    assert each(mean_of, REDS) == [1, 2, 3, 4, 5]
    assert context.warnings == [f"looked at {name}" for name in REDS]


def test_several_lists_go_side_by_side_and_must_be_equal(context: ToolContext) -> None:
    assert each(lambda a, b: a * b, [1, 2, 3], [4, 5, 6]) == [4, 10, 18]
    assert each(mean_of, []) == []
    with pytest.raises(InputError, match="list 1: 2, list 2: 1"):
        each(lambda a, b: a, [1, 2], [1])


def test_progress_is_told_item_by_item(context: ToolContext) -> None:
    told = []
    context.progress = lambda *now: told.append(now)
    each(mean_of, REDS, label="means")
    assert told == [(done, 5, "means") for done in range(1, 6)]


def test_a_fault_names_its_item_and_starts_no_others(context: ToolContext) -> None:
    context.threads, started = 1, []

    def fails(number: int) -> int:
        started.append(number)
        if number == 1:
            raise RasterMissing("There is no raster.", "Look again.")
        return number

    with pytest.raises(RasterMissing, match="Item 2 of 50: There is no raster") as fault:
        each(fails, range(50))
    assert fault.value.hint == "Look again."
    assert started == [0, 1]


def test_other_exceptions_stay_as_they_are(context: ToolContext) -> None:
    with pytest.raises(ZeroDivisionError):
        each(lambda a: 1 / a, [1, 0])


def test_a_stop_stops(context: ToolContext) -> None:
    context.threads, started = 1, []

    def stops(number: int) -> None:
        started.append(number)
        current_context().stop.set()

    with pytest.raises(Stopped):
        each(stops, range(20))
    assert started == [0]


def test_a_call_is_recorded_in_what_it_writes(context: ToolContext, tmp_path: Path) -> None:
    assert RATIO.run({"red": "r3.tif", "second": "nir.tif", "output": "r.tif"}, context) == "r.tif"
    with rasterio.open(tmp_path / "r.tif") as dataset:
        assert (dataset.read(1) == 2).all()
        assert '"tool": "ratio"' in dataset.tags()["TREELINE_PROVENANCE"]
        assert '"factor": 1.0' in dataset.tags()["TREELINE_PROVENANCE"]


def test_a_list_where_one_raster_is_expected_maps(context: ToolContext, tmp_path: Path) -> None:
    found = RATIO.call({"first": REDS, "second": "nir.tif", "output": "out/r.tif"})
    assert found == [f"r_{number}.tif" for number in range(1, 6)]
    assert [p.path.name for p in context.products] == found
    assert rasterio.open(tmp_path / "out" / "r_5.tif").read(1)[0, 0] == 2.5
    assert '"r4.tif"' in rasterio.open(tmp_path / "out" / "r_5.tif").tags()["TREELINE_PROVENANCE"]


def test_numbers_of_outputs_sort(context: ToolContext) -> None:
    found = RATIO.call({"first": REDS * 2, "second": "nir.tif", "output": "r"})
    assert found == sorted(found)
    assert found[0] == "r_01.tif"


def test_lists_of_outputs_are_taken_item_by_item(context: ToolContext) -> None:
    lists = {"first": REDS[:2], "second": ["nir.tif"] * 2, "output": ["a.tif", "b.tif"]}
    assert RATIO.call(lists) == ["a.tif", "b.tif"]
    assert RATIO.call({"first": REDS[:1], "second": "nir.tif", "output": "one.tif"}) == ["one.tif"]
    with pytest.raises(InputError, match="differ in length"):
        RATIO.call({**lists, "output": ["a.tif"]})
    with pytest.raises(InputError, match="first: 2, second: 1"):
        RATIO.call({**lists, "second": ["nir.tif"]})
    with pytest.raises(InputError, match="empty"):
        RATIO.call({**lists, "first": []})


def test_a_tool_that_takes_lists_is_called_once(context: ToolContext) -> None:
    assert MEANS.call({"rasters": REDS}) == [1, 2, 3, 4, 5]


def test_wrong_arguments_are_told_before_anything_runs(context: ToolContext) -> None:
    with pytest.raises(InputError, match="factor"):
        RATIO.call({"first": REDS, "second": "nir.tif", "output": "r.tif", "factor": "many"})
    assert context.products == []


def test_the_profile_chooses_the_implementation(context: ToolContext) -> None:
    own = Registry()
    own.add(replace(RATIO, functions=Functions(RATIO.function)))
    variant(RATIO.name, "earth_bench", own)(lambda first, second, output, factor: "the other one")
    context.profile = "earth_bench"
    arguments = {"first": "r1.tif", "second": "nir.tif", "output": "r.tif"}
    assert own.get(RATIO.name).run(arguments, context) == "the other one"


def test_processes_give_the_same(context: ToolContext, cluster: None, tmp_path: Path) -> None:
    assert each(mean_of, REDS) == [1, 2, 3, 4, 5]
    assert context.warnings == [f"looked at {name}" for name in REDS]
    found = RATIO.call({"first": REDS, "second": "nir.tif", "output": "c.tif"})
    assert [p.path.name for p in context.products] == found
    assert rasterio.open(tmp_path / "c_5.tif").read(1)[0, 0] == 2.5
    assert each(nested_means, [REDS[:2], REDS[2:]]) == [[1, 2], [3, 4, 5]]
    with pytest.raises(RasterMissing, match="Item 2 of 2"):
        each(mean_of, ["r0.tif", "nothing.tif"])


def test_a_worker_that_dies_loses_no_item(context: ToolContext, cluster: None, tmp_path: Path) -> None:
    marker = tmp_path / "died"
    assert each(dies_once, [str(marker)] * 4, range(4)) == [0, 10, 20, 30]
    assert marker.exists()


def test_a_stop_does_not_wait_for_the_cluster(context: ToolContext, cluster: None) -> None:
    timer = threading.Timer(0.5, context.stop.set)
    timer.start()
    with pytest.raises(Stopped):
        each(waits, REDS)
    timer.join()


def until_stopped(started: str, ended: str) -> None:
    Path(started).touch()
    while True:
        try:
            current_context().check_stop()
        except Stopped:
            Path(ended).touch()
            raise


def test_a_stop_reaches_the_items_that_are_at_work(
    context: ToolContext, cluster: None, tmp_path: Path
) -> None:
    started, ended = ([str(tmp_path / f"{word}{n}") for n in range(2)] for word in ("started", "ended"))

    def stop_when_started() -> None:
        while not all(Path(name).exists() for name in started):
            threading.Event().wait(0.02)
        context.stop.set()

    person = threading.Thread(target=stop_when_started)
    person.start()
    with pytest.raises(Stopped):
        each(until_stopped, started, ended)
    person.join()
    context.stop.clear()
    # The workers are free again only when the items have ended.
    assert each(mean_of, REDS) == [1, 2, 3, 4, 5]
    while not all(Path(name).exists() for name in ended):
        threading.Event().wait(0.02)


def fails_and_counts(folder: str, number: int) -> None:
    (Path(folder) / f"try-{os.getpid()}-{len(list(Path(folder).glob('try-*')))}").touch()
    raise InputError(f"No {number} here.", "Give another.")


def test_a_fault_of_an_item_is_not_tried_again(context: ToolContext, cluster: None, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No 0 here"):
        each(fails_and_counts, [str(tmp_path)], [0])
    assert len(list(tmp_path.glob("try-*"))) == 1


def test_the_address_of_a_scheduler_is_used(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0") as theirs:
        monkeypatch.setenv("TREELINE_SCHEDULER", theirs.scheduler_address)
        assert each(process_of, REDS) != [os.getpid()] * len(REDS)
        assert each(mean_of, REDS) == [1, 2, 3, 4, 5]
        workers._client(theirs.scheduler_address, "").close()
        workers._client.cache_clear()


def test_a_scheduler_that_is_not_there_or_has_no_worker_is_told(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.2)
    monkeypatch.setattr(workers, "WORKER_SECONDS", 0.2)
    monkeypatch.setenv("TREELINE_SCHEDULER", "tcp://127.0.0.1:9")
    with pytest.raises(BackendMissing, match="no dask scheduler answers") as caught:
        MEANS.run({"rasters": REDS}, context)
    assert "rasters" not in caught.value.message, "the rasters are not at fault"
    monkeypatch.undo()
    monkeypatch.setattr(workers, "WORKER_SECONDS", 0.2)
    with LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as idle:
        monkeypatch.setenv("TREELINE_SCHEDULER", idle.scheduler_address)
        with pytest.raises(BackendMissing, match="has no worker"):
            each(mean_of, REDS)
        workers._client(idle.scheduler_address, "").close()
        workers._client.cache_clear()


def waits_for_end(started: str) -> None:
    Path(started).touch()
    threading.Event().wait(20)


def test_a_scheduler_that_is_killed_is_told(
    context: ToolContext, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its worker stands in another folder, and ends with it."""
    address = f"tcp://127.0.0.1:{free_port()}"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dask, port = [sys.executable, "-m", "dask"], address.rpartition(":")[2]
    scheduler = subprocess.Popen(
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"], **quiet
    )
    options = ["--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard", "--no-nanny"]
    root = str(Path(__file__).parents[2])
    worker = subprocess.Popen(
        [*dask, "worker", address, *options], cwd=tmp_path, env={**os.environ, "PYTHONPATH": root}, **quiet
    )
    started = tmp_path / "started"

    def kill_when_started() -> None:
        while not started.exists():
            threading.Event().wait(0.02)
        scheduler.kill()

    fate = threading.Thread(target=kill_when_started)
    monkeypatch.setenv("TREELINE_SCHEDULER", address)
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 30)
    try:
        assert each(process_of, REDS) == [worker.pid] * len(REDS)
        fate.start()
        with pytest.raises(TreelineError, match="connection to the dask scheduler was lost"):
            each(waits_for_end, [str(started)])
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait()
        workers._client(address, "").close()
        workers._client.cache_clear()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_wrong_number_of_workers_is_told(context: ToolContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREELINE_WORKERS", "many")
    with pytest.raises(BackendMissing, match="TREELINE_WORKERS is 'many'"):
        each(mean_of, REDS)


@pytest.fixture(autouse=True, scope="module")
def _close_cluster() -> Iterator[None]:
    yield
    if workers._client.cache_info().currsize:
        client = workers._client("", "2")
        client.cluster.close()
        client.close()
        workers._client.cache_clear()
