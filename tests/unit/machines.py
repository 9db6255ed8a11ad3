"""Machines that misbehave, for the run in a process of its own."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection
from typing import Any

from symcute.errors import SymcuteError
from symcute.evidence import Options, Subject, gather, isolated
from symcute.evidence.backends import HostBackend, MachineFailed


def _send(out: Connection, subjects: list[Subject], options: Options, trouble: Any) -> None:
    backend = HostBackend()
    out.send(("backend", backend.describe()))

    def started(subject: Subject) -> None:
        out.send(("started", subject))
        if subject.theorem == "trouble":
            trouble()

    gather(
        subjects, backend, options, started=started, done=lambda i: out.send(("item", i.to_json()))
    )
    out.send(("end", None))


def hangs(out: Connection, subjects: list[Subject], kind: str, options: Options) -> None:
    """Hang at the theorem "trouble"."""
    _send(out, subjects, options, lambda: time.sleep(600))


def dies(out: Connection, subjects: list[Subject], kind: str, options: Options) -> None:
    """Die at the theorem "trouble", as a process does whose memory ran out."""
    _send(out, subjects, options, lambda: os._exit(137))


def device_fails(out: Connection, subjects: list[Subject], kind: str, options: Options) -> None:
    """Fail as a device does at an illegal address, at the theorem "trouble"."""
    isolated.make_backend = lambda _: Broken(any(s.theorem == "trouble" for s in subjects))
    isolated._work(out, subjects, kind, options)


class Broken(HostBackend):
    """Fails at the second claim, when there is trouble to come."""

    def __init__(self, trouble: bool) -> None:
        super().__init__()
        self.trouble = trouble

    def upload(self, values: Any) -> Any:
        """Fail at the five offsets of "trouble"."""
        if self.trouble and len(values) == 5:
            raise MachineFailed("an illegal address", "")
        return super().upload(values)


def never_starts(out: Connection, subjects: list[Subject], kind: str, options: Options) -> None:
    """Die before anything was said."""
    os._exit(3)


def has_no_device(out: Connection, subjects: list[Subject], kind: str, options: Options) -> None:
    """Refuse in words."""
    error = SymcuteError("the driver is too old", "install a newer one")
    out.send(("error", (error.what, error.fix)))
