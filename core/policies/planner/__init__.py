"""The planner: a policy that answers without a language model.

It reads the question into an intent, chains backward over the tools' contracts from what is asked to
what the workspace has, and follows the procedure of the operation. It has no table of questions.

A question goes this way:

- :mod:`policy` holds the course: look, read, work, answer; :mod:`plan` is how it talks with the engine.
- **Reading.** :mod:`text` is consumed piece by piece by :mod:`moments`, :mod:`joining`, :mod:`periods`
  (when), :mod:`thresholds` (limits), :mod:`vocabulary` and :mod:`names` (variables, places, sensors),
  :mod:`zoning` and :mod:`coordinates` (parts of the ground), :mod:`methods`; the words stand in
  :mod:`cues` and :mod:`phrases`.
  :mod:`steps` finds the last step of a spelled-out question, :mod:`sources` what is only input,
  :mod:`targets` what is asked for, :mod:`linking` which limit belongs to what, :mod:`statistic` and
  :mod:`operation` what is done, :mod:`comparing` and :mod:`nesting` what is set against what,
  :mod:`conventions` usual limits, :mod:`beyond` what is not done, :mod:`changing` limits on a
  change, :mod:`languages` what is no English. :mod:`reading` joins them to an :mod:`intent`.
- **Deriving.** :mod:`layers` and :mod:`places` are what the workspace has; :mod:`derivation` decides how a
  role can be had, :mod:`contracts` what the tools leave open; :mod:`making` carries it out, with
  :mod:`clearing` (clouds), :mod:`averaging`, :mod:`fires` (two dates) and :mod:`zoned`.
- **Measuring.** :mod:`measuring` turns a subject into numbers (:mod:`measured`), with :mod:`conditional`,
  :mod:`coded`, :mod:`masking` and :mod:`units`; :mod:`procedures` picks what is done with them:
  :mod:`counting`, :mod:`contrasting`, :mod:`timecourse`, :mod:`hotspots`, :mod:`spreading` with
  :mod:`tabled` (a table for all features of a file), :mod:`profiles` (along a line), by dates, months or
  years (:mod:`periodic`, :mod:`grouping`).
- **Pictures** without a variable: :mod:`sight` reads, :mod:`pictures` works.
- **Answering.** :mod:`findings` become sentences in :mod:`explain`, :mod:`contrasts` and :mod:`wording`;
  :mod:`choice` picks an option, :mod:`absence` says what is missing, :mod:`heeding` what was warned of,
  :mod:`unread` what could not be read.
- **Others' help.** :mod:`advice` (task cards), :mod:`restraint` (guardrails), :mod:`handed` (teams).
"""

from treeline.core.policies.planner.policy import Planner

__all__ = ["Planner"]
