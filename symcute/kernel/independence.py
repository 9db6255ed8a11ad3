"""What hangs neither on what an execution made up nor on the order that atomics tell.

An execution makes up what memory holds where nobody knows it. Two accesses that hang on no memory
meet whatever it holds: every thread comes to them, at the same bytes, between the same barriers.
They meet as well where the memory is input that the kernel writes later, if no thread waits for
what another writes: then the machine may go the very way of the execution.

What an atomic access gives may tell that another thread has come by before. Where an access hangs
on it, the two may never meet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from symcute.kernel.access_map import Access
from symcute.kernel.choosing import Chooser
from symcute.kernel.ir.hanging import hanging
from symcute.kernel.ir.inside import every
from symcute.kernel.ir.interpreter import Race
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Atomic, Havoc, Kernel, Load, Stmt, Store

__all__ = ["Independence"]

#: What is chosen for the results of loads, of atomics and of what is not known: their statements
#: are asked about.
_FOLLOWED = ("content", "lost", "havoc")


class Independence:
    """Says of a kernel's accesses what they hang on; `unwritten` are inputs, not memory."""

    def __init__(
        self, kernel: Kernel, accesses: Iterable[Access], unwritten: Collection[str]
    ) -> None:
        accesses = tuple(accesses)
        seen = {a.place for a in accesses}
        memory = {a.place for a in accesses if a.kind != "read" or a.array not in unwritten}

        def reads_memory(s: Stmt) -> bool:
            if isinstance(s, (Load, Atomic)):
                return s.place in memory or s.place not in seen
            return isinstance(s, Havoc)

        def tells(s: Stmt) -> bool:
            return isinstance(s, Atomic) or (isinstance(s, Load) and s.scope != "")

        self._memory = hanging(kernel, reads_memory)
        self._order = hanging(kernel, tells)
        if self._order.stored:  # and somebody may read it
            self._order = hanging(kernel, lambda s: isinstance(s, (Load, Atomic, Havoc)))
        scoped = any(isinstance(s, (Load, Store)) and s.scope for s in every(kernel.body))
        #: Whether no thread can wait for what another writes.
        self.waitless = not (self._memory.waits or scoped)

    def told(self, race: Race) -> bool:
        """Return whether what atomic accesses give may keep two accesses apart."""
        return self._order.of(race.first.place) or self._order.of(race.second.place)

    def free(self, places: Collection[Place], chooser: Chooser) -> bool:
        """Return whether accesses at places are what they are whatever a chooser gave.

        What they store may hang on it.
        """
        return not any(map(self._memory.of, places)) and all(
            choice.kind in _FOLLOWED for choice, _ in chooser.asked
        )
