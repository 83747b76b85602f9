"""What the server that processes are forked from has in memory: every kit, the planner and its words."""

from __future__ import annotations

import core.runs
import core.teams.executors
import core.workspace  # noqa: F401
from core.policies.planner.methods import method_words
from core.policies.planner.reading import read
from core.policies.planner.vocabulary import lexicon_of
from toolkit import registry
from toolkit.recognition import describe_name

# Whatever is asked: to read a question and a name compiles patterns and loads the tables of words.
read("What is the mean NDVI of each date?", lexicon_of((), method_words(registry())))
describe_name("Lake_NDVI_2021-06-01.tif")
