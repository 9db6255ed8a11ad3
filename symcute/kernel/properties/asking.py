"""The questions that a property of a kernel is: from its name to those who ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from symcute.kernel.ir.program import Kernel
from symcute.kernel.properties.barriers import barrier_uniform
from symcute.kernel.properties.bounds import aligned, in_bounds
from symcute.kernel.properties.context import Context
from symcute.kernel.properties.covering import covers, implements
from symcute.kernel.properties.launches import launch_valid
from symcute.kernel.properties.overflow import no_overflow
from symcute.kernel.properties.promises import promises_kept
from symcute.kernel.properties.question import Question
from symcute.kernel.properties.races import read_write_race_free, write_race_free
from symcute.kernel.properties.requests import bank_conflicts, sectors

__all__ = ["questions"]


def questions(
    context: Context, kernel: Kernel | None, name: str, same_value: bool, every: bool
) -> Iterator[Question]:
    """Yield the questions about a property, as the functions of these names yield them.

    With `same_value`, threads may write the same to one place; of what costs time `every` access is
    asked for, not only those to arrays with a limit.
    """
    makers: Mapping[str, Callable[[], Iterator[Question]]] = {
        "launch_valid": lambda: launch_valid(context, kernel),
        "in_bounds": lambda: in_bounds(context),
        "no_overflow": lambda: no_overflow(context, every=True),
        "aligned": lambda: aligned(context),
        "write_race_free": lambda: write_race_free(context, same_value),
        "read_write_race_free": lambda: read_write_race_free(context),
        "barrier_uniform": lambda: barrier_uniform(context),
        "covers": lambda: covers(context),
        "implements": lambda: implements(context),
        "promises_kept": lambda: promises_kept(context),
        "bank_conflicts": lambda: bank_conflicts(context, every),
        "sectors": lambda: sectors(context, every),
    }
    return makers[name]()
