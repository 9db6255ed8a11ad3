"""Kernels that others wrote, with notes of ours: what one engine and another say of the same text.

    python -m benchmarks.noted write REPOSITORIES FOLDER     # a file for each kernel
    python -m benchmarks.noted check FOLDER ENGINE OUT.json  # what `symcute check` of ENGINE says
    python -m benchmarks.noted table BEFORE.json NOW.json    # both, as Markdown

REPOSITORIES is a folder with work trees of llm.c, LeetCUDA, cuda-samples and SGEMM_CUDA. A kernel
is cut out of its file word for word, with the functions and macros that it needs; above it stands
how it is launched, in notes that an engine without a reader of host code understands too. ENGINE is
a work tree of symcute: its `symcute check` runs, a process for each kernel, whose seconds of the
CPU are counted, those of its solvers too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

#: The work that a kernel may take, and the seconds: a process of the CPU beyond them is stopped.
WORK, SECONDS = 25_000, 60
MARKS = {"proved": "+", "refuted": "-", "unknown": "?", "not applicable": "="}

#: What some sources take from headers.
PRELUDE = {
    "uint": "typedef unsigned int uint;",
    "cg::": "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;",
    "floatX": "typedef float floatX;",
    "half": "#include <cuda_fp16.h>",
}  # fmt: skip

LINE = "launch grid=(ceil_div({n},256)) block=(256)"
_BTC = "assume B*T*C <= 2**30; extent out = B*T*C; extent inp = B*T; contents inp in [0,V)"
_HEADS = "assume B*N*NH*d*3 <= 2**30; " + LINE.format(n="B*N*NH*d")
_ATT = "assume B*NH*T*T <= 2**30; assume B*T*C*3 <= 2**30; assume C % NH == 0"
_TREE = "launch grid=(N) block=(256) shared=1024; assume N*C <= 2**30; arg block_size = 256"
_MAT = "assume row*col <= 2**30; extent x = row*col; extent y = row*col"
_TILES = (
    "launch grid=(w,h) block=(32,16); arg width = 32*w; arg height = 32*h; assume w <= 2**10; "
    "assume h <= 2**10; extent odata = 1024*w*h; extent idata = 1024*w*h"
)
_SORT = (
    "assume arrayLength % 1024 == 0; assume arrayLength <= 2**30; extent d_DstKey = arrayLength; "
    "extent d_DstVal = arrayLength; extent d_SrcKey = arrayLength; extent d_SrcVal = arrayLength"
)
_GEMM = (
    "assume M*K <= 2**30; assume K*N <= 2**30; assume M*N <= 2**30; extent A = M*K; "
    "extent B = K*N; extent C = M*N"
)

#: A file of a repository: kernel, notes.
KERNELS: dict[str, dict[str, str]] = {
    "llm.c/dev/cuda/attention_forward.cu": {
        "attention_query_key_kernel1": f"{LINE.format(n='B*NH*T*T')}; {_ATT}; "
        "extent preatt = B*NH*T*T; extent inp = B*T*C*3",
        "attention_softmax_kernel1": f"{LINE.format(n='B*T*NH')}; assume B*NH*T*T <= 2**30; "
        "extent att = B*NH*T*T; extent preatt = B*NH*T*T",
        "attention_value_kernel1": f"{LINE.format(n='B*T*NH')}; {_ATT}; extent out = B*T*C; "
        "extent att = B*NH*T*T; extent inp = B*T*C*3",
        "permute_kernel": f"{_HEADS}; extent q = B*N*NH*d; extent k = B*N*NH*d; "
        "extent v = B*N*NH*d; extent inp = 3*B*N*NH*d",
        "unpermute_kernel": f"{_HEADS}; extent inp = B*N*NH*d; extent out = B*N*NH*d",
        "scale_kernel": f"{LINE.format(n='B*NH*T*T')}; assume B*NH*T*T <= 2**30; "
        "extent inp = B*NH*T*T",
    },
    "llm.c/dev/cuda/attention_backward.cu": {
        "permute_kernel_backward": f"{_HEADS}; extent dq = B*N*NH*d; extent dk = B*N*NH*d; "
        "extent dv = B*N*NH*d; extent dinp = 3*B*N*NH*d",
        "unpermute_kernel_backward": f"{_HEADS}; extent dinp = B*N*NH*d; extent dout = B*N*NH*d",
        "softmax_autoregressive_backward_kernel1": f"{LINE.format(n='T')}; {_ATT}; "
        "extent att = B*NH*T*T; extent datt = B*NH*T*T; extent dpreatt = B*NH*T*T",
    },
    "llm.c/dev/cuda/encoder_forward.cu": {
        "encoder_forward_kernel1": f"{LINE.format(n='B*T')}; {_BTC}; assume V*C <= 2**30; "
        "extent wte = V*C; extent wpe = T*C",
        "encoder_forward_kernel2": f"{LINE.format(n='B*T*C')}; {_BTC}; assume V*C <= 2**30; "
        "extent wte = V*C; extent wpe = T*C",
    },
    "llm.c/dev/cuda/encoder_backward.cu": {
        "encoder_backward_kernel1": f"{LINE.format(n='B*T*C')}; assume B*T*C <= 2**30; "
        "assume V*C <= 2**30; extent dwte = V*C; extent dwpe = T*C; extent dout = B*T*C; "
        "extent inp = B*T; contents inp in [0,V)",
        "encoder_backward_kernel2": f"{LINE.format(n='C')}; assume B*T*C <= 2**30; "
        "assume V*C <= 2**30; extent dwte = V*C; extent dwpe = T*C; extent dout = B*T*C; "
        "extent inp = B*T; contents inp in [0,V)",
    },
    "llm.c/dev/cuda/layernorm_forward.cu": {
        "layernorm_forward_kernel1": f"{LINE.format(n='N')}; assume N*C <= 2**30; "
        "extent out = N*C; extent inp = N*C; extent mean = N; extent rstd = N; "
        "extent weight = C; extent bias = C",
        "mean_kernel": f"{_TREE}; extent mean = N; extent inp = N*C",
        "rstd_kernel": f"{_TREE}; extent rstd = N; extent mean = N; extent inp = N*C",
        "normalization_kernel": f"{LINE.format(n='B*T*C')}; assume B*T*C <= 2**30; "
        "assume B*T*C % 256 == 0; extent out = B*T*C; extent inp = B*T*C; extent mean = B*T; "
        "extent rstd = B*T; extent weight = C; extent bias = C",
    },
    "llm.c/dev/cuda/matmul_forward.cu": {
        "matmul_forward_kernel1": "launch grid=(ceil_div(BT,16),ceil_div(OC,16)) block=(16,16); "
        "assume BT*C <= 2**30; assume OC*C <= 2**30; assume BT*OC <= 2**30; assume OC <= 2**19; "
        "extent out = BT*OC; extent inp = BT*C; extent weight = OC*C; extent bias = OC",
        "add_bias": "launch grid=(G) block=(256); assume G <= 2**12; assume B*T*OC <= 2**30; "
        "extent out = B*T*OC; extent bias = OC",
    },
    "llm.c/dev/cuda/matmul_backward_bias.cu": {
        "matmul_backward_bias_kernel1": "launch grid=(OC) block=(256) shared=1024; "
        "assume B*T*OC <= 2**30; extent dbias = OC; extent dout = B*T*OC",
        "matmul_backward_bias_kernel4": "launch grid=(O) block=(256) shared=1024; arg OC = 32*O; "
        "assume B*T*O <= 2**25; extent dbias = 32*O; extent dout = 32*B*T*O",
    },
    "llm.c/dev/cuda/crossentropy_forward.cu": {
        "crossentropy_forward_kernel1": f"{LINE.format(n='B*T')}; assume B*T*V <= 2**30; "
        "extent losses = B*T; extent probs = B*T*V; extent targets = B*T; "
        "contents targets in [0,V)",
    },
    "llm.c/dev/cuda/crossentropy_softmax_backward.cu": {
        "crossentropy_softmax_backward_kernel1": f"{LINE.format(n='B*T*V')}; "
        "assume B*T*V <= 2**30; extent dlogits = B*T*V; extent dlosses = B*T; "
        "extent probs = B*T*V; extent targets = B*T; contents targets in [0,V)",
    },
    "llm.c/dev/cuda/softmax_forward.cu": {
        "softmax_forward_kernel1": f"{LINE.format(n='N')}; assume N*C <= 2**30; "
        "extent out = N*C; extent inp = N*C",
        "softmax_forward_kernel2": "launch grid=(N) block=(256) shared=1024; "
        "assume N*C <= 2**30; extent out = N*C; extent inp = N*C",
    },
    "LeetCUDA/kernels/mat-transpose/mat_transpose.cu": {
        "mat_transpose_f32_col2row_kernel": f"{LINE.format(n='row*col')}; {_MAT}",
        "mat_transpose_f32_row2col_kernel": f"{LINE.format(n='row*col')}; {_MAT}",
        "mat_transpose_f32_diagonal2d_kernel": "launch grid=(m,m) block=(16,16); "
        "arg row = 16*m; arg col = 16*m; assume m <= 2**10; extent x = 256*m*m; "
        "extent y = 256*m*m",
        "mat_transpose_f32_col2row2d_kernel": "launch "
        f"grid=(ceil_div(col,16),ceil_div(row,16)) block=(16,16); {_MAT}; assume row <= 2**19",
        "mat_transpose_f32x4_shared_col2row2d_kernel": "launch grid=(c,r) block=(16,16); "
        "arg row = 16*r; arg col = 64*c; assume r <= 2**10; assume c <= 2**10; "
        "extent x = 1024*r*c; extent y = 1024*r*c",
    },
    "LeetCUDA/kernels/embedding/embedding.cu": {
        "embedding_f32_kernel": "launch grid=(n) block=(emb_size); assume emb_size <= 1024; "
        "assume n <= 2**20; assume V <= 2**20; extent idx = n; contents idx in [0,V); "
        "extent weight = V*emb_size; extent output = n*emb_size",
    },
    "LeetCUDA/kernels/rope/rope.cu": {
        "rope_f32_kernel": "launch grid=(ceil_div(seq_len*N,256)) block=(256); "
        "assume seq_len*N <= 2**29; assume seq_len*N % 256 == 0; extent x = 2*seq_len*N; "
        "extent out = 2*seq_len*N",
        "rope_f32_v2_kernel": "launch grid=(seq_len) block=(N); assume N <= 1024; "
        "assume seq_len <= 2**19; extent x = 2*seq_len*N; extent out = 2*seq_len*N",
    },
    "cuda-samples/Samples/6_Performance/transpose/transpose.cu": {
        "transposeNaive": _TILES,
        "transposeCoalesced": _TILES,
        "transposeNoBankConflicts": _TILES,
        "transposeDiagonal": _TILES,
    },
    "cuda-samples/Samples/2_Concepts_and_Techniques/sortingNetworks/bitonicSort.cu": {
        "bitonicMergeGlobal": f"launch grid=(arrayLength//512) block=(256); {_SORT}; "
        "arg stride = 2048; arg size = 4096; assume arrayLength % 4096 == 0",
        "bitonicMergeShared": f"launch grid=(arrayLength//1024) block=(512); {_SORT}; "
        "assume arrayLength >= 1024",
    },
    "cuda-samples/Samples/2_Concepts_and_Techniques/sortingNetworks/oddEvenMergeSort.cu": {
        "oddEvenMergeGlobal": f"launch grid=(arrayLength//512) block=(256); {_SORT}; "
        "arg stride = 2048; arg size = 4096; assume arrayLength % 4096 == 0",
    },
    "cuda-samples/Samples/2_Concepts_and_Techniques/scalarProd/scalarProd_kernel.cuh": {
        "scalarProdGPU": "launch grid=(128) block=(256); assume vectorN*elementN <= 2**30; "
        "assume vectorN <= 2**20; assume elementN <= 2**20; extent d_A = vectorN*elementN; "
        "extent d_B = vectorN*elementN; extent d_C = vectorN",
    },
    "cuda-samples/Samples/5_Domain_Specific/fastWalshTransform/fastWalshTransform_kernel.cuh": {
        "fwtBatch2Kernel": "launch grid=(S//256,m) block=(256); arg stride = S; assume pow2(S); "
        "assume S >= 256; assume S <= 2**20; assume m <= 256; extent d_Output = 4*S*m; "
        "extent d_Input = 4*S*m",
        "modulateKernel": "launch grid=(128) block=(256); assume N <= 2**30; extent d_A = N; "
        "extent d_B = N",
    },
    "SGEMM_CUDA/src/kernels/1_naive.cuh": {
        "sgemm_naive": f"launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(32,32); {_GEMM}; "
        "assume N <= 2**20",
    },
    "SGEMM_CUDA/src/kernels/2_kernel_global_mem_coalesce.cuh": {
        "sgemm_global_mem_coalesce": "launch grid=(ceil_div(M,32),ceil_div(N,32)) block=(1024); "
        f"{_GEMM}; assume N <= 2**20; template BLOCKSIZE = 32",
    },
    "SGEMM_CUDA/src/kernels/3_kernel_shared_mem_blocking.cuh": {
        "sgemm_shared_mem_block": f"launch grid=(M//32,N//32) block=(1024); {_GEMM}; "
        "assume N <= 2**20; assume M % 32 == 0; assume N % 32 == 0; assume K % 32 == 0; "
        "template BLOCKSIZE = 32",
    },
    "SGEMM_CUDA/src/kernels/4_kernel_1D_blocktiling.cuh": {
        "sgemm1DBlocktiling": f"launch grid=(N//64,M//64) block=(512); {_GEMM}; "
        "assume M <= 2**20; assume M % 64 == 0; assume N % 64 == 0; assume K % 8 == 0; "
        "template BM = 64; template BN = 64; template BK = 8; template TM = 8",
    },
    "SGEMM_CUDA/src/kernels/6_kernel_vectorize.cuh": {
        "sgemmVectorize": f"launch grid=(N//128,M//128) block=(256); {_GEMM}; "
        "assume M <= 2**20; assume M % 128 == 0; assume N % 128 == 0; assume K % 8 == 0; "
        "template BM = 128; template BN = 128; template BK = 8; template TM = 8; template TN = 8",
    },
}  # fmt: skip

HEAD = re.compile(
    r"(?:template\s*<[^{;]*?>\s*)?(?:static\s+|inline\s+|extern\s+\"C\"\s+|__forceinline__\s+)*"
    r"__(?:global|device)__[^;{}]*?\b(\w+)\s*\(([^;{}]*)\)\s*\{"
)


def functions(text: str) -> dict[str, str]:
    """Return the functions of the device in a source by their names."""
    found: dict[str, str] = {}
    for m in HEAD.finditer(text):
        end, depth = m.end(), 1
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found.setdefault(m.group(1), text[m.start() : end])
    return found


def written(repositories: Path, folder: Path) -> Iterator[Path]:
    """Write a file for each kernel, with what it needs of its source above it."""
    folder.mkdir(parents=True, exist_ok=True)
    for place, kernels in KERNELS.items():
        source = repositories / place
        beside = sorted(source.parent.glob("*.h")) + sorted(source.parent.glob("*.cuh"))
        texts = [source.read_text(), *(p.read_text() for p in beside if p != source)]
        known = {k: v for text in reversed(texts) for k, v in functions(text).items()}
        macros = [m for text in texts for m in re.findall(r"^#define[^\n]*(?<!\\)$", text, re.M)]
        for name, notes in kernels.items():
            body, taken = known[name], dict[str, str]()
            left = [body]
            while left:
                for word in sorted({*re.findall(r"\w+", left.pop())} - {name, *taken}):
                    if word in known:
                        taken[word] = known[word]
                        left.append(known[word])
                    for m in macros:
                        if re.match(rf"#define\s+{word}\b", m) and word not in taken:
                            taken[word] = m
                            left.append(m)
            every = "\n".join([*taken.values(), body])
            head = [said for word, said in PRELUDE.items() if word in every]
            above = [f"// symcute: {note.strip()}" for note in notes.split(";")]
            path = folder / f"{place.partition('/')[0]}.{name}.cu"
            parts = [*head, *reversed(taken.values()), "", *above, body, ""]
            path.write_text("\n".join(parts), encoding="utf-8")
            yield path


def decided(path: Path, engine: Path) -> dict[str, Any]:
    """Return what an engine says of a file, and the seconds of the CPU that it took."""
    program = "from symcute.cli import main; main()"
    command = [sys.executable, "-c", program, "check", str(path.resolve()), "--json", "--no-cache",
               "--work", str(WORK), "--timeout", str(SECONDS), "--jobs", "1"]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": f"{engine}:{os.environ.get('PYTHONPATH', '')}"}

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=engine,
                          env=environment, preexec_fn=limited, text=True) as process:  # fmt: skip
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    verdicts: dict[str, str] = {}
    reasons: dict[str, str] = {}
    try:
        for kernel in json.loads(text)["kernels"]:
            verdicts |= kernel["verdicts"]
            reasons |= {f["property"]: f["reason"] for f in kernel["findings"]
                        if f["status"] == "unknown"}  # fmt: skip
    except ValueError:
        reasons = {"": text[-300:]}
    return {"kernel": path.stem, "verdicts": verdicts, "open": reasons,
            "cpu_s": round(used.ru_utime + used.ru_stime, 2)}  # fmt: skip


def table(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what two engines say, as Markdown."""
    then = {r["kernel"]: r for r in before}
    names = [r["kernel"] for r in now]
    yield from ("| engine | kernels | verdicts | decided | share | median CPU s | all CPU s |",
                "|---|---:|---:|---:|---:|---:|---:|")  # fmt: skip
    asked = {r["kernel"]: dict.fromkeys([*then[r["kernel"]]["verdicts"], *r["verdicts"]])
             for r in now}  # fmt: skip
    total = sum(map(len, asked.values()))
    for when, rows in (("before", then), ("now", {r["kernel"]: r for r in now})):
        known = sum(v != "unknown" for n in names for v in rows[n]["verdicts"].values())
        times = [rows[n]["cpu_s"] for n in names]
        yield (f"| {when} | {len(names)} | {total} | {known} | {100 * known / total:.1f} % | "
               f"{median(times):.2f} | {sum(times):.0f} |")  # fmt: skip
    yield from ("", "| kernel | CPU s before | now | verdicts | before, where it differs |",
                "|---|---:|---:|---|---|")  # fmt: skip
    for r in now:
        earlier = then[r["kernel"]]
        said = " ".join(f"{n}{MARKS[v]}" for n, v in r["verdicts"].items())
        differs = " ".join(
            f"{n}{MARKS.get(earlier['verdicts'].get(n, ''), '?')}" for n in asked[r["kernel"]]
            if earlier["verdicts"].get(n) != r["verdicts"].get(n)
        )  # fmt: skip
        yield (f"| {r['kernel']} | {earlier['cpu_s']:.2f} | {r['cpu_s']:.2f} | {said} | "
               f"{differs} |")  # fmt: skip


def main() -> None:
    """Write the kernels, ask an engine, or set two answers beside each other."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.noted", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("what", choices=["write", "check", "table"])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    first, second, *third = options.paths
    if options.what == "write":
        print(len(list(written(first, second))), "kernels")
    elif options.what == "check":
        with ThreadPoolExecutor(options.jobs) as threads:
            found = threads.map(lambda p: decided(p, second.resolve()), sorted(first.glob("*.cu")))
            rows = []
            for row in found:
                marks = "".join(MARKS[v] for v in row["verdicts"].values())
                print(row["kernel"], row["cpu_s"], marks, row["open"], flush=True)
                rows.append(row)
        third[0].write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    else:
        print("\n".join(table(*(json.loads(p.read_text()) for p in (first, second)))))


if __name__ == "__main__":
    main()
