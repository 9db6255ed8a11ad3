"""What the notes of our Triton kernels say is true of them is what executions show, just that.

They are executed by Triton's interpreter. A fault that is said is shown by one of
them; a kernel of which none is said shows none in any.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from .cases import PROPERTIES, Case, cases
from .executions import answers, named, runs, shown


def contradictions(case: Case) -> list[str]:
    """Where notes and executions differ."""
    found = shown(case, answers(again=True))
    said = {name for name, yes in case.truth.items() if not yes}
    return [f"{case.label}: {name} {found[name]}" for name in sorted(found.keys() - said)] + [
        f"{case.label}: no execution shows that {name} is untrue"
        for name in sorted(said - found.keys())
    ]


@pytest.mark.parametrize("case", cases(), ids=lambda c: c.label)
def test_notes_and_executions_agree(case: Case) -> None:
    assert not contradictions(case)


def test_there_are_kernels_of_all_kinds() -> None:
    untrue = Counter(name for c in cases() for name, yes in c.truth.items() if not yes)
    true = Counter(name for c in cases() for name, yes in c.truth.items() if yes)
    assert len(cases()) >= 180
    right = [c for c in cases() if all(c.truth.values())]
    assert len(right) >= 85 and len(cases()) - len(right) >= 85
    least = {"in_bounds": 30, "covers": 15, "write_race_free": 20, "read_write_race_free": 8,
             "no_overflow": 7, "aligned": 2, "implements": 3, "promises_kept": 12}  # fmt: skip
    assert not {k: untrue[k] for k, n in least.items() if untrue[k] < n}
    assert not {
        k: true[k] for k in (*PROPERTIES, "covers", "implements", "promises_kept") if true[k] < 4
    }


def test_executions_do_something() -> None:
    for case in cases():
        made = [answers(again=True)[named(case, run)] for run in runs(case)]
        assert sum(a["accesses"] > 0 for a in made) >= min(4, len(made)), case.label
        if {"covers", "implements"} & case.truth.keys():
            assert sum(a["whole"] for a in made) >= min(3, len(made)), case.label


def test_a_wrong_note_is_seen() -> None:
    good = next(c for c in cases() if c.name == "add")
    bad = next(c for c in cases() if c.name == "copy_without_mask")
    assert contradictions(replace(bad, truth=good.truth))
    assert contradictions(replace(good, truth=bad.truth)) == [
        "elementwise.add: no execution shows that covers is untrue",
        "elementwise.add: no execution shows that in_bounds is untrue",
    ]
