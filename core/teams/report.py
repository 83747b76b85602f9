"""What a team's record says of its members, sub-goals and verdicts."""

from __future__ import annotations

from typing import Any

from treeline.core.context.ledger import ledger_of
from treeline.core.engine.actions import TokenUse
from treeline.core.engine.events import Note
from treeline.core.engine.journal import events_of, recorded_state
from treeline.core.record.store import Store
from treeline.core.teams.inheriting import count_inherited
from treeline.core.teams.names import MOST_MEMBERS, SOLO

_COSTS = ("members", "steps", "seconds", "input", "cached", "output")
_PARTS = {"member": "members", "sub_goal": "sub_goals", "verdict": "verdicts"}
_PROGRESS = ("lost", "retry", "rollback", "layer", "memory", "distilled", "orchestrator")


def team_report(store: Store, run: str) -> dict[str, Any]:
    """Return members, sub-goals, verdicts and what happened between them; empty for a run without a team."""
    told = [s.event for s in events_of(store, run) if isinstance(s.event, Note) and s.event.data.get("team")]
    record = store.run(run)
    if not told and (record is None or record.options.get("team", SOLO) == SOLO):
        return {}
    report: dict[str, Any] = {name: [] for name in (*_PARTS.values(), "happened")}
    lanes: dict[str, dict[str, Any]] = {}
    for note in told:
        kind = note.data["team"]
        data = {key: value for key, value in note.data.items() if key != "team"}
        if kind == "member_started":
            lanes[data["member"]] = _started_member(data)
        elif kind == "member_finished" and data["member"] in lanes:
            lanes[data["member"]] |= {"status": data["status"], "steps": data["steps"]}
        # A team that was resumed tells its sub-goals again.
        if kind in _PARTS and data not in report[_PARTS[kind]]:
            report[_PARTS[kind]].append({**data, **({"text": note.text} if kind == "sub_goal" else {})})
        elif kind in _PROGRESS:
            report["happened"].append({"kind": kind, "text": note.text})
    known = {member["name"] for member in report["members"]}
    report["members"] += [lane for name, lane in lanes.items() if name not in known]
    return report


def _started_member(data: dict[str, Any]) -> dict[str, Any]:
    """Return a member that is at work, in the form of one that has ended."""
    kept = {key: data[key] for key in ("role", "run", "goal", "variant", "layer")}
    return {
        "name": data["member"],
        **kept,
        "status": "running",
        "steps": 0,
        "seconds": 0.0,
        "lost": 0,
        "tokens": {"input": 0, "output": 0},
    }


def variant_costs(store: Store, run: str) -> list[dict[str, Any]]:
    """Return what each variant of a team's run cost: members, steps, seconds and the tokens of its ledger."""
    costs: dict[int, dict[str, float]] = {}
    for record in store.runs(parent=run, limit=MOST_MEMBERS):
        if not (member := record.options.get("member")):
            continue
        state = recorded_state(store, record.id)
        ledger, sums = ledger_of(state), costs.setdefault(member["variant"], dict.fromkeys(_COSTS, 0))
        seconds = round(sum(step.seconds for step in state.steps), 4)
        own = len(state.steps) - count_inherited(store, record.id)
        one = (1, own, seconds, ledger.input, ledger.cached_input, ledger.output)
        for name, value in zip(_COSTS, one, strict=True):
            sums[name] += value
    return [{"variant": number, **costs[number]} for number in sorted(costs)]


def team_tokens(store: Store, run: str) -> TokenUse:
    """Return what the members and the orchestrator of a team's run used, given up attempts among them."""
    members = [r.id for r in store.runs(parent=run, limit=MOST_MEMBERS) if r.options.get("member")]
    used = sum((recorded_state(store, member).tokens for member in members), TokenUse())
    for note in (s.event for s in events_of(store, run) if isinstance(s.event, Note)):
        if note.data.get("team") == "orchestrator" and "tokens" in note.data:
            used += TokenUse(**note.data["tokens"])
    return used
