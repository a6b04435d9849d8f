"""What grading takes over compiling and running the same submissions by the bare tools: intake, keys, claims,
workplaces, the store. Six different submissions of one lab, one at a time, both ways in turns.

The audit and the sandbox are left out of that figure, for they are no bookkeeping: a second one has them. Wall time is
that of a machine with a processor to spare, which the linker has beside the audit; a class that fills all processors
takes the processor time, which stands beside it.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

from bench.lab_runner import seconds_of, seconds_of_runner
from bench.product import skip
from bench.synthetic import ROOT, print_value, use_this_grader

LAB = "08-bank-conflicts"
_SUBMISSIONS, _PAIRS = 6, 3


def main(tree: Path) -> None:
    """Prints the medians of the pairs."""
    from simtlab.class_run.conditions import Conditions
    from simtlab.labs.catalogue import read_catalogue
    from simtlab.sandbox.sandbox import probe_sandbox

    solution = ROOT / "solutions" / LAB / "kernel.cu"
    if not solution.exists():
        skip("this copy has no solutions, one of which is graded")
    if not (tree / "labs" / LAB / f"judge-{LAB}").exists():
        skip(f"{tree} has no judge of {LAB}")
    catalogue = read_catalogue(ROOT, tree)
    ways = {
        "grading alone": Conditions(without=("audit",)),
        "grading with audit and sandbox": Conditions(sandbox=probe_sandbox(tree, ROOT)),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ["raw", *ways]}
    used: dict[str, list[float]] = {name: [] for name in ["raw", *ways]}
    text = solution.read_text(encoding="utf-8")
    for pair in range(_PAIRS):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for number in range(_SUBMISSIONS):
                handed_in = folder / "class" / f"s{number}" / LAB
                handed_in.mkdir(parents=True)
                (handed_in / "kernel.cu").write_text(f"{text}// {pair} {number}\n", encoding="utf-8")
            before = _processor_seconds()
            kernels = sorted((folder / "class").glob("*/*/kernel.cu"))
            seconds["raw"].append(sum(_raw(catalogue.labs[LAB], one, folder) for one in kernels))
            used["raw"].append(_processor_seconds() - before)
            for name, conditions in ways.items():
                before = _processor_seconds()
                seconds[name].append(_graded(catalogue, conditions, folder / "class", folder / name))
                used[name].append(_processor_seconds() - before)
    for what, taken in (("", seconds), (", processor time", used)):
        print_value(f"compiling and running {_SUBMISSIONS} submissions{what}", median(taken["raw"]), "s")
        for name in ways:
            ratio = median(one / raw for one, raw in zip(taken[name], taken["raw"], strict=True))
            print_value(f"{name}{what}", median(taken[name]), "s", (f"compiling and running{what}", ratio))


def _processor_seconds() -> float:
    """Of this process and of all that it started."""
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in both)


def _raw(lab: object, kernel: Path, folder: Path) -> float:
    """Compiling, linking and judging one submission, by the words of lab.json."""
    described = json.loads((lab.build.judge.parent / "lab.json").read_text(encoding="utf-8"))  # type: ignore[attr-defined]
    place = folder / "raw" / kernel.parent.parent.name
    place.mkdir(parents=True)
    build = lab.build.backends["emulator"]  # type: ignore[attr-defined]
    asked = [f"--front-end={build.front_end.program}"] if build.front_end else []
    took = seconds_of_runner(described["backends"]["emulator"], kernel, place, asked)
    hidden = place / "hidden.json"
    hidden.write_text(lab.hidden or "[]", encoding="utf-8")  # type: ignore[attr-defined]
    words = [str(lab.build.judge), "--runner", str(place / "runner"), "--backend", "emulator"]  # type: ignore[attr-defined]
    words += ["--facts", str(place / "facts.json"), "--submission", "raw", "--source", str(kernel), "--workers", "1"]
    words += build.comparison_words()
    words += ["--front-end", build.front_end.name] if build.front_end else []
    return took + seconds_of([*words, "--hidden", str(hidden)])


def _graded(catalogue: object, conditions: object, class_folder: Path, place: Path) -> float:
    from simtlab.class_run.grading import grade_class
    from simtlab.class_run.plan import make_plan
    from simtlab.class_run.progress import Quiet
    from simtlab.intake.class_folder import read_class
    from simtlab.store.results import ResultStore

    begin = time.monotonic()
    store = ResultStore(place)
    intake = read_class(class_folder, catalogue, store.keep_file)  # type: ignore[arg-type]
    plan = make_plan("class", intake, catalogue, conditions, store)  # type: ignore[arg-type]
    stop = threading.Event()
    outcome = grade_class(plan, conditions, store, Quiet(), workers=1, stop=stop)  # type: ignore[arg-type]
    took = time.monotonic() - begin
    if outcome.graded_now != _SUBMISSIONS or not all(
        (result := store.get(key)) and result.verdict.value == "pass"
        for key in store.keys()  # noqa: SIM118
    ):
        sys.exit(f"expected {_SUBMISSIONS} submissions that pass, see {place}")
    return took


if __name__ == "__main__":
    use_this_grader()
    os.environ.setdefault("SIMTLAB_SEED", "1")
    main(Path(sys.argv[1]))
