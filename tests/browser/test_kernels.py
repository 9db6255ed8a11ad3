"""The page of `symcute check` in a browser: searched, opened by links, read by anybody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from symcute.cli import main

pytestmark = pytest.mark.full

SOURCE = """\
#include <cstdlib>
__global__ void too_far(int n, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = 0;
}
__global__ void fine(int n, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0;
}
__global__ void alone(float *x) { x[threadIdx.x] = 1; }
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *y;
  cudaMalloc(&y, n * sizeof(float));
  too_far<<<(n + 255) / 256, 256>>>(n, y);
  fine<<<(n + 255) / 256, 256>>>(n, y);
}
"""
SHOWN = "[...document.querySelectorAll('.entry:not([hidden]) .name')].map((e) => e.textContent)"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kernels")
    (folder / "k.cu").write_text(SOURCE)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as stop:
        patch.chdir(folder)
        main(["check", "k.cu", "--html", "k.html", "--no-cache", "--jobs", "1"])
    assert stop.value.code == 1
    return folder / "k.html"


@pytest.fixture
def opened(page: Any, report: Path) -> Any:
    page.goto(report.as_uri())
    return page


def test_worst_first_and_counted(opened: Any) -> None:
    assert opened.evaluate(SHOWN) == ["too_far", "alone", "fine"]
    assert opened.locator("h1").inner_text() == "3 kernels: 1 refuted, 1 conditional, 1 proved"


def test_a_tile_leaves_the_kernels_it_counts(opened: Any) -> None:
    opened.locator(".tile.conditional").click()
    opened.wait_for_function(f"{SHOWN}.length === 1")
    assert opened.evaluate(SHOWN) == ["alone"]
    opened.locator("#reset").click()
    opened.locator("#words").fill("too_far")
    assert opened.evaluate(SHOWN) == ["too_far"]


def test_a_card_opens_its_kernel_at_the_marked_place(opened: Any) -> None:
    opened.locator(".card a").first.click()
    mark = opened.locator("mark").first
    mark.wait_for()
    assert mark.inner_text() == "y"
    assert "block 0 thread" in opened.locator(".part .counter").first.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Any, scheme: str) -> None:
    opened.emulate_media(color_scheme=scheme)
    opened.locator("#open").click()
    opened.locator("mark").first.wait_for()
    assert Axe().run(opened).response["violations"] == []


def test_nothing_is_wider_than_a_telephone(opened: Any) -> None:
    opened.set_viewport_size({"width": 360, "height": 740})
    opened.locator("#open").click()
    opened.locator("mark").first.wait_for()
    assert opened.evaluate("document.documentElement.scrollWidth") <= 360
