"""The requests that the emulator kept whole: which lane of which warp asked for which bytes, and what it cost."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

LANES = 32


@dataclass(frozen=True)
class Request:
    """One request of a warp."""

    line: int
    space: str
    access: str
    variable: str
    begin: int
    """The variable's first byte."""
    bytes: int
    """0: no variable is known."""
    width: int
    """Bytes per lane."""
    block: tuple[int, int, int]
    block_size: tuple[int, int, int]
    warp: int
    addresses: tuple[int | None, ...]
    """By lane; None where it is not active."""
    sectors: int
    wavefronts: int
    reasons: tuple[str, ...] = ()
    """Why it was kept: `most frequent`, `worst`, …"""

    @property
    def lanes(self) -> list[int]:
        """The active lanes."""
        return [lane for lane, address in enumerate(self.addresses) if address is not None]

    @property
    def asked(self) -> list[int]:
        """The addresses of the active lanes."""
        return [address for address in self.addresses if address is not None]

    def element(self, lane: int) -> int | None:
        """Which element of the variable the lane asks for; None where that is no whole one of a known variable."""
        address = self.addresses[lane]
        inside = address is not None and self.bytes and self.begin <= address < self.begin + self.bytes
        if address is None or not inside or (address - self.begin) % self.width:
            return None
        return (address - self.begin) // self.width

    def thread(self, lane: int) -> tuple[int, int, int]:
        """The thread that runs the lane."""
        x, y, _ = self.block_size
        linear = self.warp * LANES + lane
        return linear % x, linear // x % y, linear // (x * y)


def read_requests(text: str) -> list[Request]:
    """The requests in a runner's result.json, each once, in its order."""
    if not text:
        return []
    return list(dict.fromkeys(_requests(json.loads(text))))


def _requests(document: dict[str, object]) -> Iterator[Request]:
    measured = document.get("measured")
    for launch in measured["launches"] if isinstance(measured, dict) else []:
        if not launch["completed"]:
            continue
        for place in launch.get("examples", []):
            for one in place["examples"]:
                active = [bool(one["active"] >> lane & 1) for lane in range(LANES)]
                addresses = [at if on else None for at, on in zip(one["addresses"], active, strict=True)]
                yield Request(
                    place["line"], place["space"], place["access"], place["variable"], place["begin"], place["bytes"],
                    place["width"], tuple(one["block"]), tuple(launch["block"]), one["warp"], tuple(addresses),
                    one["sectors"], one["wavefronts"], tuple(one["reasons"]),
                )  # fmt: skip
