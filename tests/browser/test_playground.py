"""The playground of the site: symcute in a browser, from a disk, without a network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: Any) -> Path:
    """The playground as the site has it."""
    sys.path.insert(0, str(ROOT))
    from tools.playground import playground

    made: Path = tmp_path_factory.mktemp("playground")
    for name, text in playground().items():
        (made / name).write_text(text, encoding="utf-8")
    return made


@pytest.fixture
def opened(page: Any, folder: Path) -> Any:
    """The page when Python is there; what it cannot load it would have complained of."""
    page.goto((folder / "index.html").as_uri())
    page.locator("#loading progress").wait_for()
    page.locator("body[data-ready]").wait_for(timeout=120_000)
    return page


def see(locator: Any) -> Any:
    """What the page comes to show, however slow this machine is just now."""
    from playwright.sync_api import expect

    expect.set_options(timeout=120_000)
    return expect(locator, "what the page comes to show")


def test_a_claim_is_refuted_mended_proved_and_checked(opened: Any) -> None:
    page = opened
    see(page.locator("h1")).to_have_text("(4,8):(9,1)")
    see(page.locator("#loading")).to_be_hidden()
    page.click("#prove")
    see(page.locator("#verdict")).to_contain_text("LD=1, M=2, N=2")
    see(page.locator("#verdict td.mark")).to_have_count(2)
    page.get_by_role("button", name="assume it").click(timeout=120_000)
    checked = page.locator("#verdict .check")
    see(checked).to_contain_text("The certificate was checked again in this page")
    see(checked).to_contain_text("for all integers LD >= 1, M >= 1, N >= 1 with LD >= N")


def test_layouts_in_other_peoples_forms_and_no_solver(opened: Any) -> None:
    page = opened
    page.fill("#layout", "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)")
    see(page.locator("h1")).to_have_text("Sw<3,3,3> o 0 o (8,64):(64,1)")
    see(page.locator("#remarks")).to_contain_text("in elements of 16 bits")
    page.select_option("#bits", "16")
    page.check("#view-chunks")
    see(page.locator("#note")).to_contain_text("16-byte chunks of 8 elements")
    page.fill("#layout", "M*N")
    page.fill("#claim", "M*M != 2*N*N")
    page.keyboard.press("Enter")
    see(page.locator("#verdict")).to_contain_text("no solver here")
    page.fill("#layout", "SM80_16x8x16_F32F16F16F32_TN")
    see(page.locator("#instruction svg")).to_be_visible(timeout=30_000)


def test_what_takes_long_is_stopped_and_python_starts_again(opened: Any) -> None:
    page = opened
    page.fill("#claim", "M*M*M + N*N*N + P*P*P != Q*Q*Q*3 + 5*M*N*P + 100")
    # In one turn of the page: whatever else this machine does, nothing is decided in between.
    page.evaluate("() => { $('claims').requestSubmit(); $('stop').click(); }")
    see(page.locator("#verdict")).to_contain_text("Stopped")
    # What is asked while Python starts is answered when it is there.
    page.fill("#layout", "(3,5):(5,1)")
    see(page.locator("h1")).to_have_text("(3,5):(5,1)")
    page.select_option("#example", label="what CuTe prints, pasted")
    see(page.locator("#verdict .check b")).to_have_text("checked")
