"""What options of a compiler make of a text: its macros, as far as that is plain to see."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["macros"]

_DEFINE = re.compile(r"-D\s*([A-Za-z_]\w*)(?:=(.*))?")
#: Options by which a text may mean something else, beside `-D`.
_OTHER = re.compile(
    r"@|-optf|--options-file|-U|--undefine-macro|-include|--pre-include|--define-macro"
)


def macros(options: Iterable[object]) -> dict[str, str] | None:
    """Return the macros that options define; None where they may change a text in another way.

    >>> macros(["-DN=4", "-DDEBUG", "--use_fast_math"])
    {'N': '4', 'DEBUG': '1'}
    >>> macros(["--define-macro=N=4"]), macros(["-D", "N=4"]), macros(["-UN"]), macros([None])
    (None, None, None, None)
    """
    found: dict[str, str] = {}
    for option in options:
        if not isinstance(option, str) or _OTHER.match(option):
            return None
        define = _DEFINE.fullmatch(option.strip())
        if define is not None:
            found[define[1]] = "1" if define[2] is None else define[2]
        elif "-D" in option or "-U" in option:
            return None
    return found
