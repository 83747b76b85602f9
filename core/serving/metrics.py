"""``/metrics``: what the server counts and what the record holds, as OpenMetrics text."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from prometheus_client import Metric
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from treeline.core.access import in_team
from treeline.core.errors import RecordError
from treeline.core.home import store_url
from treeline.core.metrics import REGISTRY
from treeline.core.record.store import Store
from treeline.core.record.totals import Totals, totals
from treeline.toolkit.secret_settings import secret_setting

TOKEN = "TREELINE_METRICS_TOKEN"


class RecordCollector:
    """What the record holds at the moment it is asked."""

    def collect(self) -> Iterable[Metric]:
        """Yield the numbers of runs and of faults; whether the record can be read."""
        try:
            store = Store(store_url())
            try:
                held: Totals | None = totals(store)
            finally:
                store.close()
        except RecordError:
            held = None
        readable = GaugeMetricFamily("treeline_record_readable", "1 while the record can be read, else 0.")
        readable.add_metric([], float(held is not None))
        yield readable
        if held is None:
            return
        runs = GaugeMetricFamily(
            "treeline_runs", "Runs in the record by their status; 'waiting' is the queue.", labels=["status"]
        )
        for status, count in sorted(held.runs.items()):
            runs.add_metric([status], count)
        yield runs
        faults = GaugeMetricFamily("treeline_faults", "Faults of Treeline itself in the record.")
        faults.add_metric([], held.faults)
        yield faults


REGISTRY.register(RecordCollector())


def metrics(request: Request) -> Response:
    """Answer ``/metrics``; on a server of a team only with the token of the setting."""
    token = secret_setting(TOKEN)
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if (in_team() or token) and not (token and secrets.compare_digest(given.encode(), token.encode())):
        raise HTTPException(404)
    return Response(
        generate_latest(REGISTRY),
        headers={"Cache-Control": "no-store", "Content-Type": CONTENT_TYPE_LATEST},
    )
