"""What each operation computes, in our algebra: one table, a rule for each name."""

from symcute.frontends.cutedsl.rules import integers, layouts, threads, values
from symcute.frontends.cutedsl.rules.call import RULES, Call

__all__ = ["RULES", "Call", "integers", "layouts", "threads", "values"]
