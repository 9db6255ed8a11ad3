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

    symcute proves what the index maps of GPU kernels do, for all sizes at once. This notebook
    goes from a layout to a kernel: a claim, its counterexample, what mends it, the proof, and
    what is checked again. No GPU is needed.
    """,
    """
    from symcute import Layout, dims

    A = Layout((4, 8), (8, 1))
    A
    """,
    """

    A **layout** is CuTe's: a shape and a stride, and with them a map from coordinates to
    offsets. The table shows the offset at every (row, column). It is called with a coordinate,
    or with an index that counts down the columns.
    """,
    """
    A(2, 3), A(14)
    """,
    """

    ## Sizes that are not known yet

    A **dim** is an integer of at least 1. Here are the rows of a matrix, each `LD` elements
    behind the one before.
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

    It goes by its CuTe names. An operation gives a result that is right for all values of the
    dims, or says what it lacks.
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

    Do two coordinates ever share an offset? The claim is a value; `prove` decides it for all M,
    N and LD.
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

    It is false, and this is the smallest case: two rows of two elements, one behind the other,
    so that the framed cells are the same element. What would have to be assumed?
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

    A proof is data. A small checker, which shares no code with the prover and asks no solver,
    works through it again.
    """,
    """
    import json

    from symcute import checker

    result = checker.check(json.dumps(proof.certificate))
    print(result.status, "|", result.statement)
    """,
    """

    ## Shared memory: bank conflicts, paddings, swizzles

    A warp reads a column of a 32 x 32 tile: all lanes need a word of the same bank.
    """,
    """
    from symcute import Access, BankConflict

    column = Access(Layout((32, 32), (32, 1)), 32)
    prove(BankConflict(column, 1))
    """,
    """

    A swizzle moves the elements so that rows and columns are free of conflicts. The one of the
    fewest bits is found, with its proof.
    """,
    """
    from symcute import find_swizzle

    find_swizzle(["access((32,32):(1,32), 32)", "access((32,32):(32,1), 32)"])
    """,
    """

    What a swizzle does can be seen. Each colour is a value of the three lowest bits of the
    offset: a whole column before, and once in every row and every column afterwards.
    """,
    """
    from symcute import evaluate

    evaluate("Sw<3,0,3> o 0 o (8,8):(8,1)")
    """,
    """

    ## Which thread holds what

    The instructions of every architecture are there as data. This is the accumulator of a
    tensor core instruction, and the proof that each element of the tile belongs to exactly one
    thread and value.
    """,
    """
    from symcute import PartitionExact, atom

    mma = atom("SM80_16x8x8_F16F16F16F16_TN")
    prove(PartitionExact(mma.layoutC_TV, (16, 8)))
    """,
    """

    ## A kernel

    `check_kernel` reads CUDA C++ and decides for all sizes of a launch whether an access leaves
    its array, an index wraps, threads race or miss a barrier. What it refutes it has executed.
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

    The last block has threads beyond the end. The guard that is missing:
    """,
    """
    guarded = ramp.replace("x[i] =", "if (i < n) x[i] =")
    check_kernel(guarded, **launch)
    """,
    """

    On a machine with a GPU, `symcute.guard(raw_kernel)` makes the same check before each launch
    of a CuPy kernel.

    ## From here

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
