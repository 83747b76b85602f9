"""What a policy can do, and what the environment answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from treeline.core.engine.citations import without_citations

OFFERING = "I can answer"  # before the questions that a declined one is near to
ASKING = "Which is meant?"  # after what each reading of a question comes to


@dataclass(frozen=True, slots=True)
class Skill:
    """Open a kit: its tools' briefs become known; nothing becomes callable."""

    kit: str
    kind: Literal["skill"] = "skill"


@dataclass(frozen=True, slots=True)
class Doc:
    """Read a tool's document: that tool becomes callable."""

    tool: str
    kind: Literal["doc"] = "doc"


@dataclass(frozen=True, slots=True)
class Call:
    """Call a tool with arguments."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    kind: Literal["call"] = "call"


AnswerStatus = Literal["answered", "unverified", "asks", "declined"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way in which a question can be understood.

    Attributes
    ----------
    number : int
        From 1; the same question asked with this number is understood that way.
    read_as : str
        The reading in words.
    value : str
        What it comes to, as text, where that is known.
    """

    number: int
    read_as: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The answer to one of several questions that were asked in one."""

    read_as: str
    answer: str
    value: float | None = None
    unit: str = ""
    choice: str | None = None
    status: AnswerStatus = "answered"


@dataclass(frozen=True, slots=True)
class UnconfirmedSentence:
    """A sentence that a model said beside its answer and that no step bears out, with what is doubted."""

    text: str
    doubt: str


@dataclass(frozen=True, slots=True)
class NumberSource:
    """What a number of an answer is.

    Attributes
    ----------
    number : str
        As the answer tells it, with its unit.
    steps : tuple of int
        Those that gave it; none where it follows from several, or from nothing.
    told : str
        What it is, from the calls and results of these steps, and the number that they hold.
    """

    number: str
    steps: tuple[int, ...]
    told: str

    @property
    def with_steps(self) -> str:
        """What it is, and which steps gave it."""
        steps = f" (step{'s' * (len(self.steps) > 1)} {' and '.join(map(str, self.steps))})"
        return f"{self.told}{steps * bool(self.steps)}"

    @property
    def line(self) -> str:
        """All of it in a line."""
        return f"{self.number}: {self.with_steps}"


def tell_unconfirmed(unconfirmed: Iterable[UnconfirmedSentence]) -> list[str]:
    """Return what of an answer is not confirmed, with why."""
    return [f"{each.text} ({each.doubt})" for each in unconfirmed]


@dataclass(frozen=True, slots=True)
class Answer:
    """End the run.

    Attributes
    ----------
    text : str
        The answer in a sentence; it may cite steps behind what they show: ``0.69 [5]``.
    value, unit : float and str, optional
        The number that was asked for.
    choice : str, optional
        Letter of the option, where there are options.
    evidence : tuple of int
        Numbers of the steps that the answer rests on.
    declined : bool
        True when the question cannot be answered from the workspace; the text says why and what
        would be needed.
    read_as : str
        The question as it was understood, in words.
    expression : dict, optional
        The same as JSON.
    readings : tuple of Reading
        Readings to choose from: the question has several of different value, or it was declined and these
        are the nearest that can be answered.
    parts : tuple of AnswerPart
        The answers one by one, where several questions were asked in one.
    map : str
        Name of the product that shows the answer.
    unverified : str
        Why the evidence does not carry the answer, in a sentence; empty where it does.
    check_fault : str
        Code of the fault with which the check of the answer failed; ``unverified`` then says so, and nothing
        is held against who gave it. Empty where it was checked.
    unconfirmed : tuple of UnconfirmedSentence
        What of the text the evidence does not bear out as it does the rest.
    sources : tuple of NumberSource
        What the numbers of the text are, where a model worded it.
    """

    text: str
    value: float | None = None
    unit: str = ""
    choice: str | None = None
    evidence: tuple[int, ...] = ()
    declined: bool = False
    kind: Literal["answer"] = "answer"
    read_as: str = ""
    expression: dict[str, Any] | None = None
    readings: tuple[Reading, ...] = ()
    parts: tuple[AnswerPart, ...] = ()
    map: str = ""
    unverified: str = ""
    check_fault: str = ""
    unconfirmed: tuple[UnconfirmedSentence, ...] = ()
    sources: tuple[NumberSource, ...] = ()

    @property
    def words(self) -> str:
        """Its text without the citations of steps in it, for who does not see these."""
        return without_citations(self.text, self.evidence)

    @property
    def doubtful_sentences(self) -> list[str]:
        """Sentences that stand in the text and are not confirmed."""
        return [each.text for each in self.unconfirmed if each.text in self.text]

    @property
    def status(self) -> AnswerStatus:
        """How a run ends that ends with it; ``answered`` only where all its parts are."""
        if self.declined:
            return "declined"
        if self.readings:
            return "asks"
        if self.unverified:
            return "unverified"
        of_parts = {part.status for part in self.parts}
        return of_parts.pop() if len(of_parts) == 1 else "unverified" if of_parts else "answered"

    @property
    def answers(self) -> bool:
        """Whether it says something on the question, verified or not, instead of declining or asking back."""
        return self.status in ("answered", "unverified")


Action = Skill | Doc | Call | Answer


def action_name(action: Action) -> str:
    """Return the kit or tool that an action is about; ``answer`` for an answer."""
    match action:
        case Skill(kit=name) | Doc(tool=name) | Call(tool=name):
            return name
        case _:
            return "answer"


def action_fields(action: Action) -> dict[str, Any]:
    """Return what an action was chosen with; of an answer not what is left empty."""
    fields = {name: value for name, value in asdict(action).items() if name != "kind"}
    optional = (
        "read_as",
        "expression",
        "readings",
        "parts",
        "map",
        "unverified",
        "check_fault",
        "unconfirmed",
        "sources",
    )
    return {name: value for name, value in fields.items() if value or name not in optional}


@dataclass(frozen=True, slots=True)
class TokenUse:
    """Tokens that one decision cost.

    Attributes
    ----------
    cached : int
        Those of the input that were read from a cache.
    counted : bool
        They were counted here, because the endpoint reported none.
    replies : int
        How often the endpoint replied for it; more than once where the model was asked again.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    counted: bool = False
    replies: int = field(default=0, compare=False)

    def __add__(self, other: TokenUse) -> TokenUse:
        return TokenUse(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            self.counted or other.counted,
            self.replies + other.replies,
        )


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What a model thought apart from what it said, in the field that its endpoint gave it in.

    Attributes
    ----------
    beside : str
        What the endpoint put beside the call, such as the sign of a thought, as JSON text.
    """

    field: str = ""
    text: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """An action, the thought behind it, and what it cost to arrive at it.

    Attributes
    ----------
    reasoning : Reasoning
        Goes back to an endpoint that gave it.
    joined : bool
        It was asked for in the same message as the action before it.
    """

    action: Action
    thought: str = ""
    tokens: TokenUse = TokenUse()
    reasoning: Reasoning = Reasoning()
    joined: bool = False


@dataclass(frozen=True, slots=True)
class ProductRecord:
    """A product as the record keeps it.

    Attributes
    ----------
    name : str
        Path relative to the workspace's products.
    handle : str
        How later calls can address it, such as ``@ndvi``.
    """

    name: str
    path: str
    role: str
    unit: str
    handle: str = ""
    kind: str = "raster"
    date: str | None = None
    place: str = ""
    valid_share: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    mean: float | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """What the environment answers to an action.

    Attributes
    ----------
    kind : str
        ``information`` (a skill or a document), ``result`` (a call that ran), ``refusal`` (an
        action that was not carried out) or ``failure`` (a call that ran and failed).
    text : str
        What the policy reads.
    hint : str
        After a refusal or a failure: the nearest right thing.
    value : Any
        The tool's result as JSON.
    products : tuple of ProductRecord
        Rasters and tables that were written.
    warnings : tuple of str
        What was repaired, aligned or looks implausible.
    repairs : tuple of str
        Those of the warnings that tell how the arguments were changed.
    doubts : tuple of str
        Those of the warnings for which no answer should rest on it.
    unit : str
        Of the numbers of the result, where the tool's contract or what it read tells it.
    units : tuple of str
        Of each item of the result, where these are of rasters of several units.
    arguments : dict, optional
        The arguments as they were after repair.
    error : str
        Kind of the fault after a refusal or a failure, such as ``RoleMismatch``.
    """

    kind: Literal["information", "result", "refusal", "failure"]
    text: str
    hint: str = ""
    value: Any = None
    products: tuple[ProductRecord, ...] = ()
    warnings: tuple[str, ...] = ()
    arguments: dict[str, Any] | None = None
    error: str = ""
    repairs: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    unit: str = ""
    units: tuple[str, ...] = ()

    @property
    def is_success(self) -> bool:
        """True for information and results."""
        return self.kind in ("information", "result")
