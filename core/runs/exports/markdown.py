"""Question, answer and steps of a run as Markdown."""

from __future__ import annotations

import json

from treeline.core.runs.result import RunResult, StepResult


def as_markdown(result: RunResult) -> str:
    """Return question, answer and steps for a report."""
    lines = [f"# {result.question}", ""]
    if result.read_as:
        lines += [f"Read as: {result.read_as}", ""]
    status = [f"Status: {result.status}. {result.reason}".strip(), ""] if result.status else []
    if result.status == "unverified":  # told before the answer, which nobody should take for a result
        lines += [f"> {status[0]}", ""]
    if result.answer is not None:
        lines += [f"**{result.choice}** {result.answer}" if result.choice else result.answer, ""]
    if result.status not in ("answered", "unverified"):
        lines += status
    lines += [result.difference, ""] if result.difference else []
    lines += [f"- Reading {each.number}: {each.read_as}" for each in result.readings]
    return "\n".join([*lines, *(line for step in result.steps for line in _step_lines(step))])


def _step_lines(step: StepResult) -> list[str]:
    found = step.observation
    lines = [f"## {step.number}. {step.action} {step.name} ({step.seconds:.2f} s)", ""]
    if step.thought:
        lines += [step.thought, ""]
    if step.action == "call":
        lines += ["```json", json.dumps(found.arguments or step.arguments, ensure_ascii=False), "```"]
    lines += ["```", found.text, "```"]
    if found.hint:
        lines.append(found.hint)
    return [*lines, ""]
