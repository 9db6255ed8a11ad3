"""Launches of kernels in Python code, as launches of C++."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from symcute.frontends.python.expressions import evaluated
from symcute.frontends.python.jit_launches import JitLaunches
from symcute.frontends.python.sources import Parameter
from symcute.frontends.python.tensors import ANY, SCALARS, TUPLES, Value, plain

__all__ = ["Launches"]


@dataclass
class Launches(JitLaunches):
    """Launches of kernels in CUDA C++ as well."""

    def given(self, call: ast.Call) -> Sequence[ast.expr]:
        """Return what a call gives to the kernel that it launches, as it is written."""
        if (jit := self.jit_of(call)) is not None:
            given = self.given_to(call, jit)
            nothing = ast.Constant(None)
            return [] if isinstance(given, str) else [given.get(p, nothing) for p in jit.parameters]
        if self.calls[call].code.library == "pycuda":
            return call.args
        held = _parts(call).get("args")
        if isinstance(held, ast.Name):
            held = (self.scope.value(held.id) or (held,))[0]
        return held.elts if isinstance(held, (ast.Tuple, ast.List)) else ()

    def parameters(self, call: ast.Call) -> Sequence[Parameter]:
        """Return what the parameters are of the kernel that a call launches."""
        if (jit := self.jit_of(call)) is not None:
            return [
                Parameter("symcute_element" if p in jit.pointers else None,
                          fraction=p not in jit.numbers)
                for p in jit.parameters
            ]  # fmt: skip
        handle = self.calls[call]
        return handle.code.parameters(handle.kernel) or ()

    def arguments(self, call: ast.Call) -> Sequence[Value] | None:
        """Return the arguments of the kernel that a call launches, or None."""
        if self.calls[call].code.library == "pycuda":
            if any(isinstance(a, ast.Starred) for a in call.args):
                return None
            return [self.value(a) for a in call.args]
        held = _parts(call).get("args")
        value = self.value(held) if held is not None else ANY
        return value.parts if value.kind in TUPLES else None

    def configuration(self, call: ast.Call) -> str | None:
        """Return grid, block and bytes of shared memory of a launch, or None."""
        if self.calls[call].code.library == "pycuda":
            parts: dict[str | None, ast.expr] = {k.arg: k.value for k in call.keywords}
            parts.setdefault("grid", ast.Tuple([ast.Constant(1)], ast.Load()))
            parts.setdefault("shared_mem", parts.pop("shared", ast.Constant(0)))
        else:
            parts = _parts(call)
            parts.setdefault("shared_mem", ast.Constant(0))
        known = {"grid", "block", "args", "shared_mem", "stream", "time_kernel"}
        if parts.keys() - known or not {"grid", "block"} <= parts.keys():
            return None
        texts = [self._extents(parts[x]) for x in ("grid", "block")]
        bytes = plain(self.value(parts["shared_mem"]))
        if None in texts or bytes.kind != "int":
            return None
        return f"{texts[0]}, {texts[1]}, (size_t)({bytes.text})"

    def _extents(self, node: ast.expr) -> str | None:
        value = plain(self.value(node))
        parts = value.parts if value.kind in TUPLES else (value,)
        if value.kind not in ("int", *TUPLES) or not 1 <= len(parts) <= 3:
            return None
        texts = [p.text if p.kind == "int" else "at::symcute_any()" for p in parts]
        return f"dim3({', '.join(f'symcute_extent({t})' for t in texts)})"

    def launch_inside(self, statement: ast.stmt) -> None:
        """Emit the launches that a statement makes by itself, before what it does with them."""
        direct = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        for node in evaluated(statement):
            if isinstance(node, ast.Call) and node in self.calls:
                if node is direct:
                    self.launch(node)
                else:
                    self.refuse(node)

    def launch(self, call: ast.Call) -> None:
        """Emit a launch, or say why it is not understood."""
        if (jit := self.jit_of(call)) is not None:
            self.launch_jit(call, jit)
            return
        handle = self.calls[call]
        parameters = handle.code.parameters(handle.kernel) or []
        configured = self.configuration(call)
        given = self.arguments(call)
        if configured is None or given is None:
            self.refused[call] = "its grid, its block or its arguments are not understood"
            return
        if len(given) != len(parameters):
            wrong = f"{len(given)} arguments are given, and {handle.kernel} has {len(parameters)}"
            self.refused[call] = wrong
            return
        texts = []
        for p, value in zip(parameters, given, strict=True):
            if p.element is not None:
                x = value.text if value.kind == "tensor" else "symcute_tensor()"
                null = value.kind == "none"
                texts.append(f"({p.element} *)" + ("0" if null else f"({x}).data_ptr()"))
            elif value.kind == "tensor":
                self.refused[call] = f"an array is given where {handle.kernel} has a number"
                return
            else:
                texts.append(self._number(p, value))
        self.line, self.column = call.lineno, call.col_offset + 1
        self.emit(f"{handle.kernel}<<<{configured}>>>({', '.join(texts)});")

    def _number(self, parameter: Parameter, value: Value) -> str:
        """Return what a parameter that is a number is given: the bits that CuPy has there."""
        if value.kind == "int" and not parameter.fraction:
            return value.text
        # Of a number of NumPy the bits are handed over, whatever the parameter has.
        if value.kind in SCALARS and SCALARS[value.kind][1] == parameter.bits:
            return plain(value).text
        return "symcute_float()" if value.kind == "float" else "at::symcute_any()"

    def refuse(self, call: ast.Call) -> None:
        """Say that a launch stands where it is not followed."""
        self.refused[call] = "it stands inside another expression"


def _parts(call: ast.Call) -> dict[str | None, ast.expr]:
    """Return the parts of a launch as CuPy names them."""
    named = {k.arg: k.value for k in call.keywords}
    return dict(zip(("grid", "block", "args"), call.args, strict=False)) | named
