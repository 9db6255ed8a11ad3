"""Everyday kernels as text, right as they are written, with random types, sizes and spellings."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

#: Types of an index that may be up to 2**30.
WIDE = ("int", "unsigned", "size_t", "long long", "int")
ELEMENTS = ("float", "int", "double", "unsigned char", "short", "unsigned")


class Text(NamedTuple):
    """Notes, parameters and statements of a kernel, and what stands before it."""

    launch: str
    notes: tuple[str, ...]
    parameters: str
    body: str
    before: str = ""


def written(kernel: Text, name: str) -> str:
    """Return a kernel as it stands in a file; the name of what is before it is made its own."""
    notes = [f"launch {kernel.launch}", *kernel.notes]
    lines = "".join(f"// symcute: {n}\n" for n in notes)
    before = f"{kernel.before}\n\n" if kernel.before else ""
    text = f"{before}{lines}__global__ void {name}({kernel.parameters}) {{\n{kernel.body}\n}}\n"
    return text.replace("OWN", name)


def _line(rng: Random, block: int) -> tuple[str, str]:
    """Return the type of an index, and how it is computed from block and thread."""
    kind = rng.choice(WIDE)
    width = rng.choice(("blockDim.x", str(block), f"{block}u"))
    form = rng.choice(
        ("blockIdx.x * {w} + threadIdx.x", "threadIdx.x + {w} * blockIdx.x",
         "blockIdx.x * {w} - 1 + threadIdx.x + 1", "({t})blockIdx.x * {w} + threadIdx.x",
         "(blockIdx.x + 1) * {w} - ({w} - threadIdx.x)", "threadIdx.x - 3 + blockIdx.x * {w} + 3")
    )  # fmt: skip
    return kind, form.format(w=width, t=kind.split()[-1] if " " not in kind else "size_t")


def block_of(rng: Random) -> int:
    return rng.choice((32, 64, 128, 256, 96))


def _ends(rng: Random) -> str:
    return rng.choice(("2**30", "2**30 - 1", "1000", "2**20", "2**29"))


def guarded(rng: Random) -> Text:
    b, e = block_of(rng), rng.choice(ELEMENTS)
    kind, form = _line(rng, b)
    guard = rng.choice(
        ("if (i < n) {s}", "if (i >= n) return;\n  {s}", "if (!(i >= n)) {s}", "if (n > i) {s}")
    )
    at = rng.choice(("i", "n - 1 - i", "n - i - 1", "(i + 1) - 1", "i / 1", "i ^ 0", "i % n"))
    n = "int" if kind == "int" else rng.choice(("int", kind))
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        (f"assume n <= {_ends(rng)}", "extent x = n", "extent y = n"),
        f"{n} n, const {e} *x, {e} *y",
        f"  {kind} i = {form};\n  " + guard.format(s=f"y[{at}] = x[{rng.choice(('i', at))}];"),
    )


def stencil(rng: Random) -> Text:
    b, r = block_of(rng), rng.choice((1, 1, 2, 3))
    width = rng.choice(("blockDim.x", str(b)))
    at = rng.choice(
        (f"blockIdx.x * {width} + threadIdx.x + {r} + j",
         f"threadIdx.x + j + {r} + blockIdx.x * {width}",
         f"(int)(blockIdx.x * {width} + threadIdx.x) + {r} + j")
    )  # fmt: skip
    step = rng.choice(("j++", "++j", "j += 1"))
    return Text(
        f"grid=(G) block=({b})",
        ("assume G <= 2**16", f"extent x = {b}*G + {2 * r}", f"extent y = {b}*G"),
        "const float *x, float *y",
        f"  float s = 0;\n  for (int j = -{r}; j <= {r}; {step}) s += x[{at}];\n"
        f"  y[blockIdx.x * {width} + threadIdx.x] = s;",
    )


def grid_stride(rng: Random) -> Text:
    b, kind = block_of(rng), rng.choice(WIDE)
    step = rng.choice(("gridDim.x * blockDim.x", "blockDim.x * gridDim.x", f"gridDim.x * {b}"))
    loop = rng.choice(
        ("for ({k} i = {f}; i < n; i += {s}) y[i] = x[i];",
         "{k} i = {f};\n  while (i < n) {{ y[i] = x[i]; i += {s}; }}",
         "const int step = {s};\n  for ({k} i = {f}; i < n; i += step) y[i] += x[i];")
    )  # fmt: skip
    form = loop.format(k=kind, f="blockIdx.x * blockDim.x + threadIdx.x", s=step)
    n = "int" if kind == "int" else rng.choice(("int", kind))
    return Text(
        f"grid=(G) block=({b})",
        ("assume G <= 2**10", f"assume n <= {_ends(rng)}", "extent x = n", "extent y = n"),
        f"{n} n, const float *x, float *y",
        f"  {form}",
    )


def roll(rng: Random) -> Text:
    b = block_of(rng)
    at = rng.choice(("((i - k) % n + n) % n", "(i + n - k) % n", "(i >= k ? i - k : i - k + n)",
                     "(i + k) % n"))  # fmt: skip
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        ("assume n <= 2**29", "assume 0 <= k < n", "extent x = n", "extent y = n"),
        "int n, int k, const float *x, float *y",
        f"  int i = blockIdx.x * {b} + threadIdx.x;\n  if (i < n) y[i] = x[{at}];",
    )


def table(rng: Random) -> Text:
    n = rng.choice((4, 8))
    values = list(range(n))
    rng.shuffle(values)
    text = ", ".join(map(str, values))
    form = rng.choice(("const __device__ int", "__constant__ const int", "__device__ const int"))
    local = rng.choice(("", "const int t[{n}] = {{{v}}};", "constexpr int t[{n}] = {{{v}}};"))
    at = rng.choice((f"threadIdx.x & {n - 1}", f"threadIdx.x % {n}"))
    name = "t" if local else "OWN_table"
    return Text(
        f"grid=(1) block=({n})",
        (f"extent y = {n}",),
        "float *y",
        (f"  {local.format(n=n, v=text)}\n" if local else "") + f"  y[{name}[{at}]] = 1;",
        "" if local else f"{form} OWN_table[{n}] = {{{text}}};",
    )


def one_comparison(rng: Random) -> Text:
    b = block_of(rng)
    test = rng.choice(("(unsigned)j < (unsigned)n", "j >= 0 && j < n", "0 <= j && n > j",
                       "static_cast<unsigned>(j) < static_cast<unsigned>(n)"))  # fmt: skip
    low = rng.choice(("0", "-1000"))
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        ("assume n <= 2**29", f"assume {low} <= off <= 2**29", "extent y = n"),
        "int n, int off, float *y",
        f"  int i = blockIdx.x * {b} + threadIdx.x;\n  int j = i {rng.choice('+-')} off;\n"
        f"  if ({test}) y[j] = 1;",
    )


def gather(rng: Random) -> Text:
    b = block_of(rng)
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        (
            f"assume n <= {_ends(rng)}",
            "assume m <= 2**30",
            "extent x = m",
            "extent y = n",
            "extent at = n",
            "contents at in [0, m)",
        ),
        "int n, int m, const int *at, const float *x, float *y",
        f"  unsigned i = blockIdx.x * {b} + threadIdx.x;\n"
        + rng.choice(
            (
                "  if (i < n) y[i] = x[at[i]];",
                "  if (i >= n) return;\n  int k = at[i];\n  y[i] = x[k];",
            )
        ),
    )


def quotients(rng: Random) -> Text:
    b, kind = block_of(rng), rng.choice(("int", "unsigned"))
    limit = "2**28" if kind == "int" else "2**30"
    return Text(
        f"grid=(ceil_div(n*m,{b})) block=({b})",
        (f"assume n*m <= {limit}", "extent x = n*m", "extent y = n*m"),
        f"{kind} n, {kind} m, const float *x, float *y",
        f"  {kind} i = blockIdx.x * {b} + threadIdx.x;\n  if (i >= n * m) return;\n"
        f"  {kind} r = i / m, c = i % m;\n"
        f"  {rng.choice(('y[c * n + r] = x[i];', 'y[i] = x[r * m + c];', 'y[i] = x[c * n + r];'))}",
    )


def bit_field(rng: Random) -> Text:
    bits = rng.choice((2, 3, 4))
    kind = rng.choice(("unsigned", "unsigned char", "unsigned short"))
    return Text(
        f"grid=(1) block=({1 << bits})",
        (f"extent y = {1 << bits}",),
        "float *y",
        f"  struct {{ {kind} a : {bits}; {kind} b : {rng.choice((1, 3, 5))}; }} s;\n  s.b = 1;\n"
        f"  s.a = threadIdx.x;\n  y[s.a] = s.b;",
    )


def intrinsic(rng: Random) -> Text:
    at, extent = rng.choice((
        ("__popc(v & 0xff)", 9), ("__popc(v)", 33), ("__clz(v | 1)", 32), ("__clz(v)", 33),
        ("__ffs(v | 256) - 1", 9), ("__ffs(v)", 33), ("__clz(v & 15) - 28", 5), ("v & 7", 8),
        ("(v >> 28) & 15", 16), ("v >> 28", 16), ("__popc(v | 1) - 1", 32), ("min(v, 9u)", 10),
        ("max((int)(v & 7), 2)", 8), ("abs((int)(v & 7) - 3)", 5), ("__mul24(v & 7, 3)", 22),
        ("(unsigned char)v", 256), ("(short)v & 31", 32), ("31 - __clz(v | 1)", 32),
        ("__umulhi(v, 16u)", 16), ("__brev(v) >> 29", 8), ("(v * 2654435761u) >> 27", 32),
    ))  # fmt: skip
    return Text(
        "grid=(1) block=(32)",
        (f"extent y = {extent}",),
        "unsigned v, float *y",
        f"  if (threadIdx.x == 0) {{ int k = {at}; y[k] = 1; }}",
    )


def interleaved(rng: Random) -> Text:
    b, f = block_of(rng), rng.choice((2, 3, 4))
    writes = " ".join(f"y[{f} * i + {k}] = x[i];" for k in range(f))
    loop = f"for (int k = 0; k < {f}; k++) y[i * {f} + k] = x[i];"
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        ("assume n <= 2**28", "extent x = n", f"extent y = {f}*n"),
        "int n, const float *x, float *y",
        f"  {rng.choice(WIDE)} i = blockIdx.x * {b} + threadIdx.x;\n"
        f"  if (i < n) {{ {rng.choice((writes, loop))} }}",
    )


def downwards(rng: Random) -> Text:
    kind = rng.choice(("int", "unsigned", "size_t", "long long"))
    loop = rng.choice(
        ("for ({k} j = n; j-- > 0;) y[j] = 1;", "for ({k} j = n; j > 0; j--) y[j - 1] = 1;",
         "{k} j = n;\n  while (j) {{ --j; y[j] = 1; }}",
         "{k} j = 0;\n  do {{ y[j] = 1; j++; }} while (j < n);")
    )  # fmt: skip
    return Text(
        "grid=(1) block=(1)", (f"assume n <= {_ends(rng)}", "extent y = n"),
        f"{kind} n, float *y", f"  {loop.format(k=kind)}",
    )  # fmt: skip


def by_enum(rng: Random) -> Text:
    b = block_of(rng)
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        ("assume n <= 2**28", "extent y = 3*n"),
        "int n, int op, float *y",
        f"  int i = blockIdx.x * {b} + threadIdx.x;\n  if (i >= n) return;\n  int k = 0;\n"
        "  switch (op) {\n    case OWN_A: k = 0; break;\n    case OWN_B: k = n; break;\n"
        "    default: k = 2 * n;\n  }\n"
        "  y[k + i] = 1;",
        f"enum OWN_Op {{ OWN_A, OWN_B = {rng.choice((5, 1, 100))} }};",
    )


def pointers(rng: Random) -> Text:
    b, c = block_of(rng), rng.choice((2, 4))
    body = rng.choice((
        f"  float *p = y + i * {c};\n  for (int k = 0; k < {c}; k++) *p++ = x[i];",
        f"  const float *q = x + i;\n  float *p = &y[{c} * i];\n  p[{c} - 1] = *q;",
        f"  float *p = y;\n  p += i * {c};\n  p[0] = x[i];\n  *(p + 1) = x[i];",
    ))  # fmt: skip
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        ("assume n <= 2**28", "extent x = n", f"extent y = {c}*n"),
        "int n, const float *x, float *y",
        f"  int i = blockIdx.x * {b} + threadIdx.x;\n  if (i >= n) return;\n{body}",
    )


def vectors(rng: Random) -> Text:
    b = block_of(rng)
    v, c = rng.choice((("float4", 4), ("float2", 2)))
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        (
            "assume n <= 2**26",
            f"extent x = {c}*n",
            f"extent y = {c}*n",
            "align x = 16",
            "align y = 16",
        ),
        "int n, float *x, float *y",
        f"  int i = blockIdx.x * {b} + threadIdx.x;\n  if (i >= n) return;\n"
        f"  {v} v = (({v} *)x)[i];\n  reinterpret_cast<{v} *>(y)[i] = v;",
    )


def clamped(rng: Random) -> Text:
    b, r = block_of(rng), rng.choice((1, 2, 5))
    at = rng.choice((f"min(max(i - {r}, 0), n - 1)", f"max(0, min(i + {r}, n - 1))",
                     f"(i < {r} ? 0 : i - {r})", f"(i + {r} < n ? i + {r} : n - 1)"))  # fmt: skip
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        (f"assume n <= {_ends(rng)}", "extent x = n", "extent y = n"),
        "int n, const float *x, float *y",
        f"  int i = blockIdx.x * {b} + threadIdx.x;\n  if (i < n) y[i] = x[{at}];",
    )


def chunks(rng: Random) -> Text:
    b, c = block_of(rng), rng.choice((2, 4, 8))
    body = rng.choice((
        f"for (int k = 0; k < {c}; ++k) {{ int i = g * {c} + k; if (i < n) y[i] = 1; }}",
        f"for (int i = g * {c}; i < min((g + 1) * {c}, n); i++) y[i] = 1;",
        f"for (int k = 0; k < {c}; ++k) {{ int i = g * {c} + k; if (i >= n) break; y[i] = 1; }}",
    ))  # fmt: skip
    return Text(
        f"grid=(ceil_div(n,{b * c})) block=({b})",
        ("assume n <= 2**28", "extent y = n"),
        "int n, float *y",
        f"  int g = blockIdx.x * {b} + threadIdx.x;\n  {body}",
    )


def pitched(rng: Random) -> Text:
    t = rng.choice((8, 16))
    at = rng.choice(("(size_t)r * ld + c", "r * ld + c", "c + ld * r", "(long long)ld * r + c"))
    limit = "2**20" if "(" not in at else "2**34"
    return Text(
        f"grid=(ceil_div(m,{t}),ceil_div(n,{t})) block=({t},{t})",
        (
            "assume m <= ld",
            "assume n <= 2**18",
            "assume m <= 2**18",
            "assume ld <= 2**20",
            f"assume n*ld <= {limit}",
            "extent y = n*ld",
        ),
        "int n, int m, int ld, float *y",
        f"  int c = blockIdx.x * {t} + threadIdx.x, r = blockIdx.y * {t} + threadIdx.y;\n"
        f"  if (r < n && c < m) y[{at}] = 1;",
    )


def per_warp(rng: Random) -> Text:
    b = rng.choice((32, 64, 256))
    at = rng.choice(("g >> 5", "g / 32", f"blockIdx.x * {b // 32} + threadIdx.x / 32",
                     f"blockIdx.x * {b // 32} + (threadIdx.x >> 5)"))  # fmt: skip
    test = rng.choice(("(threadIdx.x & 31) == 0", "threadIdx.x % 32 == 0", "(g & 31) == 0"))
    return Text(
        f"grid=(G) block=({b})",
        ("assume G <= 2**16", f"extent y = {b // 32}*G"),
        "float *y",
        f"  unsigned g = blockIdx.x * {b} + threadIdx.x;\n  if ({test}) y[{at}] = 1;",
    )


def narrow(rng: Random) -> Text:
    b = block_of(rng)
    at, extent = rng.choice((
        ("(unsigned char)i", 256), ("(unsigned char)(i & 255)", 256), ("(short)(i % 1000)", 1000),
        ("(unsigned short)i", 65536), ("i & 1023", 1024), ("i % 1000", 1000), ("(i >> 3) & 15", 16),
        ("(unsigned char)(i >> 2)", 256), ("(i * 7) & 63", 64), ("(i ^ (i >> 1)) & 31", 32),
        ("~i & 7", 8), ("-i & 7", 8), ("(i + 5u) % 12u", 12),
    ))  # fmt: skip
    return Text(
        f"grid=(ceil_div(n,{b})) block=({b})",
        ("assume n <= 2**20", f"extent y = {extent}"),
        "int n, int *y",
        f"  int i = blockIdx.x * {b} + threadIdx.x;\n  if (i < n) atomicAdd(&y[{at}], 1);",
    )


#: Those in which each thread works alone.
ALONE: tuple[Callable[[Random], Text], ...] = (
    guarded, stencil, grid_stride, roll, table, one_comparison, gather, quotients, bit_field,
    intrinsic, interleaved, downwards, by_enum, pointers, vectors, clamped, chunks, pitched,
    per_warp, narrow,
)  # fmt: skip
