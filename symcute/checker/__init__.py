"""The checker: certificates in; checked, trusted, vacuous or rejected out.

It imports nothing of the package but itself, and of Python only the standard library. It reads the
claim and the assumptions of a certificate as text, works out what there is to prove, and goes on
only if each obligation has exactly one proof, which holds (docs/reference/certificates.md).
`python -m symcute.checker FILE...` checks files.
"""

from symcute.checker.document import Result, check, load

__all__ = ["Result", "check", "load"]
