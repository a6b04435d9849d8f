"""Nodes with GPUs that are scripts: `nvidia-smi`, a canary and a judge that know how fast each node's GPU is."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.plan import Plan, make_plan
from simtlab.executors.settings import ExecutorSettings
from simtlab.intake.class_folder import read_class
from simtlab.store.results import ResultStore
from tests.quick_units import CONDITIONS, LAB, QuickClass

H100 = "NVIDIA H100 80GB HBM3, memory 2619 MHz, driver 580.159.03"
H200 = "NVIDIA H200, memory 3201 MHz, driver 580.159.03"

_SMI = """#!/bin/sh
case "$1" in
  --id=n[1-8]) cat {place}/row-${{1#--id=}} ;;
  --id=0) cat {place}/row-head 2>/dev/null || exit 6 ;;
  *) exit 6 ;;
esac
"""

_CANARY = """#!{python}
import json, os, pathlib, random
place, node = pathlib.Path({place!r}), os.environ.get("CUDA_VISIBLE_DEVICES", "head")
with (place / f"runs-{{node}}").open("a") as log:
    log.write("run\\n")
draw = random.Random(f"{{node}} {{(place / f'runs-{{node}}').stat().st_size}}")
slow = float((place / f"slow-{{node}}").read_text()) if (place / f"slow-{{node}}").exists() else 1
times = {{kernel: [slow * draw.gauss(1, 0.01) for _ in range(99)] for kernel in ("copy", "shared", "fp32")}}
print(json.dumps({{"format": "simtlab-canary", "version": 1, "milliseconds": times}}))
"""

# The score is the speed of the node's GPU; the GPU slows while it judges the submission at which it shall.
_JUDGE_SPEED = """node=$CUDA_VISIBLE_DEVICES
echo "$submission" >> {place}/judged-$node
if [ "$(grep -c . {place}/judged-$node)" = "$(cat {place}/slows-at-$node 2>/dev/null)" ]; then
  echo 1.05 > {place}/slow-$node
fi
if [ -e {place}/slow-$node ]; then sed -i 's/"score": [0-9]*/"score": 1/' "$facts"; fi
"""

_ELSEWHERE = """#!/bin/sh
# Starts each task on the next node.
exec 9>{place}/turn.lock
flock 9
turn=$(cat {place}/turn 2>/dev/null || echo 0)
echo $((turn + 1)) > {place}/turn
exec 9>&-
set -- {nodes} -- "$@"
shift $((turn % {count}))
node=$1
while [ "$1" != -- ]; do shift; done
shift
export SLURMD_NODENAME=$node CUDA_VISIBLE_DEVICES=$node
exec "$@"
"""


class FakeGpus:
    """A class to be graded on the GPUs of some nodes."""

    def __init__(self, place: Path, quick: QuickClass, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place, self.quick = place, quick
        self.bin = place / "bin"
        self.bin.mkdir(parents=True)
        self._program("nvidia-smi", _SMI.format(place=place))
        self._program("canary", _CANARY.format(python=sys.executable, place=str(place)))
        monkeypatch.setenv("PATH", str(self.bin), prepend=":")
        monkeypatch.setenv("SIMTLAB_CANARY", str(self.bin / "canary"))
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        described = quick.checkout.build / "labs" / LAB
        document = json.loads((described / "lab.json").read_text(encoding="utf-8"))
        document["backends"]["cuda"] = document["backends"]["emulator"]
        (described / "lab.json").write_text(json.dumps(document), encoding="utf-8")
        judge = described / f"judge-{LAB}"
        judge.write_text(judge.read_text(encoding="utf-8") + _JUDGE_SPEED.format(place=place), encoding="utf-8")

    def device(self, node: str, device_class: str, uuid: str = "") -> None:
        """A GPU of that class on the node; `head` is this machine."""
        name, memory, driver = device_class.split(", ")
        cells = (name, memory.removeprefix("memory "), driver.removeprefix("driver "), "Disabled", uuid or node)
        row = ", ".join(cells) + "\n"
        (self.place / f"row-{node}").write_text(row, encoding="utf-8")

    def slows_at(self, node: str, submission: int) -> None:
        """The node's GPU slows by 5 % when it judges so many."""
        (self.place / f"slows-at-{node}").write_text(f"{submission}\n", encoding="utf-8")

    def judged(self, node: str) -> int:
        """How many submissions the node's GPU has timed."""
        path = self.place / f"judged-{node}"
        return len(path.read_text(encoding="utf-8").split()) if path.exists() else 0

    def executor(self, *nodes: str, **more: object) -> ExecutorSettings:
        """Tasks on these nodes in turn."""
        word = self._program("elsewhere", _ELSEWHERE.format(place=self.place, nodes=" ".join(nodes), count=len(nodes)))
        settings = {"units_per_task": 4, "tasks": 1, **more}
        return ExecutorSettings(kind="command", command=[str(word)], **settings)  # type: ignore[arg-type]

    @staticmethod
    def conditions(device_class: str = H100) -> Conditions:
        return replace(CONDITIONS, backend="cuda", gpu=device_class)

    def plan(self, store: ResultStore, device_class: str = H100) -> Plan:
        catalogue = self.quick.catalogue
        intake = read_class(self.quick.checkout.class_folder, catalogue, store.keep_file)
        return make_plan("class", intake, catalogue, self.conditions(device_class), store)

    def _program(self, name: str, text: str) -> Path:
        path = self.bin / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path
