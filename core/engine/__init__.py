"""The engine: a plain loop that turns a state, a policy and an environment into events.

======================  ==============================================================================
where                   what
======================  ==============================================================================
``actions``             what a policy may do, and what the environment answers
``events``, ``state``   what happened, one event each; what a policy knows when it decides
``journal``             events of a run as the record keeps them
``loop``, ``budget``    the loop with what it asks of a policy; its limits
``environment``         carries an action out: ``arguments`` are repaired, ``checks`` are made,
                        ``advice`` says what would do instead
``disclosure``          what the environment asks of a strategy of the tree
``rundata``             what one run reads and writes
``calls``               what calls read and measured, as the record tells it
``verification``        whether the results that an answer rests on carry it
``observations``        results as a policy reads them; ``values`` as it writes them
======================  ==============================================================================
"""
