"""A dask cluster as a crew. The one file that names dask.distributed."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from symcute.errors import InputError, missing
from symcute.run.workers import GivenCrew

__all__ = ["dask_crew"]

#: Seconds in which the scheduler has to answer, and to have a worker.
CONNECT_LIMIT_S = 10.0
#: Seconds after which a scheduler that is not connected is given up; a busy one may lose touch.
LOST_AFTER_S = 10.0

_ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://.+:\d+\Z")


@contextmanager
def dask_crew(address: str, limit: float = CONNECT_LIMIT_S) -> Iterator[GivenCrew]:
    """Connect to the scheduler at `tcp://host:port`; its workers are the crew.

    Errors: InputError for another address, when dask.distributed is not installed, and when no
    scheduler answers there within the limit, or has no worker.
    """
    if not _ADDRESS.match(address):
        raise InputError(
            f"{address!r} is no address of a dask scheduler", "write it as tcp://host:8786"
        )
    try:
        import distributed
    except ImportError as error:
        raise missing("distributed", "--executor") or error from None
    # Its log tells of every lost connection with a traceback; the crew tells what matters.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    try:
        connected: Any = distributed.Client  # which has no types
        client = connected(address, timeout=limit, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"no dask scheduler answers at {address} within {limit:g} s ({_why(error)})",
            "start one with: dask scheduler",
        ) from None
    try:
        _await_worker(client, address, limit)
        yield _DaskCrew(client)
    finally:
        client.close(timeout=2)


def _await_worker(client: Any, address: str, limit: float) -> None:
    try:
        client.wait_for_workers(1, timeout=limit)
    except TimeoutError:
        raise InputError(
            f"the dask scheduler at {address} has no worker", f"start one: dask worker {address}"
        ) from None


class _DaskCrew(GivenCrew):
    """The workers of a scheduler; a scheduler that is gone is noticed while one waits."""

    def __init__(self, client: Any) -> None:
        # Two tasks are never one, though they may look alike.
        executor: Executor = client.get_executor(pure=False)
        super().__init__(executor)
        self._client = client
        self._seen = time.monotonic()

    def trouble(self) -> str:
        """Say that the scheduler is gone, when it is."""
        status = self._client.status
        if status in ("running", "newly-created"):
            self._seen = time.monotonic()
        elif status == "closed" or time.monotonic() - self._seen > LOST_AFTER_S:
            return f"the dask scheduler is gone (the client is {status})"
        return ""


def _why(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
