"""Which launches of a program have the GPU's ratios on the emulator."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.figures import Launch

TOLERANCE = 0.01


@dataclass(frozen=True)
class Difference:
    """A ratio that is not the GPU's."""

    launch: str
    ratio: str
    """As `global read: sectors per request`."""
    emulator: float | None
    """None: the emulator saw no such access."""
    gpu: float | None
    """None: the compiler left no such instruction."""


@dataclass(frozen=True)
class Comparison:
    """One program against one build of it."""

    launches: int
    differences: list[Difference]

    @property
    def exceptions(self) -> list[str]:
        """Launches with a difference, in their order."""
        return list(dict.fromkeys(one.launch for one in self.differences))

    @property
    def share(self) -> float:
        """Of launches without one."""
        return 1 - len(self.exceptions) / self.launches


def _ratios(launch: Launch) -> dict[str, float]:
    return {
        f"{kind.space} {kind.access}: {name} per request": value
        for kind, figures in launch.items()
        for name, value in figures.ratios().items()
    }


def compare(emulator: dict[str, Launch], gpu: dict[str, Launch]) -> Comparison:
    """Every ratio of every launch; both must have made the same launches."""
    if list(emulator) != list(gpu):
        odd = sorted(emulator.keys() ^ gpu.keys())
        message = f"the program's launches are not those that were measured: {odd or 'another order'}; measure again"
        raise ValueError(message)
    differences = []
    for name, launch in emulator.items():
        ours, theirs = _ratios(launch), _ratios(gpu[name])
        for ratio in sorted(ours.keys() | theirs.keys()):
            mine, its = ours.get(ratio), theirs.get(ratio)
            if mine is None or its is None or abs(mine - its) > TOLERANCE * its:
                differences.append(Difference(name, ratio, mine, its))
    return Comparison(len(emulator), differences)
