"""How the questions of Earth-Bench are worked on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from treeline.core.context.folds import WINDOW
from treeline.core.context.names import AUTO
from treeline.core.lab.records import Regime
from treeline.core.lab.toolbox import ALL, check_toolbox
from treeline.core.memory.bank import NEAREST
from treeline.core.memory.model_reflection import OWN
from treeline.core.policies.names import USUAL, usual_disclosure
from treeline.core.runs.options import RunOptions, check_options
from treeline.core.settings import Endpoint
from treeline.core.teams.names import SOLO
from treeline.toolkit.errors import InputError

BenchMemory = Literal["off", "bench"]
MEMORIES: tuple[BenchMemory, ...] = ("off", "bench")
# Beyond, endpoints refuse and processes swap; a typing error should not start a thousand of them.
MOST_WORKERS = 64
MOST_REPEATS = 100

# These change how fast a bench is and where it leaves its record, not what comes out.
_NO_MATTER = ("workers", "record")


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """How the questions are worked on.

    Attributes
    ----------
    data : str
        Folder with the benchmark's data; empty means by file names only.
    workers : int
        Questions worked on at the same time.
    memory : str
        ``off``: each question is worked on as if it were the first. ``bench``: in order, and the memory
        bank of a team keeps what earlier questions taught.
    partial : bool
        Whether the largest part of a question that is understood is carried out where the whole is not.
    tools : str
        Which tools are shown, see :mod:`treeline.core.lab.toolbox`.
    needed : tuple of str
        The tools that the questions need, for such a set of tools as speaks of them.
    reflection : str
        What a round is told of the failed one before.
    lessons : int
        Most items of the memory bank that a team is told.
    without : tuple of str
        Parts of a team that are switched off.
    repeats : int
        How often each question is worked on; each time has the next seed.
    window : int
        Tokens of the context that is counted where no model is asked; a model's is that of its settings.
    record : str
        File that keeps the runs of a bench with memory; a temporary one where it is empty.
    """

    regime: Regime = "ap"
    policy: str = "planner"
    disclosure: str = USUAL
    data: str = ""
    # The expert's numbers were made with the formulas of the benchmark, which the scientific
    # profile does not use.
    profile: str = "earth_bench"
    team: str = SOLO
    variants: int = 2
    executors: int = 3
    rounds: int = 1
    memory: BenchMemory = "off"
    card: str = AUTO
    workers: int = 2
    steps: int = 60
    seconds: float = 900.0
    seed: int = 0
    record: str = ""
    partial: bool = True
    tools: str = ALL
    needed: tuple[str, ...] = ()
    reflection: str = OWN
    lessons: int = NEAREST
    without: tuple[str, ...] = ()
    repeats: int = 1
    window: int = WINDOW

    def __post_init__(self) -> None:
        if self.disclosure == USUAL:
            # Written out at once, so that two reports with the same strategy say the same of it,
            # named or not.
            object.__setattr__(self, "disclosure", usual_disclosure(self.policy))

    def check(self, endpoint: Endpoint | None = None) -> None:
        """Refuse options that name nothing.

        Raises
        ------
        InputError
            Names the option and what there is.
        """
        if self.memory not in MEMORIES:
            raise InputError(f"There is no memory {self.memory!r}.", f"There are {', '.join(MEMORIES)}.")
        check_toolbox(self.tools)
        if not 1 <= self.repeats <= MOST_REPEATS:
            raise InputError(f"A question is worked on 1 to {MOST_REPEATS} times, not {self.repeats}.")
        if not 1 <= self.workers <= MOST_WORKERS:
            raise InputError(
                f"There can be 1 to {MOST_WORKERS} workers, not {self.workers}.", "Two do mostly."
            )
        if self.data and not Path(self.data).is_dir():
            raise InputError(
                f"There is no folder {self.data!r}.", "Give the benchmark's folder, or --files-only."
            )
        asked = RunOptions(
            policy=self.policy,
            disclosure=self.disclosure,
            profile=self.profile,
            team=self.team,
            variants=self.variants,
            executors=self.executors,
            rounds=self.rounds,
            card=self.card,
            reflection=self.reflection,
            lessons=self.lessons,
            without=tuple(self.without),
        )
        check_options("?", asked, endpoint)

    def to_json(self) -> dict[str, Any]:
        """Return what decides the results."""
        return {key: value for key, value in asdict(self).items() if key not in _NO_MATTER}
