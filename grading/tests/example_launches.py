"""Launches as the facts have them, each from the few words that a test is about."""

from collections.abc import Sequence
from typing import Any

from simtlab.facts.counters import LaunchTotals, RequestCounters
from simtlab.facts.model import Access, AccessKind, ArrayIdentity, Launch, Space
from tests.example_facts import counters


def access(
    variable: str,
    kind: AccessKind = "read",
    *,
    line: int = 1,
    space: Space = "global",
    given: bool = False,
    array: int = 0,
    derived_from: Sequence[str] = (),
    width: int = 4,
    requests: int = 1000,
    **figures: int,
) -> Access:
    """An access of whole warps; `figures` are counters per request: `sectors=4`."""
    values = {"lanes": 32, "bytes": 32 * width, "distinct_words": 32, **figures}
    return Access(
        file="kernel.cu",
        line=line,
        space=space,
        access=kind,
        variable=variable,
        array=ArrayIdentity(id=array, given=given),
        derived_from=list(derived_from),
        width=width,
        **counters(RequestCounters, requests=requests, **{name: requests * value for name, value in values.items()}),
    )


def argument(name: str, kind: AccessKind = "read", *, sectors: int = 4, **known: Any) -> Access:
    """An access to an argument of the entry."""
    return access(name, kind, given=True, array=sum(name.encode()), sectors=sectors, **known)


def shared(name: str, kind: AccessKind = "read", *, wavefronts: int = 1, **known: Any) -> Access:
    """An access to shared memory."""
    return access(name, kind, space="shared", wavefronts=wavefronts, **known)


def launch(kernel: str, *accesses: Access, **totals: int) -> Launch:
    """A launch of 8 blocks of 256 threads."""
    return Launch(
        kernel=kernel,
        grid=(8, 1, 1),
        block=(256, 1, 1),
        shared_bytes=1024 if any(one.space == "shared" for one in accesses) else 0,
        times=1,
        accesses=list(accesses),
        completed=True,
        **counters(LaunchTotals, **totals),
    )
