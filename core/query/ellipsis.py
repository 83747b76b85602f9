"""What goes on from the question before: a fragment of it, or a question that leaves out what it measured.

"And in 2017?" changes the question before (``followup``); "which class is highest?" and "what is the trend?"
are questions of what that one measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from treeline.core.query.chart import Chart, fill_chart
from treeline.core.query.closing import close
from treeline.core.query.expression import ALWAYS, Aggregate, Convert, Node, Show, Variable, Which
from treeline.core.query.followup import apply_fragment, found_height
from treeline.core.query.names import Names
from treeline.core.query.paraphrase import paraphrase
from treeline.core.query.phrases.conditions import Limit
from treeline.core.query.phrases.counts import Count, Unit
from treeline.core.query.phrases.phrase import Join, MissingVariable, Nothing, Phrase, Word
from treeline.core.query.phrases.places import Mask
from treeline.core.query.phrases.ranks import Extreme, Ranking
from treeline.core.query.phrases.values import Anaphor, Measure, Raw
from treeline.core.query.sayings import CannotSay
from treeline.core.query.slots import leaves, set_time
from treeline.core.query.tokens import Token
from treeline.core.query.weighing import best, expressions_in

_WHAT_ABOUT = ("what about", "how about")
_POINTERS = ("it", "that", "this", "these", "those", "them", "they")
# "Highest" alone is of the ground; after another question it is of what that one measured.
_GROUND = "dem"
_ENDS = ("highest", "lowest")
_GROUPING = ("by", "per")
_HOW_HIGH = ("how high", "how low", "how large", "how great")


def without_lead(tokens: Sequence[Token]) -> tuple[list[Token], bool]:
    """Return the tokens after a word that goes on from the question before, and whether there was one."""
    leads = bool(tokens) and any(isinstance(meaning, Join) for meaning in tokens[0].meanings)
    return list(tokens[1:] if leads else tokens), leads


def ends_of_what_is_not_there(tokens: Sequence[Token]) -> list[Token]:
    """Return tokens in which "is highest" is an end of an order where nobody knows how high the ground is."""
    return [_as_end(token) if token.text.lower().endswith(_ENDS) else token for token in tokens]


def _as_end(token: Token) -> Token:
    if not all(isinstance(one, MissingVariable) and one.role == _GROUND for one in token.meanings):
        return token
    return replace(
        token, meanings=(Extreme("lowest" if token.text.lower().endswith("lowest") else "highest"),)
    )


def change_question(former: Node, chart: Chart, tokens: Sequence[Token]) -> list[Node]:
    """Return what a fragment makes of the question before.

    Parameters
    ----------
    former : Node
        The expression of the question before.
    chart : Chart
        Of the tokens.
    """
    # "By elevation" is not of the elevation, and "how warm is it" not of another variable everywhere.
    bound = _refers(tokens) or bool(tokens) and tokens[0].text.lower() in _GROUPING
    return best(
        # "The top three" are rather a place in an order than a limit of 3.
        (node, cost + isinstance(phrase, Limit))
        for cost, phrase in chart.whole.values()
        if not (bound and isinstance(phrase, Raw | Measure))
        for node in apply_fragment(former, phrase)
    )


def go_on(former: Node, chart: Chart, tokens: Sequence[Token], names: Names, leads: bool) -> list[Node]:
    """Return the readings of words that go on from the question before, rather than ask anew.

    Parameters
    ----------
    former : Node
        The expression of the question before.
    chart : Chart
        Of the tokens.
    leads : bool
        Whether a word such as "and" stood before them.
    """
    elliptical = _is_elliptical(tokens)
    asks_how_high = bool(tokens) and tokens[0].text.lower() in _HOW_HIGH
    if asks_how_high and (_refers(tokens) or elliptical) and (height := found_height(former)):
        return [height]
    found: list[Node] = []
    if leads or _refers(tokens) or elliptical:
        # "On which date was it warmest" asks for a date, and names none at which the rest is to be.
        found = [] if _asks_when(tokens) and not leads else change_question(former, chart, tokens)
    if not found and _rank_the_measured(former, tokens) != tokens:
        found = fill_in(former, tokens, names)
    return found


def fill_in(former: Node, tokens: Sequence[Token], names: Names) -> list[Node]:
    """Return the readings of a question with what the one before it measured put where it is left out.

    Where a word points to it, it stands there; else wherever the question can then be read, at its end first.
    A question that names a variable or ground of its own leaves nothing out.
    """
    ranked = _rank_the_measured(former, tokens)
    if any(leaves(meaning) for token in ranked for meaning in token.meanings):
        return []
    if ranked != tokens and (found := change_question(former, fill_chart(ranked, names), ranked)):
        return found
    # Which date it was is not asked within the one date of before.
    of_one_date = all(getattr(leaf, "timeless", False) or leaf.when.single for leaf in leaves(former))
    asked_of = set_time(former, ALWAYS) if of_one_date and _asks_when(tokens) else former
    for measured in _measures_of(asked_of):
        # Where nothing but what was measured is left, the words around it asked for nothing.
        bare = {former, *close(measured)}
        for filled in _with(measured, ranked):
            found = [node for node in best(expressions_in(fill_chart(filled, names))) if node not in bare]
            if found:
                return found
    return []


def at_its_time(former: Node, chart: Chart, found: list[Node]) -> list[Node]:
    """Return what a question that names no time, and was read as of all dates, is of the time before.

    "What was the NDVI?" after a date was found may be of that date, or of all: a person is asked.
    """
    if not found or not all(map(_is_of_all_dates, found)):
        return []
    then = best(
        (node, cost)
        for cost, phrase in chart.whole.values()
        if isinstance(phrase, Raw | Measure)
        for node in apply_fragment(former, Anaphor(phrase))
    )
    return [node for node in then if node not in found]


def _is_of_all_dates(node: Node) -> bool:
    """Return whether an expression is the mean of all dates because no time was named."""
    by_default = any(isinstance(part, Aggregate) and "dates" in part.assumed for part in node.walk())
    return by_default and all(leaf.when == ALWAYS for leaf in leaves(node))


def points_back(tokens: Sequence[Token]) -> bool:
    """Return whether a question cannot be meant by itself: "what share of it", "is that", "by elevation".

    What stands behind an "and" or a comma points to what was asked before that.
    """
    texts = [token.text.lower() for token in tokens]
    if texts and texts[0] in _GROUPING:
        return True
    for place, text in enumerate(texts):
        if any(isinstance(meaning, Join) for meaning in tokens[place].meanings) or text in (",", ";"):
            return False
        last, word = place == len(texts) - 1, text.split()[-1]
        refers = place > 0 and Word("it") in tokens[place].meanings and "then" not in text
        if refers or text in _PRONOUNS or last and word in ("it", "that", "this"):
            return True
        if text in ("that", "this") and place and texts[place - 1].split()[-1] in _BEFORE_A_PRONOUN:
            return True
    return False


_PRONOUNS = ("it", "its", "them", "their", "these", "those")
_BEFORE_A_PRONOUN = ("is", "was", "are", "were", "of", "do", "does", "did", "than")


def with_pointers(tokens: Sequence[Token], names: Names) -> list[Token]:
    """Return tokens in which "inside it" and "there" point to ground, and may not be passed over.

    With an area of interest, it is that.
    """
    found = list(tokens)
    if names.inventory.area_of_interest:
        return found
    for place, token in enumerate(tokens):
        before = tokens[place - 1].text if place else ""
        after = tokens[place + 1].text if place + 1 < len(tokens) else ""
        inside = token.text == "it" and before in _INSIDE
        if inside or token.text == "there" and after not in _BEING:
            kept = (meaning for meaning in token.meanings if meaning != Nothing())
            found[place] = replace(token, meanings=(*kept, POINTS))
    return found


POINTS = Word("points")  # marks what may not be passed over; no rule takes it
_INSIDE = ("in", "inside", "inside of", "within", "outside", "outside of")
_BEING = ("is", "are", "was", "were", "be", "been", "in total", "altogether")


def as_asked(found: Iterable[Node], names: Names, ask: Callable[[str], Node | None]) -> list[Node]:
    """Return what each of some expressions is when it is asked in words; those that no words ask for go.

    What a fragment makes of a question may fit together and still be nothing that a person can mean.

    Parameters
    ----------
    ask : callable
        Returns the expression of a question that has one.
    """
    asked = []
    for node in found:
        try:
            said = _say(node, names)
        except CannotSay:
            continue
        again = ask(said)
        if again == node:
            asked.append(node)
        elif again is not None and _say(again, names) == said:  # the same, as it is put when it is asked
            asked.append(again)
    return asked


def _say(node: Node, names: Names) -> str:
    return paraphrase(node, names.inventory).partition(" (assumed: ")[0]


def _is_elliptical(tokens: Sequence[Token]) -> bool:
    """Return whether a question is but a word, or begins with "what about": the rest is as before.

    "LST?"; "on how many dates?"
    """
    content = [token for token in tokens if token.kind not in ("filler", "open", "close")]
    counts = len(content) == 2 and Count() in content[0].meanings
    return len(content) == 1 or counts or bool(tokens) and tokens[0].text in _WHAT_ABOUT


def _asks_when(tokens: Sequence[Token]) -> bool:
    return any(isinstance(one, Unit) and one.asks for token in tokens for one in token.meanings)


def _refers(tokens: Sequence[Token]) -> bool:
    """Return whether a word stands for what was found before: its, it, there; "then" may be but a start."""
    pointing = (Word("it"), Word("there"), Word("they"))
    return any(word in token.meanings for token in tokens for word in pointing if "then" not in token.text)


def _rank_the_measured(former: Node, tokens: Sequence[Token]) -> list[Token]:
    """Return tokens in which "the hottest" after a question of temperatures is the highest of those."""
    roles = {leaf.role for leaf in leaves(former) if isinstance(leaf, Variable)}
    return [_as_extreme(token, roles) for token in tokens]


def _as_extreme(token: Token, roles: set[str]) -> Token:
    ranked = [one for one in token.meanings if isinstance(one, Ranking)]
    if not ranked or len(ranked) < len(token.meanings):
        return token
    own = {leaf.role for one in ranked for leaf in leaves(one) if isinstance(leaf, Variable)}
    if not own <= roles | {_GROUND} or not roles:
        return token
    meant = tuple(Extreme(one.direction, one.nth, one.top) for one in ranked)
    return replace(token, meanings=tuple(dict.fromkeys(meant)))


def _measures_of(former: Node) -> Iterable[Phrase]:
    """Yield what a question measured: the statistic of the pixels, then the variable alone; or the ground."""
    node = former
    while isinstance(node, Convert | Show | Which):
        node = node.of
    if isinstance(node, Aggregate) and node.over == "date" and isinstance(node.of, Aggregate):
        node = node.of
    if not isinstance(node, Aggregate) or node.over not in ("pixel", "all"):
        return
    if node.statistic in ("share", "area", "count"):
        yield Mask(node.of)
        return
    yield Measure(replace(node, over="pixel", assumed=()))
    if isinstance(node.of, Variable) and node.by is None:
        yield Raw(node.of)


def _with(measured: Phrase, tokens: Sequence[Token]) -> Iterable[list[Token]]:
    inserted = Token("", 0, 0, "lexicon", (measured,))
    pointing = [k for k, token in enumerate(tokens) if token.text.lower().split()[-1] in _POINTERS]
    if pointing:
        yield [*tokens[: pointing[0]], inserted, *tokens[pointing[0] + 1 :]]
        return
    content = [k for k, token in enumerate(tokens) if token.meanings]
    for place in (len(tokens), *content):
        yield [*tokens[:place], inserted, *tokens[place:]]
