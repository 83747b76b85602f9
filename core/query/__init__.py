"""The question as a typed expression: read, checked, said in words, compared, changed by a follow-up.

``expression`` has the nodes, ``kinds`` what they stand for, ``form`` their JSON, ``inventory`` what a
workspace holds by name.
"""
