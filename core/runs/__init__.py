"""Runs: where everything that works on a question is put together, once.

======================  ==============================================================================
where                   what
======================  ==============================================================================
``asking``              a question asked from Python; the command line asks by it too
``result``              the one form in which a run leaves the engine; ``reporting`` makes it from the
                        record
``manager``             runs in the background: start, stop, resume, find after a kill
``places``              where the workspaces of the home lie
``options``             how a question is worked on, and what is refused before it begins
``parts``               the record, the data and the tree of a run, by its identifier
``surroundings``        the kinds of workspace, data and environment that runs get
``task``                a run that is being worked on, as rounds and teams are handed it
``solo``                a run of one policy, with the checks of its calls
``rounds``              a failed question is tried again with what was learned
``calling``             tool calls from Python, checked as those of a run
``exports``             a run as a file to take away; ``backup`` the whole home as one archive
``usage``               what a run cost in tokens, with its rounds and its members
``workers``             processes that work on one job after the other; ``processes`` starts them,
                        ``preloaded`` is what they have in memory
======================  ==============================================================================
"""
