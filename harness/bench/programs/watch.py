"""From a save to the verdict under `make test WATCH=1`: the model solutions of three labs, each saved five times.

The watch runs in a copy of the checkout, built without a compiler cache. A save changes a comment in the kernel, so
each compiles and judges all cases again. The time ends with the last line that a run prints.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.checkout_copy import ROOT, CheckoutCopy, without_a_compiler_cache
from bench.product import print_measurement, skip

LABS = ("01-vector-add", "07-shared-tiling", "13-coarsening")
_SAVES = 5
_PATIENCE = 120.0
_ENDS = re.compile(r"[\d.]+ s; waiting for the next save")


class Watch:
    """One lab's watch in the copy; its output goes to a file, which is read while it grows."""

    def __init__(self, folder: Path, lab: str) -> None:
        self._output = folder / f"watch-{lab}.txt"
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(
                ["harness/setup/watch_lab.sh", "build/default", lab],
                cwd=folder,
                env=without_a_compiler_cache(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def text(self) -> str:
        """What the watch has printed so far."""
        return self._output.read_text(encoding="utf-8", errors="replace")

    def wait_for_runs(self, count: int) -> None:
        """Returns when so many runs have ended; ends the benchmark when they do not."""
        deadline = time.monotonic() + _PATIENCE
        while len(_ENDS.findall(self.text())) < count:
            if time.monotonic() > deadline or self._process.poll() is not None:
                sys.exit(f"run {count} of the watch did not end; it printed:\n{self.text()}")
            time.sleep(0.01)

    def stop(self) -> None:
        """Ends the watch and what it has started."""
        self._process.terminate()
        self._process.wait()


def seconds_of_saves(copy: CheckoutCopy, lab: str) -> list[float]:
    """What each save took until its verdict was printed; every verdict must be a pass."""
    solution = (ROOT / "solutions" / lab / "kernel.cu").read_text(encoding="utf-8")
    kernel = copy.folder / "labs" / lab / "kernel.cu"
    kernel.write_text(solution, encoding="utf-8")
    copy.build(f"judge-{lab}", f"lab_{lab}", "simtlab_emulator_headers")
    watch = Watch(copy.folder, lab)
    times = []
    try:
        watch.wait_for_runs(1)
        for save in range(_SAVES):
            before = time.monotonic()
            kernel.write_text(f"{solution}// save {save}\n", encoding="utf-8")
            watch.wait_for_runs(save + 2)
            times.append(time.monotonic() - before)
    finally:
        watch.stop()
    if watch.text().count("PASS") < _SAVES + 1:
        sys.exit(f"{lab}: not every save passed:\n{watch.text()}")
    return times


def main() -> None:
    """Prints one line a lab."""
    if not (ROOT / "solutions" / LABS[0] / "kernel.cu").exists():
        skip("this copy has no solutions, which are what is saved")
    with tempfile.TemporaryDirectory(prefix="simtlab-watch-") as place:
        copy = CheckoutCopy(Path(place))
        copy.run("harness/setup/configure.sh", "default", "emulator", "batches")
        for lab in LABS:
            print_measurement(
                f"watch: from a save to the verdict, {lab}", round(median(seconds_of_saves(copy, lab)), 2)
            )


if __name__ == "__main__":
    main()
