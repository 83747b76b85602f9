"""OpenTelemetry spans of what a run does: one of the run, one of each skill, document and call.

They tell names, durations, tokens and how a step ended, and nothing of what was asked, read or answered.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from treeline.core.engine.actions import Answer, Call, Doc, Skill
from treeline.core.engine.events import Event, RunFinished, StepFinished, StepStarted
from treeline.toolkit.errors import BackendMissing
from treeline.toolkit.extras import import_optional

SETTING = "TREELINE_TRACES"
_EXTRA = "telemetry"
# The exporter sends in batches; a page that watches a run sees its spans within this time.
_DELAY_MILLISECONDS = 1_000
_LOG = logging.getLogger(__name__)


class Spans:
    """The spans of a run as this process works on it.

    Parameters
    ----------
    run : str
        All processes that work on it report one trace.
    tracer : opentelemetry.trace.Tracer
    """

    def __init__(self, run: str, tracer: Any) -> None:
        self._trace = import_optional("opentelemetry.trace", _EXTRA)
        self._tracer = tracer
        self._run = run
        self._whole: Any = None
        self._step: Any = None

    def tell(self, event: Event) -> None:
        """Begin and end spans by an event of the run."""
        if isinstance(event, StepStarted):
            self._begin(event)
        elif isinstance(event, StepFinished) and self._step is not None:
            self._end_step(event.observation.is_success)
        elif isinstance(event, RunFinished):
            self._end_step(succeeded=True)
            self._root().set_attribute("treeline.status", event.status)
            self.end()

    def end(self) -> None:
        """End what has begun; a run that stops here may go on elsewhere."""
        self._end_step(succeeded=False)
        if self._whole is not None:
            self._whole.end()
            self._whole = None

    def _begin(self, event: StepStarted) -> None:
        self._end_step(succeeded=True)
        kind, name = _kind_and_name(event)
        attributes: Mapping[str, Any] = {
            "treeline.step": event.step,
            f"treeline.{kind}": name,
            "treeline.policy_seconds": event.seconds,
            "gen_ai.usage.input_tokens": event.tokens.input,
            "gen_ai.usage.output_tokens": event.tokens.output,
        }
        inside = self._trace.set_span_in_context(self._root())
        self._step = self._tracer.start_span(f"{kind} {name}".strip(), inside, attributes=attributes)

    def _end_step(self, succeeded: bool) -> None:
        if self._step is not None:
            self._step.set_attribute("treeline.succeeded", succeeded)
            self._step.end()
            self._step = None

    def _root(self) -> Any:
        if self._whole is None:
            # A trace has 16 bytes and a span 8. Both follow from the name of the run, so that processes which
            # share nothing else report one trace.
            digest = hashlib.sha256(self._run.encode()).digest()
            known = self._trace.SpanContext(
                int.from_bytes(digest[:16], "big"),
                int.from_bytes(digest[16:24], "big"),
                is_remote=True,
                trace_flags=self._trace.TraceFlags(self._trace.TraceFlags.SAMPLED),
            )
            inside = self._trace.set_span_in_context(self._trace.NonRecordingSpan(known))
            self._whole = self._tracer.start_span("run", inside, attributes={"treeline.run": self._run})
        return self._whole


def spans_of(run: str) -> Spans | None:
    """Return the spans of a run where ``TREELINE_TRACES`` names a collector, such as
    ``http://localhost:4318/v1/traces``; ``None`` where it is empty.
    """
    address = os.environ.get(SETTING, "")
    if not address:
        return None
    try:
        return Spans(run, _tracer(address))
    except BackendMissing as error:
        _LOG.warning("No traces are sent: %s", error)
        return None


@cache
def _tracer(address: str) -> Any:
    sdk = import_optional("opentelemetry.sdk.trace", _EXTRA)
    resources = import_optional("opentelemetry.sdk.resources", _EXTRA)
    exporting = import_optional("opentelemetry.sdk.trace.export", _EXTRA)
    otlp = import_optional("opentelemetry.exporter.otlp.proto.http.trace_exporter", _EXTRA)
    provider = sdk.TracerProvider(resource=resources.Resource.create({"service.name": "treeline"}))
    exporter = otlp.OTLPSpanExporter(endpoint=address)
    provider.add_span_processor(
        exporting.BatchSpanProcessor(exporter, schedule_delay_millis=_DELAY_MILLISECONDS)
    )
    return provider.get_tracer("treeline")


def _kind_and_name(event: StepStarted) -> tuple[str, str]:
    match event.action:
        case Skill(kit=kit):
            return "skill", kit
        case Doc(tool=tool):
            return "doc", tool
        case Call(tool=tool):
            return "call", tool
        case Answer():
            return "answer", ""
    return "step", ""
