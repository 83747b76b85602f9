"""What is learned from runs: failure memory, its critic, compression of traces, rounds.

After RSMem. A run that failed is judged without its true answer (:mod:`.critic`), told
in a few lines (:mod:`.compression`), turned into a reflection with guardrails
(:mod:`.reflection`, :mod:`.asking`), kept in the store (:mod:`.failure`), and given to the next
attempt at the same question (:mod:`.rounds`).
"""
