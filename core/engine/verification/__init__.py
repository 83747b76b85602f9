"""Whether results carry an answer that rests on them: every answer ends through ``settle``, whoever gave it.

The numbers, dates and names of an answer are its claims. Results become columns: numbers by date, class or
zone. Each claim has to follow from them; then rules hold each clause of the answer, one statement each,
against the columns. What does not follow, or is contradicted, is a doubt; a doubt makes it unverified. Rules
that read relations from words raise false alarms: what they alone doubt, in a sentence beside what was asked,
is named where it stands. A sentence is held against the steps that it cites.

=================================================  ===================================================
where                                              what
=================================================  ===================================================
``answer_check``, ``doubtful_sentences``,          ``verify``: claims and rules together, the doubts;
``settling``                                       which sentence each comes from; how an answer ends
``sources``                                        what each number of an answer is, told from its steps
``carried_sentences``, ``what_was_asked``          sentences that the steps which they cite bear out alone;
                                                   which tell what was asked
``grounded_answer``, ``own_arithmetic``,           which numbers of an answer follow, or need no
``times_told``, ``choices``                        evidence; what it works out of others; times; its option
``grounds``, ``reckoning``                         what an answer rests on: the steps it cites, numbers
                                                   written into calls
``nearest_numbers``                                what results have in place of what none of them gives
``claims``, ``notation``                           numbers, units and dates that a text states, as written
``clauses``, ``phrases``, ``degree_words``,        what is judged: clauses; words of rise, limit, rank and
``relation_words``, ``statistic_words``,           comparison, of significance and statistics; what a
``question_words``                                 question asks
``results``, ``clouds``, ``variables``             what results hold: numbers, how cloudy it was, variables
``evidence_of_steps``, ``evidence``,               what steps hold as evidence, and what it gives: numbers,
``readings``, ``rates``                            conversions, changes in time
``columns``, ``labels``, ``earlier_labels``,       results as columns by label, and which of them a text
``records``                                        names; results as records by key
``origins``, ``facts``, ``product_legends``        what was made of what, from call to call; each number with
                                                   its statistic, classes, dates and limits; what tools call
                                                   the classes that they write
``answer_columns``                                 an answer beside its columns and facts; its clauses
``told_numbers``, ``attributions``,                what a clause tells of a number, and whether it is of
``coverage``, ``mentions``                         that; which name or date stands beside it
``subjects``, ``covers``                           classes and covers not measured, files not written
``statements``, ``sentence_grounds``, ``limits``,  sentences that the columns judge: comparisons and orders;
``courses``                                        so many beyond a limit; what rises, falls or stays
``comparisons``, ``extremes``, ``trends``,         rules of one relation each: how much more, the largest,
``shares``, ``counting``, ``members``,             which way, parts of a whole, how many, which; how cloudy
``skies``, ``compass``, ``signs``                  dates were; bearings; what is negative
``samples``, ``bands``, ``class_meanings``         places of points and profiles; how much lies in a bin or
                                                   band; what classes and marks mean
``tables``, ``named_statistics``,                  what a cell of a table is of; statistics that nothing
``enumerations``, ``own_standings``,               gives; how many are listed; how two numbers of a text
``contradictions``                                 stand to one another; all rules
``bare_claims``, ``wording``, ``untold_units``,    relations, words and units that no result tells of;
``missing_units``, ``foreign_statements``,         units that an answer leaves out, shown beside it; what it
``denials``                                        says in a language that no rule reads; what it denies that
                                                   nothing contradicts
=================================================  ===================================================
"""

from treeline.core.engine.verification.answer_check import contradictions_with, verify
from treeline.core.engine.verification.settling import say_what_was_checked, settle

__all__ = ["contradictions_with", "say_what_was_checked", "settle", "verify"]
