"""Facts that ranges of names imply are no hypotheses: searches for lines look through the rest."""

from __future__ import annotations

from symcute.expr import terms
from symcute.frontends.cuda import read_kernels
from symcute.kernel.contracts.contract import contract
from symcute.kernel.ir.verify import verified
from symcute.kernel.launch.notes import read_setting
from symcute.kernel.symexec.statements import symexecute

ROWS = """
__global__ void k(float *out, const int *inp, float *wte, float *wpe, int B, int T, int C) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int N = B * T;
  if (idx < N) {
    int b = idx / T, t = idx % T;
    int ix = inp[b * T + t];
    for (int i = 0; i < C; i++) out[b * T * C + t * C + i] = wte[ix * C + i] + wpe[t * C + i];
  }
}
void f(float *out, int *inp, float *wte, float *wpe, int B, int T, int C, int block) {
  k<<<(B * T + block - 1) / block, block>>>(out, inp, wte, wpe, B, T, C);
}
"""


def test_lines_bound_products_and_no_row() -> None:
    kernel = verified(read_kernels(ROWS).kernels["k"])
    found = contract(kernel, family=kernel.families[0], quick=True, most=25_000)
    lines = {c.text for c in found.conditions}
    assert "C <= 1" not in lines and {"B*C*T <= 2147483648", "C*end_inp <= 2147483648"} <= lines
    assert found.verdicts()["write_race_free"] == "proved"


def test_what_ranges_say_is_no_fact() -> None:
    text = "// symcute: launch grid=(1) block=(1)\n// symcute: assume a*b >= -7\n"
    text += "// symcute: assume a*b <= 9\n// symcute: assume b <= 4\n"
    kernel = verified(
        read_kernels(f"{text}__global__ void k(int *x, int a, int b) {{ }}").kernels["k"]
    )
    facts = symexecute(kernel, read_setting(kernel)).facts
    product = terms.mul("a", "b")
    assert terms.at_most(-7, product) not in facts
    assert terms.at_most(product, 9) in facts and terms.at_most("b", 4) in facts
