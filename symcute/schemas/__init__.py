"""The forms of the JSON that symcute writes, as JSON Schema (draft 2020-12), a file for each."""

from symcute.schemas.forms import schema, schema_names, stamped

__all__ = ["schema", "schema_names", "stamped"]
