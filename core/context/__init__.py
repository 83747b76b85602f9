"""What a policy is told: task cards, guardrails, documents, the conversation, and what each part costs.

======================  ==============================================================================
where                   what
======================  ==============================================================================
``cards``               the task card that fits a question
``subject``             which of the data a question names, and the tools and cards for these
``guardrails``          demands that earlier attempts led to, in a form that can be enforced
``documents``           a tool's document as a call needs it
``conversation``        the messages of a state; ``functions`` are the four that a model may call,
                        ``lenient`` reads what it writes
``folds``, ``digest``   which steps are shortened, and how; ``shortening`` cuts values
``tokens``, ``ledger``  the tokens of a text; of each part of the context at each turn
======================  ==============================================================================
"""
