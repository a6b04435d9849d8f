"""Small charts as inline SVG: no script, sharp in print, coloured by the page's own style. Each has a spoken label that
holds its figures, and titles that a pointer shows; nothing is told by colour alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from simtlab.text import number_text, printable, shortened

_BINS = 10
_VALUE_BINS = 12
_INSET = 6
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


@dataclass(frozen=True)
class Threshold:
    """A value drawn into a chart as a line, with its name."""

    value: float
    name: str


def value_histogram(values: Sequence[float], thresholds: Sequence[Threshold], label: str) -> Markup:
    """How a measured value is spread, in at most twelve bins, with the criterion's thresholds drawn in."""
    marks = [*values, *(one.value for one in thresholds)]
    if not values:
        return Markup()
    low, high = min(marks), max(marks)
    if (high - low) / _VALUE_BINS == 0:  # all the same, or no number lies between them
        low, high = low - 0.5, high + 0.5
    step = (high - low) / _VALUE_BINS
    counts = [0] * _VALUE_BINS
    for value in values:
        counts[min(int((value - low) / step), _VALUE_BINS - 1)] += 1
    tallest, width = max(counts), (_WIDTH - 2 * _INSET) / _VALUE_BINS
    spoken = ", ".join(
        f"{number_text(low + i * step)} to {number_text(low + (i + 1) * step)}: {count}"
        for i, count in enumerate(counts)
        if count
    )
    lines = "; ".join(f"{one.name} {number_text(one.value)}" for one in thresholds)
    parts = [_open(_HEIGHT + 12, f"{label}: {spoken}; thresholds: {lines}")]
    for number, count in enumerate(counts):
        if count:
            height = (_BASE - 34) * count / tallest
            x = _INSET + number * width
            parts.append(
                f'<rect class="bar" x="{x + 1:.1f}" y="{_BASE - height:.1f}" width="{width - 2:.1f}"'
                f' height="{height:.1f}"/>' + _text(x + width / 2, _BASE - height - 3, str(count))
            )
    parts.append(f'<line class="axis" x1="0" y1="{_BASE}" x2="{_WIDTH}" y2="{_BASE}"/>')
    for row, one in enumerate(thresholds):
        x = _INSET + (one.value - low) / (high - low) * (_WIDTH - 2 * _INSET)
        anchor = "start" if x < _WIDTH / 3 else "end" if x > _WIDTH * 2 / 3 else "middle"
        parts.append(
            f'<line class="threshold" x1="{x:.1f}" y1="14" x2="{x:.1f}" y2="{_BASE}"/>'
            + _text(x, 10 + 12 * row if len(thresholds) > 1 and _near(thresholds, low, high) else 10, one.name, anchor)
        )
    for value, x, anchor in ((low, 0.0, "start"), (high, float(_WIDTH), "end")):
        parts.append(_text(x, _BASE + 16, number_text(float(f"{value:.3g}")), anchor))
    parts.append("</svg>")
    return Markup("".join(parts))  # noqa: S704 - numbers, and texts that were escaped


@dataclass(frozen=True)
class Strip:
    """One row of a timing chart: a name, a median and its interval, all in one unit; `link` may be empty."""

    name: str
    centre: float
    low: float
    high: float
    link: str = ""
    reference: bool = False
    """Of something to compare with: a baseline, or the side before."""


def strips(rows: Sequence[Strip], unit: str, label: str) -> Markup:
    """Medians with intervals, one row each, on a logarithmic axis; references are drawn as diamonds."""
    if not rows:
        return Markup()
    least, most = min(one.low for one in rows), max(one.high for one in rows)
    margin = max(0.06 * math.log(most / least), 0.002)
    start, end = math.log(least) - margin, math.log(most) + margin
    names = [shortened(printable(one.name), 28) for one in rows]
    width, left = 640, min(20 + 6.5 * max(map(len, names)), 200)

    def x_of(value: float) -> float:
        return left + (math.log(value) - start) / (end - start) * (width - left - 70)

    height = 18 * len(rows) + 30
    spoken = "; ".join(f"{one.name} {number_text(one.centre)} {unit}" for one in rows)
    parts = [_open(height, f"{label}: {spoken}", width=width, css="chart wide", role="group")]
    for number, one in enumerate(rows):
        y = 14 + 18 * number
        text = _text(left - 10, y + 4, names[number], "end")
        parts.append(f'<a href="{escape(one.link)}">{text}</a>' if one.link else text)
        span = f"{number_text(one.centre)} {unit}, {number_text(one.low)} to {number_text(one.high)}"
        parts.append(
            f"<g><title>{escape(printable(one.name))}: {escape(span)}</title>"
            f'<line class="grid" x1="{left:.1f}" y1="{y}" x2="{width - 70}" y2="{y}"/>'
        )
        x = x_of(one.centre)
        if one.reference:
            parts.append(f'<path class="reference" d="M{x:.1f} {y - 5}l5 5l-5 5l-5 -5z"/>')
        else:
            parts.append(f'<circle class="bar" cx="{x:.1f}" cy="{y}" r="4"/>')
        ends = [f"{x_of(value):.1f}" for value in (one.low, one.high)]
        parts.append(f'<line class="span" x1="{ends[0]}" y1="{y}" x2="{ends[1]}" y2="{y}"/>')
        parts += [f'<line class="cap" x1="{at}" y1="{y - 5}" x2="{at}" y2="{y + 5}"/>' for at in ends]
        parts.append("</g>")
        parts.append(_text(width - 62, y + 4, f"{number_text(one.centre)} {unit}", "start"))
    for value in dict.fromkeys((least, most)):
        x = x_of(value)
        anchor = "start" if x < (left + width - 70) / 2 else "end"
        parts.append(f'<line class="axis" x1="{x:.1f}" y1="{height - 24}" x2="{x:.1f}" y2="{height - 18}"/>')
        parts.append(_text(x, height - 6, f"{number_text(float(f'{value:.4g}'))} {unit}", anchor))
    parts.append("</svg>")
    return Markup("".join(parts))  # noqa: S704 - numbers, and texts that were escaped


@dataclass(frozen=True)
class RooflinePoint:
    """A submission on the roofline: `intensity` in operations a byte, `rate` in 10⁹ operations a second."""

    name: str
    intensity: float
    rate: float
    link: str = ""


@dataclass(frozen=True)
class Ceilings:
    """What was measured of the machine beside the submissions: a copy's 10⁹ bytes a second, and 10⁹ multiply-adds a
    second from registers, None where that was not measured."""

    gigabytes_per_second: float
    giga_operations_per_second: float | None = None

    @property
    def ridge(self) -> float | None:
        """The intensity from which arithmetic is the lower ceiling."""
        peak = self.giga_operations_per_second
        return None if peak is None else peak / self.gigabytes_per_second

    def roof(self, intensity: float) -> float:
        """The most 10⁹ operations a second that a kernel of this intensity may reach."""
        peak = self.giga_operations_per_second
        slanted = intensity * self.gigabytes_per_second
        return slanted if peak is None else min(slanted, peak)


def roofline(points: Sequence[RooflinePoint], ceilings: Ceilings, label: str) -> Markup:
    """Both axes logarithmic. The slanted ceiling is what a copy reached in the same run, the flat one multiply-adds."""
    if not points or ceilings.gigabytes_per_second <= 0:
        return Markup()
    ridge = ceilings.ridge
    around = [one.intensity for one in points]
    decades_x = _decades([*around, *([ridge] if ridge else [])], spread=0 if ridge else 1)
    left, right = 10.0 ** decades_x[0], 10.0 ** decades_x[-1]
    decades_y = _decades([*(one.rate for one in points), ceilings.roof(left), ceilings.roof(right)])
    plot = RooflineScale(decades_x[0], decades_x[-1], decades_y[0], decades_y[-1])
    bandwidth = f"copy, {number_text(float(f'{ceilings.gigabytes_per_second:.4g}'))} GB/s"
    peak = ceilings.giga_operations_per_second
    arithmetic = "" if peak is None else f"multiply-adds, {number_text(float(f'{peak:.4g}'))} · 10⁹ a second"
    spoken = "; ".join(f"{one.name} {number_text(one.rate)}" for one in points[:40])
    said = f"{label}: ceilings {bandwidth}{' and ' + arithmetic if arithmetic else ''}; {spoken}"
    parts = [_open(300, said, width=480, css="chart wide", role="group")]
    for power in decades_x:
        x = plot.x(10.0**power)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="10" x2="{x:.1f}" y2="260"/>' + _text(x, 275, _power(power)))
    for power in decades_y:
        y = plot.y(10.0**power)
        parts.append(
            f'<line class="grid" x1="60" y1="{y:.1f}" x2="450" y2="{y:.1f}"/>' + _text(54, y + 4, _power(power), "end")
        )
    corners = [left, *([ridge] if ridge and left < ridge < right else []), right]
    line = " ".join(f"{plot.x(one):.1f},{plot.y(ceilings.roof(one)):.1f}" for one in corners)
    parts.append(f'<polyline class="threshold" points="{line}"/>')
    parts.append(_text(68, 22, f"slanted ceiling: {bandwidth}", "start"))
    if arithmetic:
        parts.append(_text(68, 36, f"flat ceiling: {arithmetic}", "start"))
    for one in points:
        share = one.rate / ceilings.roof(one.intensity)
        mark = (
            f"<title>{escape(printable(one.name))}: {number_text(one.rate)} G/s, {share:.0%} of the ceiling</title>"
            f'<circle class="bar" cx="{plot.x(one.intensity):.1f}" cy="{plot.y(one.rate):.1f}" r="5"/>'
        )
        parts.append(f'<a href="{escape(one.link)}">{mark}</a>' if one.link else f"<g>{mark}</g>")
    parts.append(_text(265, 294, "operations a byte") + _text(4, 294, "10⁹ operations a second ↑", "start"))
    parts.append("</svg>")
    return Markup("".join(parts))  # noqa: S704 - numbers, and texts that were escaped


@dataclass(frozen=True)
class RooflineScale:
    """Where a value stands in the drawing; the four members are powers of ten."""

    left: int
    right: int
    bottom: int
    top: int

    def x(self, intensity: float) -> float:
        """Between 60 and 450."""
        return 60 + (math.log10(intensity) - self.left) / (self.right - self.left) * 390

    def y(self, rate: float) -> float:
        """Between 260, the bottom, and 10."""
        return 260 - (math.log10(rate) - self.bottom) / (self.top - self.bottom) * 250


def _decades(values: Sequence[float], spread: int = 0) -> list[int]:
    first = math.floor(math.log10(min(values)) + 1e-9) - spread
    last = max(math.ceil(math.log10(max(values)) - 1e-9) + spread, first + 1)
    return list(range(first, last + 1))


def _power(power: int) -> str:
    return number_text(float(10**power)) if -3 <= power <= 5 else f"1e{power}"


def _near(thresholds: Sequence[Threshold], low: float, high: float) -> bool:
    values = [one.value for one in thresholds]
    return (max(values) - min(values)) / (high - low) < 0.5


def _open(height: float, label: str, *, width: int = _WIDTH, css: str = "chart", role: str = "img") -> str:
    return (
        f'<svg class="{css}" viewBox="0 0 {width} {height:.0f}" role="{role}" aria-label="{escape(printable(label))}">'
    )


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
