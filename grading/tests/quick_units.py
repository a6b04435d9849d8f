"""Units for tests that grade many: labs whose compiler and judge are shell scripts of a few milliseconds. The judge
sleeps and answers what the submission says: `// seconds 0.02`; with `// dies` it kills the task that started it."""

import json
import shlex
import sys
from pathlib import Path

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.plan import Plan, make_plan
from simtlab.facts.model import facts_without_timing
from simtlab.intake.class_folder import read_class
from simtlab.labs.catalogue import Catalogue, read_catalogue
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests import example_facts
from tests.fake_checkout import FakeCheckout

CONDITIONS = Conditions(without=("audit",))
LAB = "07-shared-tiling"

_COMPILER = """#!/bin/sh
for word; do
  case $before:$word in
    -o:*) out=$word ;;
    *.cu | *.o) source=$word ;;
  esac
  before=$word
done
exec cp "$source" "$out"
"""

_JUDGE = """#!/bin/sh
if [ "$1" = --describe ]; then exit 1; fi
for word; do
  case $before in
    --facts) facts=$word ;;
    --runner) runner=$word ;;
    --submission) submission=$word ;;
  esac
  before=$word
done
seconds=0 score=70
while read -r mark word value; do
  case "$mark $word" in
    "// seconds") seconds=$value ;;
    "// score") score=$value ;;
    "// dies") kill -9 $PPID; sleep 5 ;;
  esac
done < "$runner"
[ "$seconds" = 0.0 ] || sleep "$seconds"
printf %s {facts} > "$facts"
echo "$submission" >> {log}
"""


class QuickClass:
    """A class of so many students in so many labs, each submission with its own score."""

    def __init__(self, root: Path, students: int, labs: int = 1, seconds: float = 0.0) -> None:
        self.checkout = FakeCheckout(root)
        self._quick(LAB)
        for number in range(20, 19 + labs):
            self.checkout.add_lab(f"{number}-lab", f"Lab {number}")
            self._quick(f"{number}-lab")
        (root / "solutions" / "stubs.py").unlink()
        names = [LAB, *(f"{number}-lab" for number in range(20, 19 + labs))]
        for student in range(students):
            for name in names:
                text = f"// {student} of {name}\n// seconds {seconds}\n// score {(7 * student + 1) % 100}\n"
                self.checkout.submit(f"s{student:05}", name, text)

    @property
    def catalogue(self) -> Catalogue:
        return read_catalogue(self.checkout.root, self.checkout.build)

    def plan(self, store: ResultStore) -> Plan:
        catalogue = self.catalogue
        intake = read_class(self.checkout.class_folder, catalogue, store.keep_file)
        return make_plan("class", intake, catalogue, CONDITIONS, store)

    def judged(self) -> list[str]:
        """Whose submissions a judge answered, as often as it did."""
        log = self.checkout.root / "judged.log"
        return log.read_text(encoding="utf-8").split() if log.exists() else []

    def _quick(self, lab: str) -> None:
        described = self.checkout.build / "labs" / lab
        facts = example_facts.passed_facts() | {"lab": lab, "submission": "@submission@", "seed": CONDITIONS.seed}
        facts["fast"]["score"] = "@score@"
        words = shlex.quote(json.dumps(facts))  # the shell puts in what the submission says
        words = words.replace("@submission@", "'\"$submission\"'").replace('"@score@"', "'\"$score\"'.0")
        judge = described / f"judge-{lab}"
        judge.write_text(_JUDGE.format(facts=words, log=self.checkout.root / "judged.log"), encoding="utf-8")
        (self.checkout.root / "tools" / "simtcc").write_text(_COMPILER, encoding="utf-8")


def content_of(store: ResultStore) -> dict[str, object]:
    """What a store says of each key, without times. Every file in results/ has to be a result."""
    found: dict[str, object] = {}
    for key in store.keys():  # noqa: SIM118 - a method of the store
        result = store.get(key)
        assert result is not None
        assert result.parts.attempt == 1
        assert result.verdict is not Verdict.INTERNAL_ERROR, result.message
        found[key] = (result.verdict, result.message, result.facts and facts_without_timing(result.facts))
    return found


def counting(store: ResultStore) -> dict[tuple[str, str], object]:
    """What counts for each student and lab, without times: the one result that was no fault of ours."""
    found: dict[tuple[str, str], object] = {}
    for key in store.keys():  # noqa: SIM118 - a method of the store
        result = store.get(key)
        assert result is not None
        if result.verdict is not Verdict.INTERNAL_ERROR:
            whose = (result.parts.student, result.parts.lab)
            assert whose not in found, f"two results of {whose}"
            found[whose] = (result.verdict, result.message, result.facts and facts_without_timing(result.facts))
    return found


def leftovers(store: ResultStore) -> list[str]:
    """Temporary files, claims, orders and what gradings say of themselves in a store."""
    kinds = ("**/*.tmp", "running/*", "orders/*", "progress-*")
    return [str(path.relative_to(store.folder)) for kind in kinds for path in store.folder.glob(kind)]


if __name__ == "__main__":
    QuickClass(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
