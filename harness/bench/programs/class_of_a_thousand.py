"""A class of 1,000 students × 4 labs of synthetic units, graded on this machine and by Slurm's job arrays on three
nodes: the stores have to be the same. `TREE --students N` for another number.

A unit's judge sleeps and answers, so that more workers and tasks run at a time than this host has processors.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path

from bench.synthetic import cluster, print_value, resident_mb, use_this_grader

_STUDENTS, _LABS, _SECONDS = 1000, 4, 0.05
_WORKERS = 4
_UNITS_PER_TASK = 40  # a task's Python needs a second of a processor, of which there are two for three nodes


def main(students: int) -> None:
    """Grades the class twice, and prints times, memory, and how many results differ."""
    from simtlab.class_run.grading import grade_class
    from simtlab.class_run.progress import Quiet
    from simtlab.executors.choose import executor_of
    from simtlab.executors.settings import ExecutorSettings
    from simtlab.store.results import ResultStore
    from tests.quick_units import CONDITIONS, QuickClass, content_of, leftovers  # type: ignore[import-untyped]

    kinds = {
        "local": ExecutorSettings(),
        "slurm": ExecutorSettings(kind="slurm", partition="lab", memory_mb=500, units_per_task=_UNITS_PER_TASK),
    }
    with tempfile.TemporaryDirectory() as name, cluster():
        folder = Path(name)
        folder.chmod(0o755)
        quick = QuickClass(folder / "checkout", students, _LABS, _SECONDS)
        contents = []
        for kind, settings in kinds.items():
            store = ResultStore(folder / kind)
            plan = quick.plan(store)
            executor = executor_of(settings, quick.catalogue, CONDITIONS, store, _WORKERS)
            before, begin = resident_mb(), time.monotonic()
            grade_class(plan, CONDITIONS, store, Quiet(), workers=_WORKERS, executor=executor, stop=threading.Event())
            print_value(f"{len(plan.to_grade):,} units, {kind}", round(time.monotonic() - begin, 1), "s")
            print_value(f"{len(plan.to_grade):,} units, {kind}: head's memory grew by", resident_mb() - before, "MB")
            if leftovers(store):
                sys.exit(f"{kind} left {leftovers(store)[:3]}")
            contents.append(content_of(store))
        here, there = contents
        differing = sum(here.get(key) != there.get(key) for key in here.keys() | there.keys())
        print_value("results that differ between local and Slurm", differing, f"of {len(here):,}")
        if differing or len(here) != students * _LABS:
            sys.exit("the stores are not the same")


if __name__ == "__main__":
    use_this_grader()
    main(int(sys.argv[3]) if sys.argv[2:3] == ["--students"] else _STUDENTS)
