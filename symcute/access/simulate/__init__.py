"""Programs executed as a machine does: every thread, with C's arithmetic and real barriers."""

from symcute.access.simulate.choices import Choice, Chooser, Explorer, Fixed
from symcute.access.simulate.launch import run
from symcute.access.simulate.trace import (
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
