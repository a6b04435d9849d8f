"""Small charts as inline SVG: no script, sharp in print, coloured by the page's own style."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

_BINS = 10
_WIDTH, _HEIGHT = 320, 120
_BASE = 96


@dataclass(frozen=True)
class Bin:
    """A bar of a histogram: `count` submissions whose share of the points lies in [low, high), the last one closed."""

    low: int
    high: int
    count: int


def bins_of(shares: Sequence[float]) -> list[Bin]:
    """Shares of the points, 0..1, in ten bins of ten percent."""
    counts = [0] * _BINS
    for share in shares:
        counts[min(int(share * _BINS + 1e-9), _BINS - 1)] += 1
    return [Bin(number * 10, (number + 1) * 10, count) for number, count in enumerate(counts)]


def histogram(shares: Sequence[float], label: str) -> Markup:
    """The distribution of a lab's scores; `label` names it for screen readers, who get the figures too."""
    bins = bins_of(shares)
    tallest = max((one.count for one in bins), default=0) or 1
    step = _WIDTH / _BINS
    spoken = ", ".join(f"{one.low} to {one.high} %: {one.count}" for one in bins if one.count) or "no scores"
    parts = [f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}: {spoken}">']
    for number, one in enumerate(bins):
        height = (_BASE - 18) * one.count / tallest
        x = number * step
        if one.count:
            parts.append(
                f'<rect class="bar" x="{x + 2:.1f}" y="{_BASE - height:.1f}" width="{step - 4:.1f}"'
                f' height="{height:.1f}"/>'
                f'<text x="{x + step / 2:.1f}" y="{_BASE - height - 4:.1f}" text-anchor="middle">{one.count}</text>'
            )
    parts.append(f'<line class="axis" x1="0" y1="{_BASE}" x2="{_WIDTH}" y2="{_BASE}"/>')
    for share in (0, 50, 100):
        anchor = {0: "start", 50: "middle", 100: "end"}[share]
        parts.append(
            f'<text class="tick" x="{_WIDTH * share // 100}" y="{_BASE + 16}" text-anchor="{anchor}">{share} %</text>'
        )
    parts.append("</svg>")
    return Markup("".join(parts))  # noqa: S704 - numbers, and a label that was escaped


def share_bar(share: float, label: str) -> Markup:
    """A thin horizontal bar filled to `share`, 0..1."""
    width = 100 * min(max(share, 0.0), 1.0)
    return Markup(  # noqa: S704 - a number, and a label that was escaped
        f'<svg class="share" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="{escape(label)}">'
        f'<rect class="track" width="100" height="8"/><rect class="bar" width="{width:.1f}" height="8"/></svg>'
    )
