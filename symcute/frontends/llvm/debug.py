"""What debug information says of a module: places, and names and types of the source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symcute.frontends.llvm.text import Module
from symcute.kernel.ir.place import Place
from symcute.kernel.ir.program import Int

__all__ = ["LAYOUT", "Debug", "Described"]

#: What the name of a function begins with that is one of a tensor, before its layout.
LAYOUT = "layout "

_FIELD = re.compile(r'(\w+): ("[^"]*"|(?:[^,()"]|\([^()]*\))+)')
_KIND = re.compile(r"!(\w+)\(")
_SKIPPED = {"DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type"}
_POINTERS = {
    "DW_TAG_pointer_type": "*", "DW_TAG_reference_type": "&", "DW_TAG_rvalue_reference_type": "&&"
}  # fmt: skip
_SPACES = ("DINamespace", "DICompositeType")
#: What clang writes at a number that is a template argument: its type, before it or behind.
_SUFFIX = re.compile(r"(?<=\d)U?L{0,2}(?=[,>)])|(?<=[<, ])\([A-Za-z_][\w: ]*\)(?=-?\d)")


@dataclass(frozen=True)
class Described:
    """A type of the source: as text, its bytes, the integer that it is, what it points to."""

    text: str
    size: int
    integer: Int | None = None
    target: Described | None = None
    node: str = ""
    enum: bool = False


class Debug:
    """The debug information of a module."""

    def __init__(self, module: Module) -> None:
        self._module, self._nodes = module, module.metadata
        self._read: dict[str, dict[str, str]] = {}
        self._arguments: dict[str, dict[int, tuple[str, str]]] = {}
        self._functions: dict[str, str] = {}
        for number, text in self._nodes.items():
            if text.startswith("!DISubprogram(") and "DISPFlagDefinition" in text:
                fields = dict(_FIELD.findall(text))
                linked = str(fields.get("linkageName") or fields.get("name") or "")
                self._functions[linked.strip('"')] = f"!{number}"
            if text.startswith("!DILocalVariable(") and "arg: " in text:
                fields = dict(_FIELD.findall(text))
                known = self._arguments.setdefault(fields.get("scope", ""), {})
                name = fields.get("name", "").strip('"')
                known.setdefault(int(fields["arg"]), (name, fields.get("type", "")))

    def fields(self, node: str) -> dict[str, str]:
        """Return the fields of a node, `kind` among them; of none where there is no such node."""
        if node not in self._read:
            text = self._nodes.get(node.lstrip("!"), "")
            kind = _KIND.match(text)
            found = {k: v.strip('"') for k, v in _FIELD.findall(text)} if kind else {}
            self._read[node] = {**found, "kind": kind[1] if kind else ""}
        return self._read[node]

    # --- places -----------------------------------------------------------------------------------

    def place(self, number: int | None, shown: Callable[[str], str]) -> Place | None:
        """Return the innermost place of a location that is shown, or the outermost.

        What was inlined is at several places: those of the calls too. `shown` returns what a file
        is called that is shown, and nothing for others.
        """
        node, last = f"!{number}", None
        while number is not None and node:
            location = self.fields(node)
            if location["kind"] != "DILocation":
                break
            file = self.file(location.get("scope", ""))
            if file and int(location.get("line", 0)):
                here = shown(file)
                column = max(1, int(location.get("column", 1)))
                last = Place(here or file, int(location["line"]), column)
                if here:
                    return last
            node = location.get("inlinedAt", "")
        return last

    def layout(self, number: int | None) -> str:
        """Return the layout of the innermost tensor of which a function was inlined, or nothing."""
        node = f"!{number}"
        while number is not None and node:
            location = self.fields(node)
            scope = self.fields(location.get("scope", ""))
            while scope["kind"] in ("DILexicalBlock", "DILexicalBlockFile"):
                scope = self.fields(scope.get("scope", ""))
            name = scope.get("name", "")
            if scope["kind"] == "DISubprogram" and name.startswith(LAYOUT):
                return name.removeprefix(LAYOUT)
            node = location.get("inlinedAt", "")
        return ""

    def file(self, scope: str) -> str:
        """Return the path of the file that a scope is in."""
        found = self.fields(self.fields(scope).get("file", ""))
        name, folder = found.get("filename", ""), found.get("directory", "")
        return name if name.startswith("/") or folder in ("", ".") else f"{folder}/{name}"

    # --- functions and variables ------------------------------------------------------------------

    def title(self, node: str) -> str:
        """Return the name of a function with its namespaces; numbers in it have no types."""
        names, here = [], node
        while here:
            found = self.fields(here)
            if here == node or found["kind"] in _SPACES:
                names.append(found.get("name", ""))
            here = found.get("scope", "") if here == node or found["kind"] in _SPACES else ""
        return _SUFFIX.sub("", "::".join(n for n in reversed(names) if n))

    def variable(self, name: str) -> tuple[str, Described | None]:
        """Return the name and type of a global variable that linkers know by a name."""
        held = self._module.variable(name)
        number = None if held is None else held.debug
        found = self.fields(f"!{number}")
        if found["kind"] == "DIGlobalVariableExpression":
            found = self.fields(found.get("var", ""))
        return found.get("name", ""), self.type(found.get("type", ""))

    def arguments(self, function: str) -> dict[str, Described]:
        """Return the types of the arguments of a function, by their names."""
        known = self._arguments.get(function, {})
        return {name: self.type(type) for name, type in known.values() if type}

    def function(self, name: str) -> str:
        """Return the node of the function that linkers know by a name, or nothing."""
        return self._functions.get(name, "")

    # --- types ----------------------------------------------------------------------------------

    def type(self, node: str, depth: int = 0) -> Described:
        """Return a type."""
        found = self.fields(node)
        tag, size = found.get("tag", ""), int(found.get("size", 0)) // 8
        base = found.get("baseType", "")
        name = found.get("name", "")
        if depth > 20 or not found["kind"]:
            return Described("void", 1)
        if tag in _SKIPPED:
            inner = self.type(base, depth + 1)
            text = {"DW_TAG_const_type": f"const {inner.text}", "DW_TAG_typedef": name}
            return Described(text.get(tag, inner.text), inner.size, inner.integer, inner.target,
                             inner.node, inner.enum)  # fmt: skip
        if tag in _POINTERS:
            inner = self.type(base, depth + 1) if base != "null" else Described("void", 1)
            return Described(f"{inner.text} {_POINTERS[tag]}", 8, None, self._element(inner))
        if tag == "DW_TAG_enumeration_type":
            inner = self.type(base, depth + 1)
            return Described(name, size, inner.integer, enum=True)
        if tag == "DW_TAG_array_type":
            inner = self.type(base, depth + 1)
            return Described(f"{inner.text}[]", size, inner.integer, None, node)
        if found["kind"] == "DIBasicType":
            coding = found.get("encoding", "")
            integer = None
            if coding == "DW_ATE_boolean":
                integer = Int(1, False)
            elif coding in ("DW_ATE_signed", "DW_ATE_signed_char"):
                integer = Int(size * 8, True)
            elif coding in ("DW_ATE_unsigned", "DW_ATE_unsigned_char", "DW_ATE_UTF"):
                integer = Int(size * 8, False)
            return Described(name, max(size, 1), integer)
        return Described(name or "struct", max(size, 1), None, None, node)

    def _element(self, type: Described) -> Described:
        """Return the innermost element of an array, in which what a pointer has is counted."""
        found = self.fields(type.node)
        if found.get("tag") != "DW_TAG_array_type":
            return type
        return self._element(self.type(found.get("baseType", "")))

    def members(self, type: Described, at: int = 0) -> Iterator[tuple[int, str, Described]]:
        """Yield the fields of a struct that are none themselves: offset, name with `_`, type."""
        elements = self._nodes.get(self.fields(type.node).get("elements", "").lstrip("!"), "")
        for node in re.findall(r"!\d+", elements):
            found = self.fields(node)
            if found.get("tag") not in ("DW_TAG_member", "DW_TAG_inheritance"):
                continue
            if "DIFlagStaticMember" in found.get("flags", ""):
                continue
            inner = self.type(found.get("baseType", ""))
            start = at + int(found.get("offset", 0)) // 8
            name = found.get("name", "") if found["tag"] == "DW_TAG_member" else ""
            if inner.node and self.fields(inner.node).get("kind") == "DICompositeType":
                if self.fields(inner.node).get("tag") == "DW_TAG_array_type":
                    element = self.type(self.fields(inner.node).get("baseType", ""))
                    for k in range(min(inner.size // element.size, 256)):
                        yield start + k * element.size, f"{name}_{k}", element
                    continue
                for offset, more, kind in self.members(inner, start):
                    yield offset, "_".join(n for n in (name, more) if n), kind
            else:
                yield start, name, inner
