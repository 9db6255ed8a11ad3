"""What the counters should show for a pattern."""

from __future__ import annotations

from gpu.memory.patterns import Pattern
from symcute.hardware import bank_conflicts, ldmatrix_wavefronts, sectors, shared_wavefronts

__all__ = ["ARCHITECTURE", "METRICS", "predicted"]

#: What the predictions are for, unless said otherwise.
ARCHITECTURE = "sm90"

#: The counter of each number that is predicted, by the kind of the request.
METRICS = {
    "shared load": {
        "instructions": "smsp__inst_executed_op_shared_ld.sum",
        "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    },
    "shared store": {
        "instructions": "smsp__inst_executed_op_shared_st.sum",
        "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    },
    "matrix load": {
        "instructions": "smsp__inst_executed_op_ldsm.sum",
        "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    },
    "matrix store": {
        "instructions": "smsp__inst_executed_op_shared_stsm.sum",
        "wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
        "conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    },
    "global load": {
        "requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
        "sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    },
    "global store": {
        "requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
        "sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    },
}
METRICS["matrix load trans"] = METRICS["matrix load"]


def predicted(pattern: Pattern, architecture: str = ARCHITECTURE) -> dict[str, int]:
    """Return what each counter of `METRICS` should show: the sum over all requests.

    >>> from gpu.memory.patterns import by_name
    >>> predicted(by_name("lds.32 stride 32"))
    {'instructions': 1, 'wavefronts': 32, 'conflicts': 31}
    """
    total = dict.fromkeys(METRICS[pattern.kind], 0)
    for lanes in pattern.every():
        for name, value in _request(pattern, lanes, architecture).items():
            total[name] += value
    return total


def _request(pattern: Pattern, lanes: tuple[int | None, ...], architecture: str) -> dict[str, int]:
    if pattern.matrices:
        wavefronts = ldmatrix_wavefronts(lanes, architecture)
        conflicts = wavefronts - pattern.matrices
        return {"instructions": 1, "wavefronts": wavefronts, "conflicts": conflicts}
    if "global" in pattern.kind:
        return {"requests": 1, "sectors": sectors(lanes, pattern.width, architecture)}
    store = pattern.kind == "shared store"
    return {
        "instructions": 1,
        "wavefronts": shared_wavefronts(lanes, pattern.width, architecture, store=store),
        "conflicts": bank_conflicts(lanes, pattern.width, architecture, store=store),
    }
