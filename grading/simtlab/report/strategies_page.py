"""The page of a class's strategies in one lab: one file."""

from pathlib import Path

from simtlab.compare.strategies import TOLERANCE, Strategy
from simtlab.report.pages import replace_file, site_environment


def write_strategies(found: list[Strategy], lab: str, path: Path) -> Path:
    """Writes the page."""
    template = site_environment().get_template("strategies.html")
    replace_file(path, template.render(found=found, lab=lab, tolerance=TOLERANCE))
    return path
