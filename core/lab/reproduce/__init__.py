"""The papers' tables made again with one's own models, beside the values that are printed there.

Higher to lower:

``report``      the rows of a table: ours with intervals, the published values, what differs
``matrix``      the cells of a table worked on, resumable at each question, within a budget
``estimate``    what that will take, before anything is asked
``floors``      rows that need no understanding
``measures``    the metrics of the tables, of results already had
``works``       how a cell's questions or tasks are worked on, by benchmark
``cells``       which cells a table has: model, system, regime, seed
``papers``      the tables as data
"""
