"""How a question is worked on: the options of a run, and what is refused before it begins."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from treeline.core.context.cards import COMMON, Cards
from treeline.core.context.names import AUTO, NONE, PASSAGES
from treeline.core.disclosure.names import DISCLOSURES
from treeline.core.engine.budget import Budget
from treeline.core.memory.bank import NEAREST
from treeline.core.memory.entries import SCOPES, Scope
from treeline.core.memory.model_reflection import OWN, REFLECTIONS
from treeline.core.policies.names import PERSON, POLICY_NAMES, USUAL, usual_disclosure
from treeline.core.runs.approval import check_approval
from treeline.core.settings import Endpoint
from treeline.core.teams.names import SOLO
from treeline.core.teams.work import check_team
from treeline.core.workspace.area import check_profile
from treeline.toolkit.errors import InputError
from treeline.toolkit.files import mend_text
from treeline.toolkit.interest import AreaOfInterest

# Each is a whole run, with its calls of a model.
MOST_ROUNDS = 10
MOST_LESSONS = 20
LONGEST_TEXT = 20_000


@dataclass(frozen=True)
class RunOptions:
    """How a question is worked on.

    Attributes
    ----------
    policy : str
        ``planner``, ``language`` or ``person``.
    disclosure : str
        One of :data:`treeline.core.disclosure.names.DISCLOSURES`; ``usual``: that of the policy.
    profile : str
        ``science`` or ``earth_bench``.
    choices : tuple of str
        Options to choose from.
    budget : Budget
    data : tuple of str
        Files or folders that are read in place, besides what the workspace has.
    out : str
        Folder for the products, when it is not the workspace's own.
    seed : int
        Seed of a disclosure that is random.
    rounds : int
        So many attempts at most; only a failed one is followed by another.
    round : int
        Which of them this run is; 0 for a run that is none.
    memory : str
        Whose failures are part of the context: ``off``, ``own`` (of its own rounds), ``user`` or ``shared``.
    reading : int
        Which of the readings that were asked back is meant, from 1; 0 where none was chosen.
    partial : bool
        Whether the largest part of the question that is understood is carried out where the whole is not.
    open_tools : bool
        Whether the calculator and the rows of results may be used without opening them, and a language
        model is told what the data hold; not where a paper's regime is measured.
    approve : str
        What a person is asked about, see :data:`treeline.core.runs.names.APPROVALS`.
    after : str
        The run whose question this one follows; empty for a question of its own.
    edited : str
        The run whose question was edited to make this one; empty for none.
    person : str
        Whose run it is, on a server of a team.
    aoi : dict, optional
        The area of interest, see :meth:`treeline.toolkit.interest.AreaOfInterest.to_json`; empty for none,
        ``None`` for that of the run that it follows.
    card : str
        The task card in the context: ``auto`` for the best that fits, ``none``, the id of one, or
        ``passages`` for the passages of all cards nearest to the question.
    reflection : str
        What a round is told of the failed one before: a name of
        :data:`treeline.core.memory.model_reflection.REFLECTIONS`.
    lessons : int
        Most items of the memory bank that a team is told.
    team : str
        A name of :data:`treeline.core.teams.TEAMS`.
    variants, executors, retries : int
        Of a team: variants explored in parallel, sub-goals at most, corrective retries of each.
    without : tuple of str
        Parts of a team that are switched off, for ablations: ``contrast``, ``exploration``, ``memory``.
    withheld : tuple of str
        Expected outputs, in a benchmark: what memory holds of them is not told.
    member : dict
        What the run is in a team's run, see :class:`treeline.core.teams.model.Member`; empty for a
        run of its own.
    """

    policy: str = "planner"
    disclosure: str = USUAL
    profile: str = "science"
    choices: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    data: tuple[str, ...] = ()
    out: str = ""
    seed: int = 0
    rounds: int = 1
    round: int = 0
    memory: Scope = "off"
    card: str = AUTO
    reflection: str = OWN
    lessons: int = NEAREST
    team: str = "solo"
    variants: int = 2
    executors: int = 3
    retries: int = 1
    without: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    member: dict[str, Any] = field(default_factory=dict)
    reading: int = 0
    partial: bool = False
    open_tools: bool = True
    after: str = ""
    edited: str = ""
    approve: str = "off"
    person: str = ""
    aoi: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.disclosure == USUAL:
            # Settled when it is made, so that the record says which it was even if the usual one changes.
            object.__setattr__(self, "disclosure", usual_disclosure(self.policy))

    @property
    def area(self) -> AreaOfInterest | None:
        """The area of interest, if there is one."""
        return AreaOfInterest.from_json(self.aoi) if self.aoi else None

    def to_json(self) -> dict[str, Any]:
        """Return what the store keeps, enough to resume the run."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> RunOptions:
        """Read what the store kept."""
        fields = dict(stored)
        for name in ("choices", "data", "without", "withheld"):
            # JSON has lists only. Records of older versions lack some of them.
            fields[name] = tuple(fields.get(name, ()))
        return cls(**{**fields, "budget": Budget(**fields["budget"])})


def _check_text(what: str, text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise InputError(
            f"The {what} has {len(text):,} characters; up to {LONGEST_TEXT:,} are taken.", "Ask in parts."
        )
    if mend_text(text) != text:
        raise InputError(
            f"The {what} {mend_text(text)[:60]!r} holds a half of a character (a lone surrogate).",
            "Write it in UTF-8.",
        )


def _check_person(options: RunOptions) -> None:
    if options.policy != PERSON:
        return
    if options.team != SOLO:
        raise InputError("A person works alone, not in a team.", f"Leave out the team {options.team!r}.")
    if options.rounds > 1:
        raise InputError("A person's attempts are not repeated in rounds.", "Leave out the rounds.")


def check_options(
    question: str, options: RunOptions, endpoint: Endpoint | None = None, cards: Cards = COMMON
) -> None:
    """Refuse an empty question and unknown options before anything is recorded.

    Raises
    ------
    InputError
        Names the option and what there is.
    CardError
        There is no card of the id that is wanted.
    BackendMissing
        The language policy is asked for and no model is set.
    """
    if not question.strip():
        raise InputError("The question is empty.", "Ask, for example: What is the mean NDVI of each date?")
    for what, text in (("question", question), *(("choice", choice) for choice in options.choices)):
        _check_text(what, text)
    options.budget.check()
    for name, value, known in (
        ("policy", options.policy, POLICY_NAMES),
        ("disclosure", options.disclosure, DISCLOSURES),
        ("profile", options.profile, ("science", "earth_bench")),
        ("memory", options.memory, SCOPES),
        ("reflection", options.reflection, REFLECTIONS),
    ):
        if value not in known:
            raise InputError(f"There is no {name} {value!r}.", f"There are {', '.join(known)}.")
    check_approval(options.approve)
    check_team(options)
    if options.aoi:
        check_profile(options.profile)
    _check_person(options)
    if not 1 <= options.rounds <= MOST_ROUNDS:
        raise InputError(f"There can be 1 to {MOST_ROUNDS} rounds, not {options.rounds}.", "Three do mostly.")
    if options.reading < 0:
        raise InputError(f"There is no reading {options.reading}.", "Readings are numbered from 1.")
    if not 1 <= options.lessons <= MOST_LESSONS:
        raise InputError(f"A team is told 1 to {MOST_LESSONS} items of the bank, not {options.lessons}.")
    if options.card not in (AUTO, NONE, PASSAGES):
        cards.library().get(options.card)
    if options.policy == "language":
        # Last, since it is the only check that depends on the surroundings and not on what was asked.
        (endpoint or Endpoint.from_environment()).check()
