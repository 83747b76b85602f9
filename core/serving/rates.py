"""How often one may ask for tiles and uploads: so many a minute, each person or address for itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from functools import wraps

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from treeline.core.access import acting_person, in_team
from treeline.core.metrics import REFUSED
from treeline.core.runs.quotas import Quotas
from treeline.core.serving.threads import Threads

_MINUTE = 60.0
# Who asked longest ago goes first; anybody can make up names, and their allowances must not fill the memory.
_MOST_KEPT = 10_000

Limit = Callable[[Quotas], int]


class Allowance:
    """So many requests a minute, saved up to one minute's worth; the token bucket.

    Parameters
    ----------
    clock : callable
        Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def take(self, who: str, limit: int) -> float:
        """Take one request of somebody's; return 0, or the seconds to wait where there is none left."""
        with self._lock:
            moment = self._clock()
            left, last = self._left.pop(who, (float(limit), moment))
            left = min(float(limit), left + (moment - last) * limit / _MINUTE)
            granted = left >= 1
            self._left[who] = (left - granted, moment)
            if len(self._left) > _MOST_KEPT:
                del self._left[next(iter(self._left))]
            return 0.0 if granted else (1 - left) * _MINUTE / limit


def limit_rate(
    kind: str, limit: Limit
) -> Callable[[Callable[[Request], Response]], Callable[[Request], Awaitable[Response]]]:
    """Answer 429 where somebody asks for more of a kind than the quotas allow; 0 means no limit.

    What is allowed is answered in threads of whoever asks, so that nobody waits for what another had begun.
    """
    allowance, threads = Allowance(), Threads()

    def guard(answer: Callable[[Request], Response]) -> Callable[[Request], Awaitable[Response]]:
        @wraps(answer)
        async def answer_within_limit(request: Request) -> Response:
            refusal = refuse(request, kind, limit, allowance)
            if refusal is not None:
                return refusal
            return await threads.run(asker_of(request), answer, request)

        return answer_within_limit

    return guard


def refuse(request: Request, kind: str, limit: Limit, allowance: Allowance) -> Response | None:
    """Return the refusal of a request that is one too many, or ``None``."""
    allowed = limit(Quotas.from_environment())
    if not allowed:
        return None
    wait = allowance.take(asker_of(request), allowed)
    if not wait:
        return None
    REFUSED.labels(kind).inc()
    return JSONResponse(
        {"error": f"{allowed} {kind} a minute are allowed. Wait {wait:.0f} seconds."},
        status_code=429,
        headers={"Retry-After": f"{wait + 1:.0f}"},
    )


def asker_of(request: Request) -> str:
    """Return who asks: a person, or on a server of one person an address."""
    if in_team():
        return acting_person().id
    return request.client.host if request.client else ""
