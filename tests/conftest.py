"""What `--full` adds; and the files that take longest first, so that no worker waits at the end."""

from __future__ import annotations

import gc
from collections.abc import Generator
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
    "access/test_llvm.py",
    "access/test_contracts_judged.py",
    "triton/test_guard.py",
    "triton/test_mutants.py",
    "access/test_roads.py",
    "access/test_mbarriers.py",
    "access/test_waits_that_end.py",
    "access/test_executions.py",
    "access/test_contracts.py",
    "access/test_verdicts.py",
    "laws/test_inverse.py",
    "e2e/test_packaging.py",
    "access/test_contracts_mutated.py",
    "access/test_late_copies.py",
    "access/test_drawn_hosts.py",
    "access/test_requests.py",
    "access/test_triton_constants.py",
    "triton/test_verdicts.py",
    "laws/test_points.py",
    "laws/test_parts.py",
    "access/test_triton_programs.py",
    "access/test_hanging.py",
    "access/test_ground_truth.py",
    "unit/test_tiers.py",
    "triton/test_truth.py",
    "access/test_renamed.py",
    "oracle/test_cutedsl_accesses.py",
    "access/test_drawn_loops.py",
    "oracle/test_cutedsl_stages.py",
    "laws/test_pairs.py",
    "access/test_triton_guessed.py",
    "oracle/test_atoms.py",
    "oracle/test_cutedsl_ordering.py",
    "access/test_certificates.py",
    "laws/test_arithmetic.py",
    "browser/test_playground.py",
    "soak/test_soak.py",
    "browser/test_report.py",
    "access/test_properties_brute.py",
    "access/test_inductor.py",
    "unit/test_classes.py",
    "access/test_snippets.py",
    "access/test_triton_launches.py",
    "access/test_sunk.py",
    "oracle/test_symbolic.py",
    "access/test_agents.py",
    "checker/test_mutations.py",
    "laws/test_bits.py",
    "laws/test_extremes.py",
    "e2e/test_docs.py",
    "access/test_proved_kernels.py",
    "e2e/test_cluster.py",
    "checker/test_random.py",
    "e2e/test_proofs.py",
    "laws/test_named.py",
    "access/test_python.py",
    "oracle/test_cpp.py",
    "e2e/test_lsp.py",
    "laws/test_joined.py",
    "access/test_torch.py",
    "access/test_remainders.py",
    "unit/test_solvers.py",
    "access/test_wrapping_loops.py",
    "e2e/test_check.py",
    "access/test_unsigned_equal.py",
    "e2e/test_roads.py",
    "access/test_completing.py",
    "unit/test_evidence.py",
    "access/test_precompiled.py",
    "oracle/test_dsl.py",
    "e2e/test_explore.py",
    "access/test_triton.py",
    "laws/test_steps.py",
    "access/test_python_verdicts.py",
    "e2e/test_verify.py",
    "e2e/test_command_line.py",
    "unit/test_cutedsl_loops.py",
    "laws/test_one_road.py",
    "access/test_matrices.py",
    "laws/test_fuzz.py",
    "access/test_host.py",
    "oracle/test_pasted.py",
    "checker/test_recheck.py",
    "access/test_packed.py",
    "laws/test_digits.py",
    "triton/test_pairs.py",
    "access/test_missing_headers.py",
    "oracle/test_swizzled.py",
    "e2e/test_types.py",
    "e2e/test_check_cute.py",
    "unit/test_big_claims.py",
    "oracle/test_cutedsl_pieces.py",
    "access/test_triton_helped.py",
    "laws/test_corpus.py",
    "laws/test_contracts.py",
    "access/test_made_up.py",
    "access/test_ptx.py",
    "checker/test_every_claim.py",
    "unit/test_canonical.py",
    "access/test_host_sites.py",
    "access/test_adversary.py",
    "access/test_budget.py",
    "text/test_refused_text.py",
    "oracle/test_exchange.py",
    "laws/test_places.py",
    "unit/test_leaf.py",
    "unit/test_running.py",
    "unit/test_codegen.py",
    "unit/test_light.py",
    "laws/test_library.py",
    "e2e/test_gpu.py",
    "oracle/test_cutedsl_tiles.py",
    "oracle/test_cuda_types.py",
    "access/test_cub.py",
    "access/test_verify.py",
    "access/test_walk_soundness.py",
    "e2e/test_empty_programs.py",
    "access/test_cuda_reading.py",
    "unit/test_kernel_cache.py",
    "unit/test_limits.py",
    "e2e/test_pytest_plugin.py",
    "e2e/test_schemas.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run every test, and ask the oracles")
    parser.addoption("--long", action="store_true", help="as --full, and all that is drawn from")
    parser.addoption("--record", action="store_true", help="write down what the oracles answer")


def pytest_configure(config: pytest.Config) -> None:
    ask(**{name: config.getoption(f"--{name}") for name in ("full", "long", "record")})
    gc.disable()  # what collection makes stays, see below
    # With --dist loadfile xdist begins with the files of the most tests, unless told not to.
    config.option.loadscopereorder = False


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.File], list[pytest.File]]:
    """Look for examples in docstrings of the package alone: tests have none."""
    return [file for file in (yield) if type(file) is pytest.Module]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--full") and not config.getoption("--long"):
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
    gc.enable()
