"""The page of a comparison: one file, for a term's change or two submissions side by side."""

import difflib
from collections.abc import Callable, Iterator
from pathlib import Path

from markupsafe import Markup

from simtlab.compare.comparison import Comparison, effect_text, interval_text, summary
from simtlab.compare.measurement import Measurement
from simtlab.compare.uses import kernel_figures, kernel_name, lines_text, role_name, uses_of
from simtlab.report.charts import Strip, strips
from simtlab.report.medians import median_interval
from simtlab.report.pages import replace_file, site_environment
from simtlab.text import slug

_REACH = 0.1
"""The bar shows ratios from 10 % less to 10 % more; what lies beyond stands at its end."""
_LONGEST_DIFF = 400
Sources = Callable[[Measurement], dict[str, str]]


def write_comparison(
    found: list[Comparison],
    notes: list[str],
    names: tuple[str, str],
    sources: tuple[Sources, Sources],
    path: Path,
    points: list[list[str]] | None = None,
) -> Path:
    """Writes the page. `sources` give the submitted files of either side, nothing where they are not kept; `points` are
    the sentences of each pair's points. Of one pair every counter is shown, of several what differs."""
    site = site_environment()
    text = site.get_template("compare.html").render(
        found=found,
        notes=notes,
        names=names,
        summary=summary(found),
        anchors=[f"{slug(one.b.student)}.{slug(one.b.lab)}.{number}" for number, one in enumerate(found, 1)],
        diffs=[list(source_diff(sources[0](one.a), sources[1](one.b))) for one in found],
        points=points or [[] for _ in found],
        whole=len(found) == 1,
        uses_of=uses_of,
        role_name=role_name,
        lines_text=lines_text,
        kernel_name=kernel_name,
        kernel_figures=kernel_figures,
        interval_text=interval_text,
        effect_text=effect_text,
        interval_bar=interval_bar,
        timing_strips=timing_strips,
    )
    replace_file(path, text)
    return path


def source_diff(before: dict[str, str], after: dict[str, str]) -> Iterator[tuple[str, str]]:
    """What changed, as (`removed`, `added` or `kept`, line); nothing when a side has no sources."""
    if not before or not after:
        return
    shown = 0
    for name in after:
        lines = difflib.unified_diff(
            before.get(name, "").splitlines(), after[name].splitlines(), f"A/{name}", f"B/{name}", lineterm=""
        )
        for line in lines:
            shown += 1
            if shown > _LONGEST_DIFF:
                yield "kept", f"… cut after {_LONGEST_DIFF} lines"
                return
            yield {"-": "removed", "+": "added"}.get(line[:1], "kept"), line


def timing_strips(one: Comparison) -> Markup:
    """Both sides' medians with their 95 % intervals on one axis; nothing where a side was not timed."""
    sides = {"A": one.a, "B": one.b}
    times = {name: [value for run in side.runs for value in run.milliseconds] for name, side in sides.items()}
    if not all(times.values()):
        return Markup()
    rows = [
        Strip(f"{name}: {side.student}", *median_interval(times[name]), reference=name == "A")
        for name, side in sides.items()
    ]
    return strips(rows, "ms", f"Times of {one.b.lab}")


def interval_bar(one: Comparison) -> Markup:
    """The interval as a bar around a line at 1."""
    if one.interval is None or one.interval.low == 0:
        return Markup()
    ends = [50 + 50 * min(max(value - 1, -_REACH), _REACH) / _REACH for value in (one.interval.low, one.interval.high)]
    width = max(ends[1] - ends[0], 1.5)
    return Markup(  # noqa: S704 - numbers alone
        '<svg class="share" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="12"/>'
        f'<rect class="bar" x="{ends[0]:.1f}" y="2" width="{width:.1f}" height="8"/>'
        '<line class="axis" x1="50" y1="0" x2="50" y2="12"/></svg>'
    )
