"""A comparison, or a class's strategies, as plain data for `--json`."""

from typing import Any

from simtlab.compare.comparison import Comparison
from simtlab.compare.points import Grades, points_of
from simtlab.compare.statistics import CONFIDENCE
from simtlab.compare.strategies import Strategy
from simtlab.compare.uses import Figure, Use, kernel_figures, uses_of
from simtlab.facts.counters import FIDELITY


def comparison_document(
    found: list[Comparison], notes: list[str], names: tuple[str, str], grades: tuple[Grades, Grades] = ({}, {})
) -> dict[str, Any]:
    """The comparison of two sides."""
    return {
        "format": "simtlab-comparison",
        "version": 2,
        "a": names[0],
        "b": names[1],
        "confidence": CONFIDENCE,
        "pairs": [
            {
                "student_a": one.a.student,
                "student_b": one.b.student,
                "lab": one.b.lab,
                "difference": one.difference.value,
                "ratio": one.interval.ratio if one.interval else None,
                "low": one.interval.low if one.interval else None,
                "high": one.interval.high if one.interval and one.interval.low else None,
                "median_a_ms": one.median_a,
                "median_b_ms": one.median_b,
                "by_ratio": one.by_ratio,
                "same_files": one.same_files,
                "reason": one.reason,
                "points_a": points_of(grades[0], one.a),
                "points_b": points_of(grades[1], one.b),
                "score_a": one.a.score,
                "score_b": one.b.score,
                "explanation": one.explanation,
                "criteria": [
                    {
                        "metric": each.metric,
                        "argument": each.argument,
                        "values": [side.value if side else None for side in (each.a, each.b)],
                        "points": each.points,
                    }
                    for each in one.criteria
                ],
                "arrays": [_use_document(use) for use in uses_of(one.pairing)],
                "kernels": [
                    {
                        "names": [half.name if half else None for half in (pair.a, pair.b)],
                        "doubt": pair.doubt,
                        "counters": _figures_document(kernel_figures(pair)),
                    }
                    for pair in one.pairing.kernels
                ],
            }
            for one in found
        ],
        "fidelity": _fidelity(found),
        "notes": notes,
    }


def _fidelity(found: list[Comparison]) -> dict[str, str]:
    """How far the emulator's counters may be believed; a GPU counts for itself."""
    if any("cuda" in (one.a.backend, one.b.backend) for one in found):
        return {}
    figures = [figure for one in found for use in uses_of(one.pairing) for figure in use.figures]
    figures += [figure for one in found for pair in one.pairing.kernels for figure in kernel_figures(pair)]
    return {figure.name: FIDELITY[figure.name] for figure in figures if figure.name in FIDELITY}


def _use_document(use: Use) -> dict[str, Any]:
    pair = use.pair
    return {
        "names": [half.name if half else None for half in (pair.a, pair.b)],
        "argument": next((half.name for half in pair.halves if half.given), None),
        "doubt": pair.doubt,
        "space": [space or None for space in use.spaces],
        "access": use.kind,
        "lines": [[{"file": place.file, "line": place.line} for place in side] for side in use.places],
        "counters": _figures_document(use.figures),
    }


def _figures_document(figures: list[Figure]) -> dict[str, list[float | None]]:
    return {one.name: [one.a, one.b] for one in figures}


def strategies_document(found: list[Strategy], lab: str) -> dict[str, Any]:
    """The strategies of a class in one lab."""
    return {
        "format": "simtlab-strategies",
        "version": 1,
        "lab": lab,
        "strategies": [
            {
                "words": one.words,
                "example": one.example.student,
                "score": one.example.score,
                "students": [each.student for each in one.members],
                "scores": one.scores,
            }
            for one in found
        ],
    }
