"""The trusted core: what is proved, as data, and its proof in; checked, trusted or rejected out.

It imports nothing of the package but itself, and of Python only the standard library. It reads no
text: it works out what there is to prove of the data, goes on only if each obligation has exactly
one proof, which holds, and returns the statement that it checked (docs/reference/certificates.md).
Whether that is what a text says is asked beside it, in `symcute.recheck`.
"""

from symcute.checker.document import Result, check, load

__all__ = ["Result", "check", "load"]
