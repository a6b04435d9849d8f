"""What three nodes of Slurm grade beside one: the same class on node n1 alone and on n1 to n3, a real Slurm on this one
host. Units wait rather than compute: their judge sleeps, for the three nodes share the host's processors.
"""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path

from bench.synthetic import cluster, print_value, use_this_grader

_UNITS, _SECONDS, _UNITS_PER_TASK = 120, 2.0, 10


def main() -> None:
    """Grades the class twice and prints both times and their ratio."""
    from simtlab.class_run.grading import grade_class
    from simtlab.class_run.progress import Quiet
    from simtlab.executors.choose import executor_of
    from simtlab.executors.settings import ExecutorSettings
    from simtlab.store.results import ResultStore
    from tests.quick_units import CONDITIONS, QuickClass  # type: ignore[import-untyped]

    with tempfile.TemporaryDirectory() as name, cluster():
        folder = Path(name)
        folder.chmod(0o755)
        quick = QuickClass(folder / "checkout", _UNITS, seconds=_SECONDS)
        seconds: dict[int, float] = {}
        for nodes, excluded in ((3, []), (1, ["n2", "n3"])):
            store = ResultStore(folder / f"nodes-{nodes}")
            settings = ExecutorSettings(
                kind="slurm", partition="lab", memory_mb=500, units_per_task=_UNITS_PER_TASK, exclude=excluded
            )
            executor = executor_of(settings, quick.catalogue, CONDITIONS, store, 2)
            plan = quick.plan(store)
            begin = time.monotonic()
            grade_class(plan, CONDITIONS, store, Quiet(), workers=2, executor=executor, stop=threading.Event())
            seconds[nodes] = time.monotonic() - begin
        per_minute = {nodes: 60 * _UNITS / took for nodes, took in seconds.items()}
        print_value("waiting units, one node", per_minute[1], "units/min")
        print_value("waiting units, three nodes", per_minute[3], "units/min", ("one node", seconds[1] / seconds[3]))


if __name__ == "__main__":
    use_this_grader()
    main()
