"""Question, answer and steps of a run as Markdown."""

from __future__ import annotations

import json
import re

from treeline.core.runs.question_options import with_options
from treeline.core.runs.result import NUMBERS, RunResult, StepResult


def prose(text: str) -> str:
    """Return what somebody or a file wrote as Markdown without tags, pictures and links of its own."""
    return text.replace("<", "\\<").replace("](", "]\\(")


def as_markdown(result: RunResult) -> str:
    """Return question, answer and steps for a report."""
    asked = with_options(result.question, result.choices)
    lines = [f"# {prose(' '.join(asked.split()))}", ""]
    if result.read_as:
        lines += [f"Read as: {prose(result.read_as)}", ""]
    status = [prose(f"Status: {result.status}. {result.reason}".strip()), ""] if result.status else []
    if result.status == "unverified":  # told before the answer, which nobody should take for a result
        lines += [f"> {status[0]}", ""]
    if result.answer is not None:
        answer = prose(result.answer)
        lines += [f"**{prose(result.chosen_option)}** {answer}" if result.chosen_option else answer, ""]
    if result.status not in ("answered", "unverified"):
        lines += status
    lines += [line for told in result.beside for line in (prose(told), "")]
    numbers = [f"- {prose(each.line)}" for each in result.sources]
    lines += [f"{NUMBERS}:", "", *numbers, ""] if numbers else []
    lines += [f"- Reading {each.number}: {prose(each.read_as)}" for each in result.readings]
    return "\n".join([*lines, *(line for step in result.steps for line in _step_lines(step))])


def _step_lines(step: StepResult) -> list[str]:
    found = step.observation
    lines = [f"## {step.number}. {step.action} {step.name} ({step.seconds:.2f} s)", ""]
    if step.thought:
        lines += [prose(step.thought), ""]
    if step.action == "call":
        lines += _fence(json.dumps(found.arguments or step.arguments, ensure_ascii=False), "json")
    lines += _fence(found.text)
    if found.hint:
        lines.append(prose(found.hint))
    return [*lines, ""]


def _fence(text: str, language: str = "") -> list[str]:
    """Return text between fences that it cannot close."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", text, fence]
