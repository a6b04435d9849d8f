"""What is said of identical files that were graded again and again on a GPU, and of neighbours on a ladder.

    simtlab calibrate --only-times --repeat 20 --store STORE
    PYTHONPATH=grading .venv/bin/python solutions/identical.py STORE... [07-shared-tiling:naive,solution,limit]...

Compares every two gradings in the stores, one process run against one, by the statistics of `simtlab compare` alone:
its rule that identical files are neither FASTER nor SLOWER is left out, which is what the first table is to show. Of
each ladder named, slowest first, every grading of a step is compared with every one of the next.
"""

import sys
from collections import Counter, defaultdict
from itertools import combinations, pairwise, product
from pathlib import Path

from simtlab.compare.measurement import Measurement, measurement_of
from simtlab.compare.statistics import Difference, difference, observations, ratio_interval
from simtlab.store.result import Result

Source = tuple[str, str]  # lab, and the hash of kernel.cu


def gradings_in(stores: list[Path]) -> dict[Source, list[Measurement]]:
    """Every timed grading, by what was graded."""
    found: defaultdict[Source, list[Measurement]] = defaultdict(list)
    for path in sorted(path for store in stores for path in store.rglob("*.json")):
        result = Result.model_validate_json(path.read_bytes())
        one = measurement_of(result)
        if one and one.runs and one.backend == "cuda":
            found[one.lab, one.files["kernel.cu"]].append(one)
    return found


def said_of(a: Measurement, b: Measurement) -> Difference:
    """B against A by their times."""
    times = observations([run.milliseconds for run in a.runs], [run.milliseconds for run in b.runs])
    return difference(ratio_interval(*times))


def counted(tally: Counter[Difference]) -> str:
    """The cells of a row."""
    return " | ".join(str(tally[word]) for word in Difference)


def name_of(one: Measurement) -> str:
    """The variant."""
    return Path(one.student).stem


def main(words: list[str]) -> int:
    """Prints both tables."""
    stores = [Path(word) for word in words if ":" not in word]
    ladders = [word.split(":") for word in words if ":" in word]
    if not stores:
        print(__doc__, file=sys.stderr)
        return 2
    gradings = gradings_in(stores)
    head = " | ".join(Difference)
    print(f"| lab | gradings of one file | comparisons | {head} |\n{'|---' * (3 + len(Difference))}|")
    every: Counter[Difference] = Counter()
    labs = sorted({lab for lab, _ in gradings})
    for lab in labs:
        groups = [group for (of, _), group in gradings.items() if of == lab and len(group) > 1]
        tally = Counter(said_of(a, b) for group in groups for a, b in combinations(group, 2))
        if tally:
            most = max(map(len, groups))
            print(f"| {lab[:2]} | up to {most} | {tally.total()} | {counted(tally)} |")
        every += tally
    print(f"| all | | {every.total()} | {counted(every)} |")
    if ladders:
        print(f"\n| lab | from | to | comparisons | {head} |\n{'|---' * (4 + len(Difference))}|")
    for lab, steps in ladders:
        by_name = {name_of(group[0]): group for (of, _), group in gradings.items() if of == lab}
        for slower, faster in pairwise(steps.split(",")):
            tally = Counter(said_of(a, b) for a, b in product(by_name[slower], by_name[faster]))
            print(f"| {lab[:2]} | {slower} | {faster} | {tally.total()} | {counted(tally)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
