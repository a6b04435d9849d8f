"""A checkout whose compiler and judges are small Python scripts that do what the submission's own comments tell them.

`// fake compiler: …` understands: error, refused, usage, internal, sleep, chatter, memory, nothing.
`// fake judge: …` understands: pass, unsafe, wrong_answer, unsolved, timeout, exit 7, garbage, sleep SECONDS.
"""

import json
import stat
import sys
from pathlib import Path

from tests import example_facts

_COMPILER = """#!{python}
import os, re, sys, time
words = sys.argv[1:]
source = [word for word in words if word.endswith(".cu")][0]
out = words[words.index("-o") + 1]
text = open(source, encoding="utf-8").read()
wish = re.search(r"// fake compiler: (.*)", text)
wish = wish[1].strip() if wish else ""
if wish == "error":
    sys.exit(f"{{source}}:3:5: error: expected ';' before 'int'")
if wish == "refused":
    sys.exit(f"{{source}}:4:1: error: not allowed: assembly (`asm`). Write it in C++.")
if wish == "usage":
    sys.exit(2)
if wish == "internal":
    print("simtcc: the translator lost its way", file=sys.stderr)
    sys.exit(3)
if wish == "sleep":
    time.sleep(600)
if wish == "chatter":
    for number in range(10**7):
        print(f"{{source}}:{{number}}: error: and another one", file=sys.stderr)
    sys.exit(1)
if wish == "memory":
    try:
        hoard = [bytes(1 << 20) for _ in range(1 << 20)]
    except MemoryError:
        sys.exit("cc1plus: out of memory allocating 65536 bytes after a total of 2 bytes")
if wish != "nothing":
    with open(out, "w", encoding="utf-8") as stream:
        stream.write(text)
"""

_JUDGE = """#!{python}
import argparse, json, os, re, sys, time
parser = argparse.ArgumentParser()
for option in ("runner", "runner-prefix", "backend", "facts", "submission", "hidden", "source", "workers"):
    parser.add_argument("--" + option)
parser.add_argument("--limit-seconds", type=float)
parser.add_argument("--limit-memory-mb", type=int)
given = parser.parse_args()
examples = json.loads({examples!r})
text = open(given.runner, encoding="utf-8").read()
wishes = re.findall(r"// fake judge: (.*)", text)
kind = "pass"
for wish in wishes:
    word, _, rest = wish.strip().partition(" ")
    if word == "sleep":
        time.sleep(float(rest))
    elif word == "exit":
        print("the judge has lost its inputs", file=sys.stderr)
        sys.exit(int(rest))
    else:
        kind = word
facts = examples[kind if kind in examples else "pass"]
facts |= {{"lab": {lab!r}, "submission": given.submission, "backend": given.backend}}
facts["seed"] = int(os.environ["SIMTLAB_SEED"])
facts["timing"]["cases"][0]["milliseconds"] = time.perf_counter() % 100
if given.hidden:
    facts["message"] += " hidden: " + ", ".join(case["name"] for case in json.load(open(given.hidden)))
with open(given.facts, "w", encoding="utf-8") as stream:
    stream.write("{{" if kind == "garbage" else json.dumps(facts))
with open({log!r}, "a", encoding="utf-8") as stream:
    stream.write(json.dumps(sys.argv[1:]) + "\\n")
"""

_LAB_TOML = """title = "{title}"
topic = "tiles"
files = ["kernel.cu"]
[points]
correct = 50
safe = 20
fast = 30
[[hints]]
when = "shared-race"
text = "There are two moments at which all threads must have arrived."
[[hints]]
when = "wrong_answer"
text = "Which sizes fail?"
"""

KERNEL = "__global__ void multiply(const float* a) {\n  // a kernel\n}\n"


class FakeCheckout:
    """The folders of a checkout under `root`, with two labs built by fake tools."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.build = root / "build" / "default"
        self.judge_log = root / "judge.log"
        (root / "harness").mkdir(parents=True)
        (root / "tools").mkdir()
        (root / "include").mkdir()
        (root / "include" / "cuda_runtime.h").write_text("// the emulator's header\n", encoding="utf-8")
        self._program(root / "tools" / "simtcc", _COMPILER.format(python=sys.executable))
        self.add_lab("07-shared-tiling", "Tiled matrix product")
        self.add_lab("08-bank-conflicts", "Transpose without bank conflicts")

    def add_lab(self, name: str, title: str) -> None:
        """A lab with stub, solution, hidden cases and build description."""
        lab = self.root / "labs" / name
        solution = self.root / "solutions" / name
        described = self.build / "labs" / name
        for folder in (lab, solution / "variants", described):
            folder.mkdir(parents=True)
        (lab / "lab.toml").write_text(_LAB_TOML.format(title=title), encoding="utf-8")
        (lab / "kernel.cu").write_text(KERNEL + "// fake judge: unsolved\n", encoding="utf-8")
        (solution / "kernel.cu").write_text(KERNEL + "// fake judge: full\n", encoding="utf-8")
        (solution / "hidden.toml").write_text('[[case]]\nname = "secret sizes"\nsizes = { j = 50 }\n', encoding="utf-8")
        examples = {
            "pass": example_facts.passed_facts(),
            "full": _full_marks(),
            "unsafe": example_facts.unsafe_facts(),
            "wrong_answer": example_facts.wrong_facts(),
            "unsolved": example_facts.wrong_facts(verdict="unsolved", message="the stub is unchanged"),
            "internal": example_facts.passed_facts(verdict="internal_error", message="the runner never answered"),
        }
        judge = described / f"judge-{name}"
        self._program(
            judge,
            _JUDGE.format(python=sys.executable, examples=json.dumps(examples), lab=name, log=str(self.judge_log)),
        )
        self.describe(name, judge)

    def describe(self, name: str, judge: Path) -> None:
        """Writes the lab's build description."""
        simtcc, headers = str(self.root / "tools" / "simtcc"), str(self.root / "include")
        description = {
            "name": name,
            "judge": str(judge),
            "backends": {"emulator": {"compiler": [simtcc], "link": [], "depends": [headers]}},
            "files": ["kernel.cu"],
        }
        (self.build / "labs" / name / "lab.json").write_text(json.dumps(description), encoding="utf-8")

    def submit(self, student: str, lab: str, text: str = KERNEL, folder: Path | None = None) -> Path:
        """Hands in `kernel.cu` and returns its path."""
        path = (folder or self.class_folder) / student / lab / "kernel.cu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    @property
    def class_folder(self) -> Path:
        """The class that `submit` fills."""
        return self.root / "class"

    def judge_calls(self) -> list[list[str]]:
        """The command lines of all judges that came to an end."""
        if not self.judge_log.exists():
            return []
        return [json.loads(line) for line in self.judge_log.read_text(encoding="utf-8").splitlines()]

    @staticmethod
    def _program(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)


def _full_marks() -> dict[str, object]:
    facts = example_facts.passed_facts()
    facts["fast"]["score"] = 100.0
    for criterion in facts["fast"]["criteria"]:
        criterion["fraction"] = 1.0
    return facts
