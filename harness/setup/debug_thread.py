"""Run by gdb: breakpoints hold to the CUDA thread that is debugged, and threadIdx and its kin print as three numbers.

All threads of a block are fibers of one host thread, so a plain breakpoint would stop in whichever comes first.
"""

from __future__ import annotations

import gdb

_COORDINATES = ("threadIdx", "blockIdx")
_AXES = ("x", "y", "z")


def _chosen() -> str:
    """The condition that the thread stopped in now fulfils, and no other."""
    terms = []
    for name in _COORDINATES:
        value = gdb.parse_and_eval(name)
        terms += [f"{name}.{axis} == {int(value[axis])}" for axis in _AXES]
    return "$all_threads || (" + " && ".join(terms) + ")"


class HoldBreakpoints(gdb.Command):
    """hold-breakpoints: from here on breakpoints stop in the present thread of the present block alone.
    `set $all_threads = 1` lets them stop in every thread, `set $all_threads = 0` in this one again.
    A condition of your own that names threadIdx or blockIdx is left as it is."""

    def __init__(self) -> None:
        super().__init__("hold-breakpoints", gdb.COMMAND_BREAKPOINTS)
        self._condition = ""

    def invoke(self, _argument: str, _from_tty: bool) -> None:
        """Called by gdb."""
        gdb.set_convenience_variable("all_threads", 0)
        first = not self._condition
        self._condition = _chosen()
        if first:
            gdb.events.breakpoint_created.connect(self._hold)

    def _hold(self, point: gdb.Breakpoint) -> None:
        if point.type != gdb.BP_BREAKPOINT or not point.is_valid():
            return
        own = point.condition or ""
        if any(name in own for name in _COORDINATES):
            return
        point.condition = f"({self._condition}) && ({own})" if own else self._condition


class CoordinatesPrinter:
    """`{x = 3, y = 2, z = 0}`, without the address that a reference has before it."""

    def __init__(self, value: gdb.Value) -> None:
        self._value = value

    def to_string(self) -> str:
        """Called by gdb."""
        return "{" + ", ".join(f"{axis} = {int(self._value[axis])}" for axis in _AXES) + "}"


def _printer_of(value: gdb.Value) -> CoordinatesPrinter | None:
    kind = value.type
    if kind.code == gdb.TYPE_CODE_REF and kind.target().unqualified().name == "simtlab::emulator::coordinates":
        return CoordinatesPrinter(value.referenced_value())
    return None


gdb.pretty_printers.append(_printer_of)
HoldBreakpoints()
