"""A run of one policy: its context, the checks of its calls, and the loop to its end."""

from __future__ import annotations

from dataclasses import replace

from treeline.core.context.cards import Cards, card_of_run
from treeline.core.context.holdings import holdings
from treeline.core.context.open_tools import names_of_open_tools, open_tools
from treeline.core.engine.actions import Call
from treeline.core.engine.budget import Budget
from treeline.core.engine.calls import CallCheck
from treeline.core.engine.disclosure import Disclosure
from treeline.core.engine.environment import Environment
from treeline.core.engine.events import Note, RunFinished, RunResumed, RunStarted
from treeline.core.engine.journal import recorded_state
from treeline.core.engine.loop import Policy, drive
from treeline.core.engine.rundata import RunData
from treeline.core.engine.state import State
from treeline.core.engine.waiting import Desk
from treeline.core.memory.enforcing import check_guardrails
from treeline.core.memory.learning import recall
from treeline.core.policies.language import LanguagePolicy
from treeline.core.policies.names import PERSON
from treeline.core.policies.person import Person
from treeline.core.policies.reading_choice import PLANNER_READS
from treeline.core.runs.approval import Approval
from treeline.core.runs.clarification import earlier_choice
from treeline.core.runs.names import OFF, PLAN
from treeline.core.runs.remaking import make_again
from treeline.core.runs.second_answer import describe_difference, is_compared
from treeline.core.runs.spending import at_prices, budget_of
from treeline.core.runs.task import Task
from treeline.core.runs.threads import CONTEXT_PART, question_in_thread
from treeline.core.teams.inheriting import count_inherited, inherit
from treeline.core.teams.joining import context_of, policy_of
from treeline.core.teams.model import Member
from treeline.core.workspace.area import describe_area, inside
from treeline.toolkit import registry
from treeline.toolkit.vision_endpoint import use_vision

CALL_CHECKS: tuple[CallCheck, ...] = (check_guardrails,)


def work_alone(task: Task) -> RunFinished:
    """Work on a run with the policy that its options name."""
    options, data, disclosure = task.options, task.data(), task.disclosure()
    environment = task.parts.surroundings.environment(
        data,
        disclosure,
        registry(),
        options.profile,
        CALL_CHECKS,
        task.report,
        names_of_open_tools(_sees(task)) if options.open_tools else (),
    )
    state = recorded_state(task.store, task.run) if task.is_resumed else State("")
    if task.is_resumed:
        task.emit(RunResumed(len(state.steps)))
    # A run may have been lost before it recorded what it started with.
    if not state.question:
        state = _begin(task, data, disclosure)
    if options.member:
        member, collections = Member.from_json(options.member), data.collections.values()
        state = inherit(task.store, member, state, task.emit, collections)
    desk = Desk(task.store, task.run, task.emit)
    approval = Approval(desk, task.store, task.lineage, options.approve, data)
    if not state.steps:
        approval.ask_plan(_plan(task, data), task.stop)
    with use_vision(task.endpoint.vision if task.endpoint else None):
        make_again(state.calls, environment, task.emit, task.stop)
        policy = _policy(task, environment, disclosure, desk)
        return drive(state, policy, environment, _budget(task), task.emit, task.stop, approval)


def _sees(task: Task) -> bool:
    return task.endpoint is not None and task.endpoint.settings.sees


def _policy(task: Task, environment: Environment, disclosure: Disclosure, desk: Desk) -> Policy:
    data = environment.data
    if task.policy is not None:
        return task.policy
    if task.options.policy == PERSON:
        return Person(desk.ask)
    policy = policy_of(
        task.options.policy, task.options.member, data, task.endpoint, disclosure, task.how_to_read()
    )
    if isinstance(policy, LanguagePolicy):
        policy.tell = task.draft
        if is_compared(task.options):
            policy.compare = lambda answer, state: describe_difference(task, answer, state)
        if task.options.approve == OFF:  # else a person is asked before a call is begun
            policy.begin = environment.begin
    return policy


def _budget(task: Task) -> Budget:
    """Return the limits of a run; a person may take any time, and only a model costs money."""
    budget, policy = budget_of(task.store, task.record), task.options.policy
    if policy == PERSON:
        return replace(budget, seconds=None)
    if policy != "language" or task.endpoint is None:
        return budget
    # What others did before is none of a member's own steps.
    if task.options.member and (inherited := count_inherited(task.store, task.run)):
        budget = budget.with_more({"steps": inherited})
    return at_prices(budget, task.endpoint.settings)


def _plan(task: Task, data: RunData) -> tuple[Call, ...]:
    """Return the calls that are certain before the run begins; none where only the policy knows."""
    if task.options.approve != PLAN or task.options.policy != "planner" or task.options.member:
        return ()
    return task.parts.foresee(task.record.question, data.workspace, task.how_to_read(), data.area)


def _begin(task: Task, data: RunData, disclosure: Disclosure) -> State:
    """Record what the run starts with, and return it as a state."""
    record, options = task.record, task.options
    context = {**disclosure.context(), "catalogue": data.catalogue(), **context_of(options.member)}
    context |= describe_area(data.area, data.workspace)
    context |= recall(task.store, record, options.memory, data)
    read = _planners_reading(task, data)
    # A fragment names little of its task; what it makes of the question before does.
    meant = read if options.after and read else question_in_thread(task.store, record)
    cards = Cards(task.store, options.person)
    subject = task.parts.subject(record, meant)
    advice, notes = card_of_run(meant, options.card, context, cards, data.roles, subject)
    context |= advice
    if options.policy == "language":
        held = {tool.name for tools in disclosure.tree.tools.values() for tool in tools}
        context |= (open_tools(held, _sees(task)) | holdings(data)) if options.open_tools else {}
        context |= earlier_choice(task.store, record, options.reading)
        context |= {CONTEXT_PART: before} if (before := task.before()) else {}
    task.emit(RunStarted(record.question, options.choices, context, dict(data.workspace.problems)))
    for note in notes:
        task.emit(note)
    if options.policy == "language" and read:
        said = inside(read, data.area)
        task.emit(Note(f"The planner reads this as: {said}", {PLANNER_READS: said}))
    return State(record.question, options.choices, context)


def _planners_reading(task: Task, data: RunData) -> str:
    """Return how the planner reads a question that follows another, or that a language model works on.

    The reading of the latter is set beside the answer. Empty for any other question, for the part that a
    member of a team has, and where the planner cannot read it.
    """
    if task.options.member or not (task.options.after or task.options.policy == "language"):
        return ""
    from treeline.core.policies.planner.policy import read_in_words  # many modules, for few runs

    return read_in_words(task.record.question, data, task.how_to_read())
