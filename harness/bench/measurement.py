"""What a benchmark program prints, and how several runs of it become one row."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from statistics import median


class BadLineError(Exception):
    """A benchmark printed something that is not a measurement."""


@dataclass(frozen=True)
class Measurement:
    """One line of a benchmark's output: {"name", "value", "unit", "peer", "ratio"}."""

    name: str
    value: float
    unit: str
    peer: str | None = None
    """What it is compared with, in words; null when there is nothing to compare with."""
    ratio: float | None = None
    """Our value over the peer's, both taken in the same run; null exactly when `peer` is."""


@dataclass(frozen=True)
class Row:
    """The medians of one benchmark over its repetitions."""

    name: str
    value: float
    unit: str
    peer: str | None
    ratio: float | None
    repetitions: int
    lowest: float
    highest: float
    command: str

    def as_json(self) -> dict[str, object]:
        """The row of build/bench.json."""
        return asdict(self)


def read_measurement(line: str) -> Measurement:
    """One JSON line. Raises BadLineError naming the member that is wrong."""
    try:
        content = json.loads(line)
    except json.JSONDecodeError as problem:
        raise BadLineError(f"not JSON: {line!r}") from problem
    if not isinstance(content, dict) or set(content) != {"name", "value", "unit", "peer", "ratio"}:
        raise BadLineError(f"must have exactly name, value, unit, peer and ratio: {line!r}")
    for member in ("name", "unit"):
        if not isinstance(content[member], str) or not content[member]:
            raise BadLineError(f"{member} must be a text: {line!r}")
    if not _is_number(content["value"]):
        raise BadLineError(f"value must be a finite number: {line!r}")
    without_peer = content["peer"] is None and content["ratio"] is None
    if not without_peer and not (isinstance(content["peer"], str) and _is_number(content["ratio"])):
        raise BadLineError(f"peer and ratio must be a text and a number, or both null: {line!r}")
    return Measurement(**content)


def to_rows(runs: Iterable[Iterable[Measurement]], command: str) -> list[Row]:
    """One row per name, in the order of first appearance; `runs` are the repetitions of one program."""
    by_name: dict[str, list[Measurement]] = {}
    for run in runs:
        for measurement in run:
            by_name.setdefault(measurement.name, []).append(measurement)
    rows: list[Row] = []
    for name, measurements in by_name.items():
        values = [m.value for m in measurements]
        ratios = [m.ratio for m in measurements if m.ratio is not None]
        first = measurements[0]
        if any((m.unit, m.peer) != (first.unit, first.peer) for m in measurements):
            raise BadLineError(f"{name}: unit or peer changes from one repetition to the next")
        rows.append(
            Row(
                name=name,
                value=median(values),
                unit=first.unit,
                peer=first.peer,
                ratio=median(ratios) if ratios else None,
                repetitions=len(values),
                lowest=min(values),
                highest=max(values),
                command=command,
            )
        )
    return rows


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
