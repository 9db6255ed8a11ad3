"""What the explorer asks, and what it is answered: plain data, computed here and only drawn there.

The page says what stands in its fields; `answer` says all that it shows of that. Where it is asked
from does not matter: a worker of the page that runs this package, a server, or nobody at all, when
the answers were written into the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from symcute.claims.language import defined_at, evaluate, show_value
from symcute.codegen.forms import FORMS, to_text
from symcute.errors import InputError, NotAdmissible, SymcuteError, TextError
from symcute.expr.assumptions import Assumptions, assuming
from symcute.expr.expression import as_leaf, free_dims, value_at
from symcute.expr.htuple import show
from symcute.expr.pasted import remarks
from symcute.layout.algebra import compact_major
from symcute.layout.atoms import MmaAtom, atom
from symcute.layout.layout import Layout
from symcute.layout.swizzle import ComposedLayout, Swizzle
from symcute.report.explorer.facts import costs, facts
from symcute.report.explorer.views import MAX_LISTED, VIEWS, Grid, Holding, Tiling, table

__all__ = ["FIELDS", "WIDTHS", "answer", "answer_text", "values_for"]

Map: TypeAlias = Layout | ComposedLayout
Data: TypeAlias = dict[str, Any]

#: The fields of text, and the bits that an element may have.
FIELDS = ("layout", "given", "tile", "threads", "with", "claim")
WIDTHS = (4, 8, 16, 32, 64, 128)
#: Values that are tried for dims that have none; some have many divisors.
_SOME = (8, *(1 << k for k in range(4, 17)), 1, 720, 5040, 720720)
#: The seconds that a claim, and what would have to be assumed for it, may take in a page.
_PATIENCE = 20.0

_UNARY = ("coalesce", "right_inverse", "left_inverse", "flatten", "filter")
_BINARY = (
    "composition", "complement", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide",
    "logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product",
    "raked_product",
)  # fmt: skip
_ATOM = re.compile(r"(?:(?:cute::)?MMA_Atom<\s*)?(SM\d+_\w+)(?:\s*>)?(?:\s*\{\s*\})?")


def answer_text(request: str) -> str:
    """Return the answer to a request, both as JSON. Whatever happens, there is an answer."""
    try:
        return json.dumps(answer(json.loads(request)))
    except SymcuteError as error:
        return json.dumps({"problem": str(error)})
    except Exception as error:  # the page goes on with the next request
        return json.dumps({"problem": f"a defect of symcute, please report it: {error!r}"})


def answer(request: Mapping[str, Any]) -> Data:
    """Return what a page shows: `ask` is "draw", "prove" or "suggest", the rest its fields.

    Errors: InputError for another question.

    >>> answer({"ask": "draw", "layout": "(4,8):(8,1)"})["facts"][0]
    ('size', '32')
    >>> answer({"ask": "prove", "claim": "injective((M,N):(N,1))"})["checked"]
    'checked'
    """
    asks = {"draw": _draw, "prove": _prove, "suggest": _suggest}
    if request.get("ask") not in asks:
        raise InputError(f"nobody answers {request.get('ask')!r}", f"ask {', '.join(asks)}")
    return asks[request["ask"]](request)


def _field(request: Mapping[str, Any], name: str) -> str:
    return str(request.get(name, "")).strip()


def _given(request: Mapping[str, Any]) -> Assumptions:
    """Return what is assumed: relations on lines of their own, or with ; between them."""
    texts = re.split(r"[;\n]", _field(request, "given"))
    return Assumptions.of([text.strip() for text in texts if text.strip()])


# --- the picture --------------------------------------------------------------------------------


def _draw(request: Mapping[str, Any]) -> Data:
    """Return all that is shown of a layout; `problems` says by field what is wrong with it."""
    problems: dict[str, str] = {}

    def tried(field: str, work: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return work(*arguments)
        except SymcuteError as error:
            problems[field] = str(error)
            return None

    given = tried("given", _given, request) or Assumptions.of([])
    text = _field(request, "layout")
    if named := _ATOM.fullmatch(text):
        return {"problems": problems, **(tried("layout", _instruction, named[1]) or {})}
    with assuming(given):
        symbolic = tried("layout", _layout, text)
        more = {
            field: tried(field, evaluate, _field(request, field))
            for field in ("tile", "threads", "with")
            if _field(request, field)
        }
    names = sorted(_dims((symbolic, *more.values())))
    told: Data = {"problems": problems, "dims": dict.fromkeys(names, ""), "title": text}
    if symbolic is None:
        return told
    told["remarks"] = list(remarks(text))
    wanted = {n: int(v) for n, v in _numbers(request).items() if n in names}
    values = tried("dims", values_for, symbolic, given, wanted, names)
    if values is None:
        return told | {"dims": {n: wanted.get(n, "") for n in names}}
    layout = tried("layout", _written_at, text, symbolic, values, given)
    told |= {"dims": values, "parts": _parts(symbolic), "forms": _forms(symbolic, given)}
    if layout is None:
        return told
    numbers = {
        f: tried(f, _written_at, _field(request, f), v, values, given)
        for f, v in more.items()
        if v is not None
    }
    return told | _shown(request, layout, numbers, tried)


def _shown(
    request: Mapping[str, Any],
    layout: Map,
    numbers: Mapping[str, Any],
    tried: Callable[..., Any],
) -> Data:
    """Return the tables, the facts and the operations of a layout of numbers."""
    grid, bits = Grid(layout), int(request.get("bits", 32))
    if bits not in WIDTHS:
        raise InputError(f"elements of {bits} bits", f"choose {', '.join(map(str, WIDTHS))}")
    tiling = holding = None
    if numbers.get("tile") is not None:
        tiling = tried("tile", _tiling, layout, numbers["tile"])
    if numbers.get("threads") is not None:
        holding = tried("threads", _held, numbers["threads"], layout)
    views = {}
    for view in request.get("views", VIEWS[:1]):
        try:
            views[view] = table(grid, view, bits, tiling, holding)
        except SymcuteError as error:
            views[view] = {"problem": str(error)}
    more = list(costs(grid, bits, holding))
    if tiling is not None:
        beyond = f", {tiling.beyond} of its elements beyond the layout" if tiling.beyond else ""
        text = show_value(numbers["tile"])
        more.append((f"zipped_divide(A, {text})", f"{show_value(tiling.divided)}{beyond}"))
    if holding is not None:
        call = f"composition(A, {holding.layout})"
        more.append((call, _result("composition", layout, holding.layout)[0]))
    return {
        "title": str(layout),
        "views": views,
        "facts": facts(layout),
        "costs": more,
        "operations": list(_operations(layout, numbers.get("with"))),
    }


def _listed(layout: Map) -> int:
    """Return the size of a layout whose elements are looked at. Errors: InputError."""
    if int(layout.size()) > MAX_LISTED:
        raise InputError(f"more than {MAX_LISTED} elements", "give a smaller layout")
    return int(layout.size())


def _tiling(layout: Map, tiler: Any) -> Tiling:
    _listed(layout)
    return Tiling(layout, tiler)


def _held(value: Any, layout: Map) -> Holding:
    return Holding(_as_layout(value), _listed(layout))


def _layout(text: str) -> Map:
    """Return the layout that a text gives; a shape alone is column-major. Errors: as `evaluate`."""
    found = _as_layout(evaluate(text))
    inside = found.layout if isinstance(found, ComposedLayout) else found
    if inside.coordinate_strides or inside.shape == ():
        what = "coordinates" if inside.coordinate_strides else "no modes"
        raise InputError(f"{found} has {what}: no offsets to show", "give strides of numbers")
    return found


def _as_layout(value: Any) -> Map:
    if isinstance(value, (Layout, ComposedLayout)):
        return value
    if isinstance(value, (int, tuple)) or _is_leaf(value):
        return Layout(value)
    raise InputError(
        f"{show_value(value)} is not a layout", "write shape:stride, or what gives a layout"
    )


def _is_leaf(value: Any) -> bool:
    try:
        as_leaf(value, "a leaf")
    except SymcuteError:
        return False
    return True


def _dims(value: Any) -> set[str]:
    if value is None or isinstance(value, str):
        return set()
    if isinstance(value, tuple):
        return {name for x in value for name in _dims(x)}
    return value.dims() if hasattr(value, "dims") else free_dims(value)


def _written_at(text: str, value: Any, values: Mapping[str, int], given: Assumptions) -> Any:
    """Return what a text comes to at numbers for its dims. Errors: InputError where it does not."""
    defined_at(text, values, given)
    return _at(value, values)


def _at(value: Any, values: Mapping[str, int]) -> Any:
    """Return a layout, a tiler or an extent at numbers for its dims."""
    if isinstance(value, tuple):
        return tuple(_at(x, values) for x in value)
    if isinstance(value, (Layout, ComposedLayout)):
        return value.at({name: values[name] for name in value.dims()})
    if value is None or isinstance(value, (int, Swizzle)):
        return value
    if _is_leaf(value):
        return value_at(value, dict(values))
    raise InputError(f"{show_value(value)} is no layout and no tile", "write such as (2,4) or 4:2")


def _numbers(request: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of dims that are whole numbers; a field may hold anything."""
    given = request.get("dims", {}).items()
    return {name: value for name, value in given if re.fullmatch(r"-?\d{1,40}", str(value))}


def values_for(
    layout: Map, given: Assumptions, values: Mapping[str, int], more: Iterable[str] = ()
) -> dict[str, int]:
    """Return a value for each dim of a layout and each of `more`: where what is assumed holds.

    Errors: InputError where it is no layout there, or all are given and do not meet what is
    assumed, or none is found.

    >>> values_for(Layout.parse("(M,N):(LD,1)"), Assumptions.of(["LD >= N"]), {"N": 9})
    {'LD': 16, 'M': 16, 'N': 9}
    """
    own = layout.dims()
    names = sorted({*own, *more})
    assumed = [f for f in given.formulas if f.dims() <= set(names)]
    missing = [name for name in names if name not in values]
    found: dict[str, int] = {}
    for some in _SOME if missing else (1,):
        tried = {name: values.get(name, some) for name in names}
        try:
            layout.at({name: tried[name] for name in own})
        except InputError:
            if not missing:
                raise
            continue
        wrong = [f for f in assumed if not f.holds(tried)]
        if not wrong:
            return tried
        if not missing:
            raise InputError(f"the values of the dims do not meet {wrong[0]}", "give others")
        found = found or tried
    if found:
        return found
    raise InputError(
        f"no values were found for the dims of {layout}", f"give one with --at {missing[0]}=8"
    )


def _parts(layout: Map) -> Data:
    """Return the parts of a layout, and the strides that would make its shape compact."""
    inside = layout.layout if isinstance(layout, ComposedLayout) else layout
    swizzle, offset = Swizzle(0, 3, 3), "0"
    if isinstance(layout, ComposedLayout):
        swizzle, offset = layout.swizzle, show(layout.offset)
    return {
        "shape": show(inside.shape),
        "stride": show(inside.stride),
        "offset": offset,
        "swizzle": [swizzle.bits, swizzle.base, swizzle.shift],
        "columns": show(compact_major(inside.shape, "left")),
        "rows": show(compact_major(inside.shape, "right")),
    }


def _forms(layout: Map, given: Assumptions) -> list[tuple[str, str, str]]:
    """Return (form, text, why there is none) of the layout in each form."""
    found = []
    for form in FORMS:
        try:
            found.append((form, to_text(layout, form, given=given), ""))
        except SymcuteError as error:
            found.append((form, "", str(error)))
    return found


def _operations(layout: Map, operand: Any) -> Iterable[tuple[str, str, str]]:
    """Yield (call, result, why there is none) of each operation; without B those of A alone."""
    for name in _UNARY:
        yield (f"{name}(A)", *_result(name, layout))
    if operand is None:
        return
    for name in _BINARY:
        yield (f"{name}(A, B)", *_result(name, layout, operand))
        if name == "complement":
            yield ("complement(B, size(A))", *_result(name, operand, layout.size()))


def _result(name: str, *arguments: Any) -> tuple[str, str]:
    """Return what an operation gives, or why nothing."""
    try:
        return show_value(evaluate(f"{name}({', '.join(map(show_value, arguments))})")), ""
    except TextError as error:  # of a text that nobody wrote: its columns say nothing
        return "", re.sub(r"( at column \d+)+$", "", error.what) + f"; {error.fix}"
    except (NotAdmissible, SymcuteError) as error:
        return "", str(error)


def _instruction(name: str) -> Data:
    """Return the picture of an MMA instruction: its operands, and who holds what of them."""
    from symcute.report.pictures import tilings_to_svg

    found = atom(name)
    tilings = found.layouts()
    told = [(key, f"{layout} into {show(tile)}") for key, (layout, tile) in tilings.items()]
    if isinstance(found, MmaAtom):
        m, n, k = found.shape_mnk
        told = [
            ("shape (M,N,K)", f"({m},{n},{k})"),
            ("types D, A, B, C", ", ".join(found.types)),
            *told,
        ]
    return {
        "title": name,
        "dims": {},
        "facts": told[: -len(tilings)],
        "costs": [*told[-len(tilings) :], ("threads", str(found.thr_id))],
        "picture": tilings_to_svg(tilings, name),
    }


# --- claims -------------------------------------------------------------------------------------


def _prove(request: Mapping[str, Any]) -> Data:
    """Return the verdict on a claim as HTML, and what a checker made of its certificate."""
    from symcute.prover import prove
    from symcute.recheck import check
    from symcute.report.notebooks import to_html

    verdict = prove(_field(request, "claim"), _given(request), timeout=_PATIENCE)
    told = {
        "status": verdict.status,
        "text": str(verdict),
        "html": to_html(verdict),
        "seconds": round(verdict.seconds, 3),
        "suggest": verdict.status != "proved" and not verdict.vacuous,
    }
    if verdict.certificate is None:
        return told
    result = check(json.dumps(verdict.certificate))
    return told | {
        "certificate": json.dumps(verdict.certificate, indent=1),
        "checked": result.status,
        "statement": result.statement,
        "because": result.reason,
        "rests": list(result.rests_on),
    }


def _suggest(request: Mapping[str, Any]) -> Data:
    """Return what would have to be assumed for a claim to be proved, "" where nothing was found."""
    from symcute.prover.suggestion import suggest

    found = suggest(_field(request, "claim"), _given(request), timeout=_PATIENCE)
    return {"assumption": found.words() if found else ""}
