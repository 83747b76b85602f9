"""The commands of the command line, one module each, imported when the command is given."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """A command: the module that declares it, and what it does in a line."""

    module: str
    summary: str


COMMANDS = {
    "ask": Entry("ask", "answer a question on rasters"),
    "explain": Entry("explain", "say how a question is read and what would be called; nothing is run"),
    "describe": Entry("describe", "show how each file is recognised, and why one is not read"),
    "correct": Entry("describe", "correct how a file or band is recognised: role, scale, offset, fill, date"),
    "call": Entry("call", "call one tool"),
    "tools": Entry("tools", "list the tools, or show one"),
    "model": Entry("model", "test the endpoint of a language model: list its models, try one call"),
    "cards": Entry("cards", "list the task cards, or search them"),
    "memory": Entry("memory", "what was learned from failures and by teams"),
    "runs": Entry("runs", "list the runs"),
    "export": Entry("transfer", "write a run as a file: report, script, notebook, bundle, lesson and more"),
    "import": Entry("transfer", "import the run of a bundle or a lesson"),
    "workspaces": Entry("workspaces", "list the workspaces, or delete one with its runs"),
    "backup": Entry("backup", "save the record and the workspaces as one archive, while runs go on"),
    "restore": Entry("backup", "restore a home from such an archive"),
    "resume": Entry("resume", "continue a run that was interrupted or used up its budget"),
    "replay": Entry("replay", "replay recorded tool calls"),
    "bench": Entry("bench", "benchmarks and their metrics"),
    "serve": Entry("serve", "open the workbench"),
}
