"""How the board of a team looks. Constant; nothing from data comes in."""

from __future__ import annotations

BOARD_STYLE = """
.st-key-team-box { padding: 8px !important; }
.team { --line: #d5dbd8; --soft: #f3f5f4; --faint: #66736e; --good: #1b7f4d; --busy: #2b6cb0; --bad: #b02a37;
  --warn: #b4530f; --paper: #fff; font-size: 12px; line-height: 1.4; container-type: inline-size; }
.team.dark { --line: #333c3d; --soft: #1e2526; --faint: #9aa6a2; --good: #4dc48a; --busy: #6aa9e9;
  --bad: #f07883; --warn: #ef9a5d; --paper: #14191a; }
.team p, .team ul { margin: 0; padding: 0; list-style: none; }
.team .stages { display: flex; flex-wrap: wrap; gap: 2px 4px; align-items: center; margin-bottom: 6px; }
.team .stage { color: var(--faint); padding: 1px 7px; border-radius: 9px; border: 1px solid transparent; }
.team .stage.done { color: inherit; }
.team .stage.done::before { content: "✓ "; color: var(--good); }
.team .stage.now { color: var(--busy); border-color: var(--busy); font-weight: 600; }
.team .told { color: var(--warn); border-left: 3px solid var(--warn); padding: 1px 8px; margin-bottom: 4px; }
.team .known { color: var(--faint); margin-bottom: 4px; }
.team .lanes { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(225px, 1fr); gap: 8px;
  overflow-x: auto; padding-bottom: 4px; }
.team .lane { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 7px;
  display: flex; flex-direction: column; gap: 5px; min-width: 0; }
.team .lane.taken { border-color: var(--good); box-shadow: inset 0 3px 0 var(--good); }
.team .title { display: flex; gap: 6px; align-items: baseline; flex-wrap: wrap; }
.team .title b { font-weight: 600; overflow-wrap: anywhere; }
.team .title .end { margin-left: auto; color: var(--faint); white-space: nowrap; }
.team .card { background: var(--paper); border: 1px solid var(--line); border-left: 3px solid var(--line);
  border-radius: 4px; padding: 5px 7px; display: flex; flex-direction: column; gap: 3px; min-width: 0; }
.team .card .body { display: flex; flex-wrap: wrap; gap: 4px 14px; }
.team .card .body > div { flex: 1 1 190px; min-width: 0; display: flex; flex-direction: column; gap: 3px; }
.team .card.answered { border-left-color: var(--good); }
.team .card.running, .team .card.asks { border-left-color: var(--busy); }
.team .card.failed { border-left-color: var(--bad); }
.team .card.unverified, .team .card.stopped, .team .card.interrupted { border-left-color: var(--warn); }
.team .card.declined { border-left-color: var(--faint); }
.team .card.waiting { border-style: dashed; }
.team .state { font-weight: 600; }
.team .answered > .title .state, .team .yes { color: var(--good); }
.team .running > .title .state, .team .asks > .title .state, .team .now { color: var(--busy); }
.team .failed > .title .state, .team .no { color: var(--bad); }
.team .unverified > .title .state, .team .interrupted > .title .state, .team .warn { color: var(--warn); }
.team .faint { color: var(--faint); }
.team .clip { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
  overflow-wrap: anywhere; }
.team .contract { display: grid; grid-template-columns: auto 1fr; gap: 2px 6px; align-items: baseline; }
.team .contract > span { color: var(--faint); }
.team .chips { display: flex; flex-wrap: wrap; gap: 3px; min-width: 0; }
.team .chip { border: 1px solid var(--line); border-radius: 8px; padding: 0 6px; background: var(--soft);
  overflow-wrap: anywhere; max-width: 100%; }
.team .lane .card .chip { background: transparent; }
.team .chip.yes { border-color: var(--good); }
.team .chip.no { border-color: var(--bad); }
.team .chip.planned { border-style: dashed; color: var(--faint); }
.team .tree { border-left: 1px solid var(--line); margin-left: 3px; padding-left: 8px; }
.team .tree li { overflow-wrap: anywhere; position: relative; }
.team .tree .tool { padding-left: 12px; }
.team .tree .tool::before { content: ""; position: absolute; left: 1px; top: 0.65em; width: 8px;
  border-top: 1px solid var(--line); }
.team .tree .succeeded { color: var(--good); }
.team .tree .running { color: var(--busy); }
.team .tree .refused { color: var(--warn); }
.team .tree .failed { color: var(--bad); }
.team .bar { height: 4px; border-radius: 2px; background: var(--line); overflow: hidden; align-self: center; }
.team .bar i { display: block; height: 100%; background: var(--busy); }
.team .verdict .bar i { background: var(--good); }
.team .flow { display: flex; flex-wrap: wrap; gap: 3px 14px; align-items: center; color: var(--faint);
  justify-content: center; padding: 3px 0; min-height: 8px; }
.team .flow p { display: flex; flex-wrap: wrap; gap: 3px; align-items: center; }
.team .flow .arrow { color: var(--busy); font-weight: 700; }
.team .verdict { margin-top: auto; display: flex; flex-direction: column; gap: 2px; overflow-wrap: anywhere; }
.team .lane .verdict { border-top: 1px solid var(--line); padding-top: 5px; }
.team .signals { display: grid; grid-template-columns: repeat(auto-fit, minmax(225px, 1fr)); gap: 0 18px; }
.team .signal { display: grid; grid-template-columns: minmax(0, 1fr) 64px 2em; gap: 6px; }
.team .signal span { color: var(--faint); }
.team .signal.all span { color: inherit; font-weight: 600; }
.team .signal .bar { display: block; width: 100%; }
.team .badge { border-radius: 8px; padding: 0 7px; border: 1px solid var(--line); color: var(--faint); }
.team .badge.taken { background: var(--good); border-color: var(--good); color: var(--paper); }
.team .band { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: 6px 7px; }
.team .band .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(200px, 1fr)); gap: 6px;
  margin-top: 4px; }
.team .ground { justify-content: center; align-items: center; border: 1px dashed var(--line);
  border-radius: 6px; padding: 3px 7px; }
"""
