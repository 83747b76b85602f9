"""The planner: a policy that answers without a language model.

It reads the question into an intent (:mod:`reading`), chains backward over the tools' contracts from
what is asked to what the workspace has (:mod:`derivation`), and follows the procedure of the
operation (:mod:`procedures`). It has no table of questions.
"""

from core.policies.planner.policy import Planner

__all__ = ["Planner"]
