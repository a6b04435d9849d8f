"""What an H100's texture unit answered, beside the emulator's answers.

`python -m hardware.textures [FILE]` prints how many values of each kind of fetch are equal in every bit. FILE is what
solutions/emulator/hardware/textures.cu printed on a GPU.
"""

from __future__ import annotations

import struct
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hardware.emulation import run_program
from hardware.figures import TABLES

MEASURED = TABLES / "textures-h100.csv"
COLUMNS = "setting,x,y,z,value"


@dataclass(frozen=True)
class Fetch:
    """One fetch and its value, as bits of floats."""

    setting: str
    """As `2d-float-wrap-linear-normalised`: dimensions, texels, address mode, filter, coordinates."""
    coordinates: tuple[str, ...]
    value: int

    @property
    def kind(self) -> str:
        """Dimensions, texels and filter: `2d-float-linear`."""
        dimensions, texels, _, of_filter, _ = self.setting.split("-")
        return f"{dimensions}-{texels}-{of_filter}"


@dataclass
class Agreement:
    """The fetches of one kind."""

    fetches: int = 0
    equal: int = 0
    largest: float = 0
    """Of the differences."""


def read_fetches(said: str) -> list[Fetch]:
    """The rows that the program printed; raises ValueError for what is no such table."""
    lines = [line for line in said.splitlines() if not line.startswith("#")]
    if not lines or lines[0] != COLUMNS:
        message = f"the table's first line is {lines[0] if lines else 'missing'!r}, expected {COLUMNS!r}"
        raise ValueError(message)
    fetches = []
    for line in lines[1:]:
        setting, *numbers = line.split(",")
        if len(numbers) != 4 or setting.count("-") != 4:
            message = f"{line!r} is no fetch: {COLUMNS} are expected"
            raise ValueError(message)
        fetches.append(Fetch(setting, tuple(numbers[:3]), int(numbers[3], 16)))
    return fetches


def emulate(fetches_of_a_setting: int, folder: Path) -> list[Fetch]:
    """The same program on the emulator; raises RuntimeError with what was said when it fails."""
    return read_fetches(run_program("textures", folder, str(fetches_of_a_setting)))


def compare(emulated: list[Fetch], measured: list[Fetch]) -> dict[str, Agreement]:
    """By kind, in the table's order; raises ValueError where the fetches are not the same ones."""
    found: dict[str, Agreement] = {}
    for ours, its in zip(emulated, measured, strict=True):
        if (ours.setting, ours.coordinates) != (its.setting, its.coordinates):
            message = f"fetches differ: {ours.setting} {ours.coordinates} and {its.setting} {its.coordinates}"
            raise ValueError(message)
        one = found.setdefault(ours.kind, Agreement())
        one.fetches += 1
        apart = abs(_float_of(ours.value) - _float_of(its.value))
        one.equal += apart == 0
        one.largest = max(one.largest, apart)
    return found


def table(found: dict[str, Agreement]) -> str:
    """The agreement as Markdown."""
    lines = ["| fetches | compared | equal in every bit | largest difference |", "|---|---|---|---|"]
    for kind, one in found.items():
        share = f"{one.equal} ({one.equal / one.fetches:.1%})"
        lines.append(f"| {kind.replace('-', ' ')} | {one.fetches} | {share} | {one.largest:.2g} |")
    return "\n".join(lines)


def _float_of(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


def main(words: list[str]) -> None:
    """The command."""
    file = Path(words[0]) if words else MEASURED
    measured = read_fetches(file.read_text(encoding="utf-8"))
    settings = len({one.setting for one in measured})
    with tempfile.TemporaryDirectory() as folder:
        emulated = emulate(len(measured) // settings, Path(folder))
    print(table(compare(emulated, measured)))


if __name__ == "__main__":
    main(sys.argv[1:])
