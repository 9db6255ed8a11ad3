"""Programs executed as a machine does: every thread, with C's arithmetic and real barriers."""

from symcute.kernel.ir.interpreter.choices import Choice, Chooser, Explorer, Fixed
from symcute.kernel.ir.interpreter.launch import run
from symcute.kernel.ir.interpreter.trace import (
    Divergence,
    Fault,
    Race,
    Touch,
    Trace,
    Wrap,
)

__all__ = [
    "Choice",
    "Chooser",
    "Divergence",
    "Explorer",
    "Fault",
    "Fixed",
    "Race",
    "Touch",
    "Trace",
    "Wrap",
    "run",
]
