"""How long the report of a large class takes, and how large it is: 300 students in 17 labs of synthetic facts."""

from __future__ import annotations

import importlib
import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STUDENTS, LABS = 300, 17


def processor_seconds() -> float:
    """Of this process and the ones that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def main() -> None:
    """Builds the report once and prints seconds, memory and the largest pages."""
    sys.path.insert(0, str(ROOT / "grading"))
    try:
        large_class = importlib.import_module("tests.large_class").large_class
    except ImportError:
        print("SKIP: this copy has no grader, or its tests")
        sys.exit(77)
    from simtlab.report.site import write_site

    with tempfile.TemporaryDirectory() as folder:
        book, store = large_class(Path(folder) / "store", STUDENTS, LABS, random.Random(1))  # noqa: S311 - synthetic
        begin, before = time.monotonic(), processor_seconds()
        index = write_site(book, store, Path(folder) / "report")
        seconds, processor = time.monotonic() - begin, processor_seconds() - before
        labs = [path.stat().st_size for path in (index.parent / "labs").iterdir()]
        pages = [path.stat().st_size for path in (index.parent / "submissions").iterdir()]
        sizes = index.stat().st_size + sum(labs), max(pages)
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    for name, value, unit, limit in (
        ("report of 300 students in 17 labs", seconds, "s", 20.0),
        ("report: its processor time, on two cores at most 40", processor, "s", 40.0),
        ("report: memory of the largest process", peak, "MiB", 1024.0),
        ("report: class and lab pages", sizes[0] / 1e6, "MB", 15.0),
        ("report: largest submission page", sizes[1] / 1e3, "kB", 60.0),
    ):
        print(
            json.dumps(
                {
                    "name": name,
                    "value": value,
                    "unit": unit,
                    "peer": f"limit of {limit:g} {unit}",
                    "ratio": value / limit,
                }
            )
        )


if __name__ == "__main__":
    main()
