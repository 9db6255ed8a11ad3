"""Write docs/tutorial.ipynb: the cells below, executed, with what they show.

    make tutorial

A text stands for a cell: prose where it begins with a blank line, code otherwise.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import nbformat
from nbclient import NotebookClient

FILE = Path(__file__).parents[1] / "docs" / "tutorial.ipynb"

CELLS = (
    """

    # Layouts that are proved, in ten minutes

    symcute proves properties of CuTe layouts and CUDA kernels, for all sizes at once. This
    notebook goes from a layout to a kernel: a claim, its counterexample, the missing assumption,
    the proof, and an independent check of the proof. No GPU is needed.
    """,
    """
    from symcute import Layout, dims

    A = Layout((4, 8), (8, 1))
    A
    """,
    """

    A **layout**, as in CuTe, is a shape and a stride. It is a function from coordinates to
    offsets. The table shows the offset at every (row, column). Call it with a coordinate, or with
    an index that counts down the columns.
    """,
    """
    A(2, 3), A(14)
    """,
    """

    ## Names for sizes

    A **dim** is a name for any integer of at least 1. This is a matrix of M rows and N columns,
    whose rows begin LD elements apart.
    """,
    """
    M, N, LD = dims("M N LD")
    rows = Layout((M, N), (LD, 1))
    rows
    """,
    """
    rows.at({"M": 3, "N": 4, "LD": 5})
    """,
    """

    ## The algebra

    Operations have CuTe's names. The result of an operation is right for all values of the dims.
    If that cannot be decided, the error names the assumption that is missing.
    """,
    """
    from symcute import Undecided, logical_divide

    try:
        logical_divide(rows, (128, 64))
    except Undecided as error:
        print(error)
    """,
    """
    logical_divide(rows, (128, 64), given=["M % 128 == 0", "N % 64 == 0"])
    """,
    """
    logical_divide(A, (2, 4))
    """,
    """

    ## A claim, and its counterexample

    Do two coordinates ever share an offset? `prove` decides the claim for all M, N and LD.
    """,
    """
    from symcute import Injective, prove

    claim = Injective(rows)
    claim
    """,
    """
    prove(claim)
    """,
    """

    It is false. The counterexample has two rows of two elements that begin one element apart, so
    the framed cells are the same element. Which assumption is missing?
    """,
    """
    from symcute import suggest

    suggest(claim)
    """,
    """
    proof = prove(claim, given=["LD >= N"])
    proof
    """,
    """

    ## The certificate

    A proof is data. A small checker, which shares no code with the prover and needs no solver,
    checks it again.
    """,
    """
    import json

    from symcute import recheck

    result = recheck.check(json.dumps(proof.certificate))
    print(result.status, "|", result.statement)
    """,
    """

    ## Shared memory: bank conflicts, paddings, swizzles

    A warp reads a column of a 32 x 32 tile. All lanes need different words of the same bank.
    """,
    """
    from symcute import Access, BankConflict

    column = Access(Layout((32, 32), (32, 1)), 32)
    prove(BankConflict(column, 1))
    """,
    """

    A swizzle moves the elements of a tile so that neither rows nor columns conflict.
    `find_swizzle` finds the smallest one and proves it. Here eight lanes read 16 bytes each, down
    a column of a tile with 64 elements of 16 bits in a row. Colours are banks.
    """,
    """
    from symcute import find_swizzle

    find_swizzle("access((8,8):(64,8), 16, 128)")
    """,
    """

    ## Which thread holds what

    symcute has the layouts of MMA and copy instructions as data. This is the accumulator of a
    tensor core instruction, with the proof that each element of the tile belongs to exactly one
    (thread, value).
    """,
    """
    from symcute import PartitionExact, atom

    mma = atom("SM80_16x8x8_F16F16F16F16_TN")
    prove(PartitionExact(mma.layoutC_TV, (16, 8)))
    """,
    """

    ## A kernel

    `check_kernel` reads CUDA C++. It decides, for all sizes of a launch, whether accesses are in
    bounds, indices overflow, threads race, or a thread misses a barrier. A counterexample was
    executed.
    """,
    '''
    from symcute import check_kernel

    ramp = """
    __global__ void ramp(float *x, float step, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        x[i] = i * step;
    }
    """
    launch = {"launch": "grid=(ceil_div(n,256)) block=256", "extents": {"x": "n"}}
    check_kernel(ramp, **launch)
    ''',
    """

    The last block has threads beyond the end of the array. Add the missing test:
    """,
    """
    guarded = ramp.replace("x[i] =", "if (i < n) x[i] =")
    check_kernel(guarded, **launch)
    """,
    """

    On a machine with a GPU, `symcute.guard(raw_kernel)` makes the same check before a CuPy kernel
    is launched.

    ## Next

    - [put claims into a test suite](how-to/pytest.md): `assert_proved` fails with lines to paste
    - [what PROVED means](explanation/what-proved-means.md), and what a verdict rests on
    - [more on kernels](how-to/check-a-kernel.md), and [on swizzles](how-to/find-a-swizzle.md)
    """,
)


def notebook() -> Any:
    """Return the notebook, not yet executed."""
    cells = []
    for number, text in enumerate(CELLS):
        prose = text.startswith("\n\n")
        make = nbformat.v4.new_markdown_cell if prose else nbformat.v4.new_code_cell
        cells.append(make(dedent(text).strip(), id=f"cell-{number}"))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def executed() -> Any:
    """Return the notebook with what its cells show: as HTML and as text."""
    found = notebook()
    NotebookClient(found, timeout=120, kernel_name="python3", record_timing=False).execute()
    found.metadata = {"kernelspec": found.metadata["kernelspec"]}
    for cell in found.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "text/html" in data:
                # A page shows the HTML; the others would say the same again.
                output["data"] = {k: data[k] for k in ("text/html", "text/plain")}
    return found


if __name__ == "__main__":
    nbformat.write(executed(), FILE)
    print(f"wrote {FILE}")
