"""What the server that processes are forked from has in memory: every kit, the planner and its words."""

from __future__ import annotations

import treeline.core.runs.manager
import treeline.core.teams.executors
import treeline.core.workspace  # noqa: F401
from treeline.core.query.inventory import Holding, Inventory
from treeline.core.query.reading import read
from treeline.toolkit import registry
from treeline.toolkit.recognition import describe_name

# Whatever is asked: to read a question and a name compiles patterns and loads the tables of words.
for tool in registry():
    for profile in tool.profiles:
        tool.implementation(profile)
read("What is the mean NDVI of each date?", Inventory((Holding("ndvi", made=True),)))
describe_name("Lake_NDVI_2021-06-01.tif")
