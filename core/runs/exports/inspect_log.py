"""The form of Inspect's logs (``inspect_ai``, version 2 of the form), and a run in it.

A log is one task with one model: ``eval`` says which, ``samples`` holds each question with its target,
messages and scores, ``results`` the means, ``stats`` the tokens. Only what the record has is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from treeline.core.runs.exports.exported_run import ExportedRun
from treeline.core.runs.result import StepResult

FORM = 2
SOFTWARE = "treeline"

Message = dict[str, Any]
Scores = Mapping[str, float | str | None]
_ENDED = {"answered": "success", "stopped": "cancelled", "failed": "error"}


@dataclass(frozen=True, slots=True)
class Sample:
    """A question as it was worked on.

    Attributes
    ----------
    epoch : int
        Which of several times the same, from 1.
    target : str or sequence of str
        What is right; empty where it is not known.
    messages : sequence of dict
        What followed the question, see :func:`call_message` and :func:`result_message`.
    scores : mapping of str to float or str
        By the scorer's name; ``None`` where it does not decide.
    tokens : mapping of str to int
        ``input``, ``output`` and perhaps ``cached``; empty where no model was asked.
    """

    id: str
    question: str
    target: str | Sequence[str] = ""
    choices: Sequence[str] = ()
    messages: Sequence[Message] = ()
    answer: str = ""
    scores: Scores = field(default_factory=dict)
    tokens: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    error: str = ""
    epoch: int = 1
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self, model: str) -> dict[str, Any]:
        """Return it as a sample of a log."""
        message = {"role": "assistant", "content": self.answer, "model": model}
        asked = {"role": "user", "content": self.question, "source": "input"}
        usage = _usage(self.tokens)
        found: dict[str, Any] = {
            "id": self.id,
            "epoch": self.epoch,
            "input": self.question,
            "choices": list(self.choices) or None,
            "target": self.target if isinstance(self.target, str) else list(self.target),
            "messages": [asked, *self.messages, message],
            "output": {
                "model": model,
                "choices": [{"message": message, "stop_reason": "stop"}],
                **({"usage": usage} if usage else {}),
            },
            "scores": {
                name: {"value": value, "answer": self.answer}
                for name, value in self.scores.items()
                if value is not None
            },
            "metadata": dict(self.metadata),
            "model_usage": {model: usage} if usage else {},
            "total_time": self.seconds,
        }
        return found | ({"error": _error(self.error)} if self.error else {})


def inspect_log(
    task: str,
    model: str,
    samples: Sequence[Sample],
    created: datetime,
    version: str,
    settings: Mapping[str, Any] | None = None,
    status: str = "success",
) -> dict[str, Any]:
    """Return a log: one task with one model.

    Parameters
    ----------
    model : str
        Its name; a policy without a model has one of this software's.
    settings : mapping, optional
        How the task was worked on.
    status : str
        ``success``, ``cancelled`` or ``error``.
    """
    moment = created.astimezone().isoformat(timespec="seconds")
    # A question worked on in several epochs is one sample of the data set.
    identifiers = list(dict.fromkeys(sample.id for sample in samples))
    usage = [_usage(sample.tokens) for sample in samples]
    total = {name: sum(one.get(name, 0) for one in usage) for one in usage for name in one}
    return {
        "version": FORM,
        "status": status,
        "eval": {
            "created": moment,
            "task": task,
            "task_args": dict(settings or {}),
            "dataset": {"name": task, "samples": len(identifiers), "sample_ids": identifiers},
            "model": model,
            "config": {"epochs": max((sample.epoch for sample in samples), default=1)},
            "packages": {SOFTWARE: version},
        },
        "plan": {"name": "plan", "steps": [{"solver": SOFTWARE, "params": dict(settings or {})}]},
        "results": {
            "total_samples": len(samples),
            "completed_samples": sum(not sample.error for sample in samples),
            "scores": _means(samples),
        },
        "stats": {
            "started_at": moment,
            "completed_at": moment,
            "model_usage": {model: total} if total else {},
        },
        **({"error": _error(next(s.error for s in samples if s.error))} if status == "error" else {}),
        "samples": [sample.to_json(model) for sample in samples],
    }


def call_message(identifier: str, name: str, arguments: Mapping[str, Any], thought: str = "") -> Message:
    """Return a message that calls a function after a thought."""
    call = {"id": identifier, "function": name, "arguments": dict(arguments), "type": "function"}
    return {"role": "assistant", "content": thought, "tool_calls": [call]}


def result_message(identifier: str, name: str, text: str, error: str = "") -> Message:
    """Return what a call gave, or why it gave nothing."""
    found: Message = {"role": "tool", "content": text, "tool_call_id": identifier, "function": name}
    return found | ({"error": {"type": "unknown", "message": error}} if error else {})


def as_inspect_log(taken: ExportedRun, version: str) -> str:
    """Return a run as a log of one sample; what it ended as is its score."""
    result = taken.result
    policy = str(taken.record.options.get("policy", ""))
    status = result.status or result.state
    sample = Sample(
        id=result.run,
        question=result.question,
        choices=result.choices,
        messages=[message for step in result.steps for message in _messages(step)],
        answer=result.answer or "",
        scores={"status": status},
        tokens={"input": result.tokens.input, "output": result.tokens.output},
        seconds=result.seconds,
        error=result.reason if status == "failed" else "",
        metadata={
            "read_as": result.read_as,
            "choice": result.choice,
            "value": result.value,
            "unit": result.unit,
            "evidence": result.evidence,
            "products": result.products,
            **({"planner": result.planner.model_dump()} if result.planner else {}),
        },
    )
    log = inspect_log(
        "question",
        f"{SOFTWARE}/{policy}",
        [sample],
        taken.creation_time,
        version,
        _plain(taken.record.options),
        _ENDED.get(status, "success"),
    )
    return log_text(log)


def log_text(log: Mapping[str, Any]) -> str:
    """Return a log as the text of its file."""
    # JSON has no NaN, and readers of the form refuse it.
    return json.dumps(log, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _messages(step: StepResult) -> list[Message]:
    """Return a step as a call and its result; the answer is the last message of the sample."""
    if step.action == "answer":
        return []
    found = step.observation
    call = step.action == "call"
    name = step.name if call else step.action
    arguments = (found.arguments or step.arguments) if call else step.arguments or {"name": step.name}
    text = "\n".join(filter(None, [found.text, found.hint]))
    failed = found.kind in ("refusal", "failure")
    identifier = f"step-{step.number}"
    return [
        call_message(identifier, name, arguments, step.thought),
        result_message(identifier, name, text, (found.error or found.text) if failed else ""),
    ]


def _means(samples: Sequence[Sample]) -> list[dict[str, Any]]:
    """Return the mean of each score that is a number."""
    values: dict[str, list[float]] = {}
    for sample in samples:
        for name, value in sample.scores.items():
            if isinstance(value, int | float):
                values.setdefault(name, []).append(float(value))
    return [
        {
            "name": name,
            "scorer": SOFTWARE,
            "scored_samples": len(some),
            "unscored_samples": len(samples) - len(some),
            "metrics": {"mean": {"name": "mean", "value": sum(some) / len(some)}},
        }
        for name, some in values.items()
    ]


def _usage(tokens: Mapping[str, int]) -> dict[str, int]:
    read, written = tokens.get("input", 0), tokens.get("output", 0)
    if not read and not written:
        return {}
    cached = {"input_tokens_cache_read": tokens["cached"]} if tokens.get("cached") else {}
    return {"input_tokens": read, "output_tokens": written, "total_tokens": read + written, **cached}


def _error(reason: str) -> dict[str, str]:
    return {"message": reason, "traceback": "", "traceback_ansi": ""}


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    # Options hold tuples and paths, which are no JSON.
    found: dict[str, Any] = json.loads(json.dumps(options, default=str))
    return found
