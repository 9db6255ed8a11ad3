"""What `--full` adds; and the files that take longest first, so that no worker waits at the end."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from tests.full import ask

#: Programs that are read as text, and what needs Triton or NVIDIA's DSL: no modules of tests.
collect_ignore = [
    "access/launches",
    "oracle/cutedsl",
    "triton/kernels",
    "triton/judge",
    "triton/launches",
    "triton/inductor",
    "triton/device_guard.py",
]

#: Files of more than five seconds, the longest first: by what they take with `--full`, where the
#: order counts most; what is long without it comes early too.
LONGEST = (
    "access/test_cute_tutorials.py",
    "access/test_verdicts.py",
    "access/test_roads.py",
    "access/test_executions.py",
    "laws/test_arithmetic.py",
    "access/test_renamed.py",
    "access/test_ground_truth.py",
    "unit/test_tiers.py",
    "oracle/test_atoms.py",
    "oracle/test_cpp.py",
    "triton/test_truth.py",
    "triton/test_verdicts.py",
    "access/test_python.py",
    "access/test_python_verdicts.py",
    "access/test_contracts_judged.py",
    "access/test_contracts.py",
    "access/test_adversary.py",
    "access/test_proved_kernels.py",
    "browser/test_playground.py",
    "browser/test_report.py",
    "access/test_properties_brute.py",
    "soak/test_soak.py",
    "oracle/test_symbolic.py",
    "e2e/test_verify.py",
    "e2e/test_proofs.py",
    "checker/test_mutations.py",
    "laws/test_fuzz.py",
    "e2e/test_gpu.py",
    "laws/test_corpus.py",
    "checker/test_random.py",
    "e2e/test_cluster.py",
    "checker/test_every_claim.py",
    "e2e/test_docs.py",
    "oracle/test_dsl.py",
    "oracle/test_swizzled.py",
    "checker/test_recheck.py",
    "checker/test_hostile.py",
    "oracle/test_cutedsl.py",
    "access/test_triton.py",
    "access/test_host_sites.py",
    "access/test_ptx.py",
    "unit/test_light.py",
    "unit/test_evidence.py",
    "unit/test_big_claims.py",
    "access/test_budget.py",
    "e2e/test_check.py",
    "e2e/test_prove.py",
    "laws/test_library.py",
    "e2e/test_batch.py",
    "laws/test_contracts.py",
    "access/test_requests.py",
    "laws/test_modes_laws.py",
    "access/test_before_launch.py",
    "unit/test_codegen.py",
    "e2e/test_command_line.py",
    "access/test_properties_kernels.py",
    "access/test_wrapping_loops.py",
    "unit/test_solvers.py",
    "text/test_grammar.py",
    "unit/test_running.py",
    "access/test_cuda_reading.py",
    "e2e/test_guard_evidence.py",
    "e2e/test_memory.py",
    "access/test_device.py",
    "access/test_torch.py",
    "access/test_host.py",
    "access/test_missing_headers.py",
    "access/test_walk_soundness.py",
    "access/test_verify.py",
    "e2e/test_types.py",
    "e2e/test_lsp.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run every test, and at length")
    parser.addoption("--record", action="store_true", help="write down what the oracles answer")


def pytest_configure(config: pytest.Config) -> None:
    ask(**{name: config.getoption(f"--{name}") for name in ("full", "record")})
    # With --dist loadfile xdist begins with the files of the most tests, unless told not to.
    config.option.loadscopereorder = False


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--full"):
        left_out = [item for item in items if item.get_closest_marker("full")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("full")]
    folder = Path(__file__).parent
    places = {folder / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


def pytest_collection_finish() -> None:
    """Keep the garbage collector from looking through what stays to the end, time and again."""
    gc.collect()
    gc.freeze()
