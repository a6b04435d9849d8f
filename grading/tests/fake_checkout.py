"""A checkout whose compiler and judges are small Python scripts that do what the submission's own comments tell them.

`// fake compiler: …` understands: error, as nvcc, as ptxas, refused, usage, internal, sleep, chatter, memory, nothing,
full disk, full quota.
`// fake judge: …` understands: pass, slow, unsafe, wrong_answer, unsolved, timeout, exit 7, garbage, sleep SECONDS,
killed TIMES, and whole: full marks if the solution's region is untouched. A stub is `unsolved` by its line
`//@@ your code here`.
"""

import json
import shutil
import stat
import struct
import sys
from pathlib import Path

from tests import example_facts

_OBJECT_HEADER = struct.pack(
    "<4s5B7xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 0, 0, 1, 62, 1, 0, 0, 0, 0, 64, 0, 0, 64, 0, 0
)

_COMPILER = """#!{python}
import os, re, sys, time
words = sys.argv[1:]
if words[-1] == "--version":  # simtcc looks for NVIDIA's tools
    sys.exit(os.environ.get("FAKE_TOOLS_MISSING") or 0)
source = [word for word in words if word.endswith((".cu", ".o"))][0]
out = words[words.index("-o") + 1]
header = {header!r}  # of an object file without sections
text = open(source, "rb").read().removeprefix(header).decode()
wish = re.search(r"// fake compiler: (.*)", text)
wish = wish[1].strip() if wish else ""
if wish == "error":
    sys.exit(f"{{source}}:3:5: error: expected ';' before 'int'")
if wish == "refused":
    sys.exit(f"{{source}}:4:1: error: not allowed: assembly (`asm`). Write it in C++.")
if wish == "as nvcc":
    print(f'{{source}}(16): error: expected a ";"', file=sys.stderr)
    print('1 error detected in the compilation of "kernel.cu".', file=sys.stderr)
    sys.exit(2)
if wish == "as ptxas":
    print("ptxas error   : Entry function 'k' uses too much shared data (0x10000 bytes, 0xc000 max)", file=sys.stderr)
    sys.exit(255)
if wish in ("full disk", "full quota"):
    why = "No space left on device" if wish == "full disk" else "Disk quota exceeded"
    sys.exit(f"/usr/bin/ld: final link failed: {{why}}")
if wish == "usage":
    sys.exit(2)
if wish == "internal":
    print("simtcc: the translator lost its way", file=sys.stderr)
    sys.exit(3)
for word in words:
    if word.startswith("--expanded-text="):
        with open(word.partition("=")[2], "w") as stream:
            stream.write(f'# 1 "{{source}}"\\n{{text}}')
if wish == "error behind the text":
    sys.exit(f"{{source}}:2: error: no such name")
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
if wish != "nothing" or not out.endswith("runner"):
    with open(out, "wb") as stream:
        stream.write(header if "-c" in words else f'# 1 "{{source}}"\\n'.encode() if "-E" in words else b"")
        stream.write(text.encode())
"""

_JUDGE = """#!{python}
import argparse, json, os, re, sys, time
parser = argparse.ArgumentParser()
for option in ("runner", "runner-prefix", "backend", "facts", "submission", "hidden", "source", "workers",
    "sandbox-layers", "baseline-prefix", "baselines", "reference", "engine"):
    parser.add_argument("--" + option)
parser.add_argument("--limit-seconds", type=float)
parser.add_argument("--limit-memory-mb", type=int)
parser.add_argument("--until-failure", action="store_true")
parser.add_argument("--only-times", action="store_true")
parser.add_argument("--describe", action="store_true")
given = parser.parse_args()
if given.describe:
    print(json.dumps({description!r}))
    sys.exit(0)
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
    elif word == "killed":  # the first so many that judge this submission
        with open({log!r} + ".killed", "a+", encoding="utf-8") as stream:
            stream.seek(0)
            before = len(stream.read())
            stream.write("x")
        if before < int(rest):
            os.kill(os.getpid(), 9)
    elif word == "whole":
        kind = "full" if {region!r} in text else "wrong_answer"
    else:
        kind = word
if "//@@ your code here" in text:
    kind = "unsolved"
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
[[hints]]
when = "unsolved"
text = "Begin with the index."
[[hints]]
when = "sector_efficiency"
text = "Which addresses do neighbours read?"
"""

REGION = """  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = 2.0f * a[i];
"""
SOLUTION = f"""__global__ void multiply(const float* a, float* c, int n) {{
  //@@ begin solution
  // fake judge: whole
{REGION}  //@@ end solution
}}
"""

_DESCRIPTION = {
    "kind": "device",
    "arguments": ["a", "c", "n"],
    "cases": [
        {
            "name": name,
            "sizes": [{"name": "n", "value": value}],
            "fails_call": 0,
            "tolerance": {"absolute": 0, "relative": 0, "ulps": 0, "condition": 0},
        }
        for name, value in (("one element", 1), ("less than a warp", 19), ("a prime", 1009))
    ],
    "benchmark": {"emulator": [{"name": "n", "value": 4096}], "gpu": [{"name": "n", "value": 1048576}]},
    "benchmark_elements": {"a": 4096, "c": 4096},
    "criteria": [
        {
            "metric": "sector_efficiency",
            "says": "sector efficiency",
            "of": "a",
            "full_at": 1,
            "none_at": 0.125,
            "weight": 1,
            "hint": "neighbours",
            "emulator": True,
            "gpu": False,
        }
    ],
    "pass_at": 60,
}

HANDOUT = """# Lab {number}: {title}

## What and why
## The idea
![A figure](figures/idea.svg)
## Your task
Run `make test
LAB={number}`.
## How it is checked
The answers are exact, for n = 1, 19 and 1009.
## What "fast" means
Counted for n = 4096.

| measured | full points at | no points at | share | why these numbers |
|---|---|---|---|---|
| sector efficiency of `a` | 1 | 0.125 | 1 | sectors have 32 bytes |

It passes from 60 of 100 points.
## Reading the profile
`make profile LAB={number}`
## Hints
<details><summary>Hint 1: one</summary></details>
<details><summary>Hint 2: two</summary></details>
<details><summary>Hint 3: three</summary></details>
## Going further
"""

FIGURE = '<svg viewBox="0 0 9 9"><title>An idea</title><rect width="9" height="9" fill="#ffffff"/></svg>\n'
HIDDEN = "".join(
    f'[[case]]\nname = "{name}"\nsizes = {{ j = {j} }}\n' for name, j in (("secret sizes", 50), ("b", 3), ("c", 4))
)

KERNEL = "__global__ void multiply(const float* a) {\n  // a kernel\n}\n"


class FakeCheckout:
    """The folders of a checkout under `root`, with two labs built by fake tools."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.build = root / "build" / "default"
        self.judge_log = root / "judge.log"
        (root / "harness").mkdir(parents=True)
        (root / "tools").mkdir()
        (root / "solutions").mkdir()
        shutil.copy(Path(__file__).resolve().parents[2] / "solutions" / "stubs.py", root / "solutions")
        (root / "include").mkdir()
        (root / "include" / "cuda_runtime.h").write_text("// the emulator's header\n", encoding="utf-8")
        self._program(root / "tools" / "simtcc", _COMPILER.format(python=sys.executable, header=_OBJECT_HEADER))
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
        (lab / "figures").mkdir()
        (lab / "figures" / "idea.svg").write_text(FIGURE, encoding="utf-8")
        (lab / "README.md").write_text(HANDOUT.format(number=name[:2], title=title), encoding="utf-8")
        (lab / "kernel.cu").write_text(
            "__global__ void multiply(const float* a, float* c, int n) {\n  //@@ your code here\n}\n", encoding="utf-8"
        )
        (solution / "kernel.cu").write_text(SOLUTION, encoding="utf-8")
        (solution / "hidden.toml").write_text(HIDDEN, encoding="utf-8")
        examples = {
            "pass": example_facts.passed_facts(),
            "full": _with_score(100.0),
            "slow": _with_score(0.0),
            "unsafe": example_facts.unsafe_facts(),
            "wrong_answer": example_facts.wrong_facts(),
            "unsolved": example_facts.wrong_facts(verdict="unsolved", message="the stub is unchanged"),
            "internal": example_facts.passed_facts(verdict="internal_error", message="the runner never answered"),
        }
        judge = described / f"judge-{name}"
        self._program(
            judge,
            _JUDGE.format(
                python=sys.executable,
                examples=json.dumps(examples),
                lab=name,
                log=str(self.judge_log),
                region=REGION,
                description=_DESCRIPTION | {"lab": name},
            ),
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


def _with_score(score: float) -> dict[str, object]:
    facts = example_facts.passed_facts()
    facts["fast"]["score"] = score
    for criterion in facts["fast"]["criteria"]:
        criterion["fraction"] = score / 100
    return facts
