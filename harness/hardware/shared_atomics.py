"""What one atomic operation of a warp on shared memory costs, on the emulator and on a GPU: `python -m
hardware.shared_atomics` prints the table of docs/internals/hardware.md.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from hardware.emulation import emulate
from hardware.figures import SHARED_ATOMICS, Kind, Launch, read_measured

_ATOMIC = Kind("shared", "atomic")


@dataclass(frozen=True)
class Cost:
    """Wavefronts of one operation by one pattern of lanes, all rounds of a loop together."""

    operation: str
    pattern: str
    emulator: int
    gpu: dict[str, int]
    """By build."""

    def differs(self, build: str) -> bool:
        """Whether the emulator counts other than the GPU did."""
        return self.emulator != self.gpu[build]

    @property
    def shown(self) -> str:
        """With the GPU's figure where it is another: `1 / 32` with default flags, `1 / 32*` at O1 only."""
        if self.differs("default"):
            return f"{self.emulator} / {self.gpu['default']}"
        return f"{self.emulator} / {self.gpu['O1']}*" if self.differs("O1") else str(self.emulator)


def costs(emulated: dict[str, Launch]) -> list[Cost]:
    """Every launch of the program; raises ValueError where the emulator made others than were measured."""
    measured = {build: read_measured()[SHARED_ATOMICS, build] for build in ("O1", "default")}
    if any(list(one) != list(emulated) for one in measured.values()):
        message = f"{SHARED_ATOMICS}.cu makes other launches than were measured; measure it again"
        raise ValueError(message)
    found = []
    for name, launch in emulated.items():
        operation, pattern = name.split(", ", 1)
        gpu = {build: one[name][_ATOMIC].wavefronts for build, one in measured.items()}
        found.append(Cost(operation, pattern, launch[_ATOMIC].wavefronts, gpu))
    return found


def table(all_costs: list[Cost]) -> str:
    """Operations down, patterns of lanes across."""
    patterns = list(dict.fromkeys(one.pattern for one in all_costs))
    lines = [f"| operation | {' | '.join(patterns)} |", f"|---|{'---|' * len(patterns)}"]
    for operation in dict.fromkeys(one.operation for one in all_costs):
        cells = (one.shown for one in all_costs if one.operation == operation)
        lines.append(f"| {operation} | {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as own_folder:
        print(table(costs(emulate(SHARED_ATOMICS, Path(own_folder)))))
