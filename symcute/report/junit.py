"""A run as JUnit XML, which every CI reads: a suite for each file or kernel, a test for each case.

What is refuted fails; what is not decided, or could not be looked at, is an error, as nothing is
known of it. Only what was expected to be undecided is skipped.

Source: the form that the JUnit task of Apache Ant writes, as Jenkins, GitLab and GitHub's actions
read it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import PurePath
from xml.etree import ElementTree as ET

from symcute.report.cases import Case, Run, Trouble, remarks_text

__all__ = ["junit_text"]

#: What XML 1.0 has no way to say.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_text(run: Run) -> str:
    """Return the document.

    Post-conditions: it has a failure or an error if and only if a case is not good or something
    could not be looked at.

    >>> from symcute.report.cases import failure
    >>> run = Run("check", "property", "", (), (failure("no launch", subject="saxpy"),), {})
    >>> print(junit_text(run), end="")
    <?xml version="1.0" encoding="utf-8"?>
    <testsuites name="symcute check" tests="1" failures="0" errors="1" skipped="0" time="0.000">
      <testsuite name="not checked" tests="1" failures="0" errors="1" skipped="0" time="0.000">
        <testcase classname="symcute.check" name="saxpy">
          <error type="error" message="no launch" />
        </testcase>
      </testsuite>
    </testsuites>
    """
    root = ET.Element("testsuites", name=f"symcute {run.command}")
    # Theorems of a file and properties of a kernel stand together.
    for group, cases in groupby(run.cases, key=lambda case: case.group):
        suite = ET.SubElement(root, "testsuite", name=_clean(group))
        suite.extend(map(_case, cases))
        _count(suite, [suite], run.seconds.get(group, 0.0))
    if run.errors:
        suite = ET.SubElement(root, "testsuite", name="not checked")
        suite.extend(_not_checked(run.command, t) for t in run.errors)
        _count(suite, [suite], 0.0)
    _count(root, list(root), sum(run.seconds.values()))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _count(element: ET.Element, suites: Sequence[ET.Element], seconds: float) -> None:
    found = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    for name, tag in found.items():
        element.set(name, str(sum(1 for suite in suites for _ in suite.iter(tag))))
    element.set("time", f"{seconds:.3f}")


def _not_checked(command: str, t: Trouble) -> ET.Element:
    case = ET.Element(
        "testcase", classname=f"symcute.{command}", name=_clean(t.subject) or "the run"
    )
    if t.file:
        case.set("file", _clean(t.file))
        case.set("line", str(t.line))
    ET.SubElement(case, "error", type="error", message=_clean(t.text))
    return case


def _case(case: Case) -> ET.Element:
    element = ET.Element(
        "testcase",
        classname=_clean(_dotted(case.group)),
        name=_clean(case.name),
        file=_clean(case.file),
        line=str(case.line),
    )
    if case.seconds is not None:
        element.set("time", f"{case.seconds:.3f}")
    about = {"says": case.says, "status": case.status, "expected": case.expected}
    about |= {"how": case.how, "rests on": ", ".join(case.rests_on)}
    properties = ET.SubElement(element, "properties")
    for name, value in about.items():
        if value:
            ET.SubElement(properties, "property", name=name, value=_clean(value))
    outcome = _outcome(case)
    if outcome is not None:
        element.append(outcome)
    return element


def _outcome(case: Case) -> ET.Element | None:
    """Return what stands in a test that does not pass."""
    skipped = {"unknown": "not decided, as expected", "not applicable": "not applicable"}
    if case.good and case.status in skipped:
        return ET.Element("skipped", message=_clean(f"{skipped[case.status]}: {case.how}"))
    if case.good:
        return None
    tag = "error" if case.status in ("unknown", "error") else "failure"
    found = ET.Element(tag, type=case.status, message=_clean(_message(case.troubles[0])))
    # A line for each place, as compilers write it, and what there is to know of it below.
    found.text = _clean(
        "\n\n".join(
            "\n".join([f"{t.file}:{t.line}:{t.column}: {t.text}", remarks_text(t.remarks), *t.call])
            for t in case.troubles
        )
    )
    return found


def _message(t: Trouble) -> str:
    """Return the line that CI shows first: the counterexample or the reason, where there is one."""
    why = next(
        (text for name, text in t.remarks if name in ("counterexample", "not decided", "because")),
        "",
    )
    return f"{t.status}: {why or t.text}"


def _dotted(group: str) -> str:
    """Return a group as the class of tests that CI shows: folders are its packages.

    >>> _dotted("proofs/rows.py"), _dotted("./src/saxpy.cu::saxpy")
    ('proofs.rows', 'src.saxpy.saxpy')
    """
    file, _, kernel = group.partition("::")
    parts = [part for part in PurePath(file).with_suffix("").parts if part not in ("/", "..")]
    return ".".join([*parts, *([kernel] if kernel else [])])


def _clean(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
