"""What a team's run leaves in the memory bank: a procedure, what went wrong, a contrast between variants.

GeoEvolver, section 3.4: extraction from the taken variant (equation 7), contrastive distillation
over all of them (equation 8). What failed because data are missing says nothing about a tool and is not kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from treeline.core.engine.actions import Call, action_name
from treeline.core.engine.calls import RoleOf, file_name, role_finder
from treeline.core.errors import GuardrailBroken
from treeline.core.memory.absence import lacks_data
from treeline.core.memory.bank import Outcome
from treeline.core.memory.critic import is_judged
from treeline.core.memory.items import BankItem
from treeline.core.memory.leakage import leaks, without_answers
from treeline.core.memory.procedure import TraceContext, keeps_checks, procedure_of
from treeline.core.teams.crew import Crew
from treeline.core.teams.dispatch import faults_of
from treeline.core.teams.judge import Variant, Verdict
from treeline.core.teams.language.lessons import lessons_by_model
from treeline.core.teams.retrieval import PriorKnowledge, bank_of
from treeline.toolkit import registry
from treeline.toolkit.errors import InputError

# The data lack what is asked for, whatever way is taken.
_NO_LESSON = frozenset({"declined"})
# So many known lessons a model is shown to say which it found again.
_MOST_COMPARED = 12
# Files, dates and numbers of one question, which no lesson for others may hold.
_PARTICULAR = re.compile(r"\S*\.(?:tiff?|jp2|gpkg|geojson|shp)\b\S*|\d{4}-\d\d(?:-\d\d)?\S*|-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Experience:
    """A team's run that has ended, to be distilled.

    Attributes
    ----------
    taken : Variant
        The one whose answer is the team's.
    """

    crew: Crew
    taken: Variant
    variants: Sequence[Variant]
    verdicts: Sequence[Verdict]
    known: PriorKnowledge

    @property
    def success(self) -> bool:
        """Whether the judge calls what was taken a success."""
        return next(verdict.success for verdict in self.verdicts if verdict.chosen)

    @property
    def topic(self) -> str:
        """The question."""
        return self.crew.question

    @property
    def says_nothing(self) -> bool:
        """Whether its end says nothing of the way that was taken."""
        if self.taken.last_outcome is None:
            return False
        finished = self.taken.last_outcome.finished
        return finished.status in _NO_LESSON or not is_judged(finished)


def learn_from(experience: Experience) -> tuple[BankItem, ...]:
    """Count how what was known fared, distil a run into the memory bank and return what was new."""
    crew, known = experience.crew, experience.known
    bank = bank_of(crew)
    for item in known.items:
        bank.count_use([item.key], _outcome(item, experience))
    distilled = _LESSONS[crew.options.policy](experience)
    # What was found again keeps its own key.
    items = [item if item.kept_as else replace(item, expression=known.key.text) for item in distilled]
    added = bank.consolidate(items)
    crew.tell(
        "distilled",
        f"{len(added)} new items in the memory bank, {len(items) - len(added)} known already.",
        keys=[item.key for item in added],
        texts=[item.text for item in added],
    )
    return added


def _outcome(item: BankItem, experience: Experience) -> Outcome:
    """Return whether an item helped a run: it led to the answer, or a second attempt was needed."""
    if experience.says_nothing:
        return "neither"
    pattern = experience.known.pattern
    if pattern is not None and item.key == pattern.key:
        followed, verdict = experience.variants[0], experience.verdicts[0]
        if verdict.success:
            kept = keeps_checks(item.procedure, followed.answer) if item.procedure else True
            return "helped" if kept else "harmed"
        return "harmed" if experience.success else "neither"
    if experience.success:
        return "helped"
    return "harmed" if _was_followed(item, experience.taken) else "neither"


def _was_followed(item: BankItem, variant: Variant) -> bool:
    """Return whether a variant went by an item, as far as that can be seen."""
    return item.procedure is None or set(item.procedure.tools) <= set(tools_of(variant))


def extract(experience: Experience) -> list[BankItem]:
    """Return the procedure of a success, or what a failure is put down to, which waits for a review."""
    taken, run = experience.taken, (experience.crew.run,)
    if not experience.success:
        if experience.says_nothing:
            return []
        return [
            BankItem(
                "guardrail",
                experience.topic,
                f"{tool} failed: {said}",
                None,
                run,
                review="proposed",
                reviewer="",
            )
            for tool, said in _faults(taken).items()
        ]
    calls = [step for outcome in taken.outcomes for step in outcome.state.calls]
    key = experience.known.key
    around = TraceContext(registry(), _role_finder(experience), key.parameters, _counter(experience))
    found = procedure_of(calls, taken.answer, around, experience.known.ways)
    text = f"Questions of this kind were answered so:\n{found}"
    return [BankItem("pattern", experience.topic, text, found, run)] if found.steps else []


def contrast(experience: Experience) -> list[BankItem]:
    """Return what the successful variants share and the others lack, and what only these met."""
    topic, run = experience.topic, (experience.crew.run,)
    judged = list(zip(experience.variants, experience.verdicts, strict=True))
    good = [variant for variant, verdict in judged if verdict.success]
    bad = [variant for variant, verdict in judged if not verdict.success]
    items: list[BankItem] = []
    if good and bad:
        shared = set.intersection(*(set(tools_of(v)) for v in good))
        lacking = shared.difference(*(tools_of(v) for v in bad))
        if lacking:
            text = f"Variants that succeeded called {', '.join(sorted(lacking))}; those that failed did not."
            items.append(BankItem("contrast", topic, text, None, run))
    met: dict[str, str] = {}
    for variant in bad if good else ():
        # The first variant that met a fault reports it.
        met = _faults(variant) | met
    items += [
        BankItem("guardrail", topic, f"{tool} failed in a variant: {said}", None, run)
        for tool, said in met.items()
    ]
    return items


def tools_of(variant: Variant) -> list[str]:
    """Return the tools that were called with success, each once, in order."""
    called = [
        step.action.tool
        for outcome in variant.outcomes
        for step in outcome.state.calls
        if isinstance(step.action, Call) and step.observation.is_success
    ]
    return list(dict.fromkeys(called))


def _faults(variant: Variant) -> dict[str, str]:
    """Return what was said of the last call of each tool that was refused or failed, with its hint.

    What was wrong with the data, and what a lesson itself forbade, says nothing of a tool. Names of files,
    dates and numbers are those of one question.
    """
    steps = [step for outcome in variant.outcomes for step in faults_of(outcome.state)]
    telling = [s for s in steps if not lacks_data(s) and s.observation.error != GuardrailBroken.__name__]
    said = {action_name(s.action): f"{s.observation.text} {s.observation.hint}" for s in telling}
    return {tool: _PARTICULAR.sub("...", without_answers(text, ())) for tool, text in said.items()}


def _role_finder(experience: Experience) -> RoleOf:
    """Return a function to what a raster is: a product of the taken variant, or one of the workspace."""
    made = {
        PurePath(product.name).name: product.role
        for outcome in experience.taken.outcomes
        for step in outcome.state.calls
        for product in step.observation.products
    }
    of_workspace = role_finder(experience.crew.team.data())

    def role_of(address: str) -> str:
        return made.get(file_name(address)) or of_workspace(address)

    return role_of


def _counter(experience: Experience) -> Callable[[str], int | None]:
    """Return a function to how many rasters a handle names, of the workspace or made by the taken variant."""
    data = experience.crew.team.data()
    made = Counter(
        product.handle
        for outcome in experience.taken.outcomes
        for step in outcome.state.calls
        for product in step.observation.products
    )

    def count_of(handle: str) -> int | None:
        try:
            return len(data.select(handle).members)
        except InputError:
            return made.get(handle)

    return count_of


def _by_rules(experience: Experience) -> list[BankItem]:
    items = extract(experience)
    if "contrast" not in experience.crew.options.without:
        items += contrast(experience)
    return items


def _by_model(experience: Experience) -> list[BankItem]:
    """Return the model's lessons from all variants, or from the taken one alone; else the rules'.

    Whatever it says, the procedure of a success is kept as it was. A run that did not succeed gives no
    procedure: what it was put down to waits for a review, as by the rules.
    """
    if experience.says_nothing:
        return []
    crew, variants, verdicts = experience.crew, experience.variants, experience.verdicts
    if "contrast" in crew.options.without:
        variants, verdicts = [experience.taken], [verdict for verdict in verdicts if verdict.chosen]
    found = lessons_by_model(crew, variants, verdicts, experience.topic, _told_before(experience))
    if not found:
        return _by_rules(experience)
    if not experience.success:
        return [replace(item, review="proposed", reviewer="") for item in found if item.kind == "guardrail"]
    return [*extract(experience), *found]


def _told_before(experience: Experience) -> list[BankItem]:
    """Return the lessons in words that a new one may repeat: of the key, and those that entered the run.

    Also what is muted or rejected: in other words it would be as wrong.
    """
    bank, key = bank_of(experience.crew), experience.known.key.text
    of_key = [item for item in reversed(bank.items()) if key and item.expression == key]
    own = [item for item in [*of_key, *experience.known.items] if item.owner == bank.owner]
    withheld = experience.crew.options.withheld
    in_words = {i.key: i for i in own if i.procedure is None and not leaks(f"{i.topic} {i.text}", withheld)}
    return list(in_words.values())[:_MOST_COMPARED]


_LESSONS: dict[str, Callable[[Experience], list[BankItem]]] = {"planner": _by_rules, "language": _by_model}
