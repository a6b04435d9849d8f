"""What `make test` says at home is what the grader says: its audit, by Python's own library and pyelftools alone, and
the lab's hint. Every cheat that the audit stops is named at home, too; no control is.

Needs a build tree with the target `simtlab_judges`, as test_build_tree.py does. All cheats take minutes and are `long`;
some, drawn by `$SIMTLAB_SEED`, are tried always.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import elftools
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.cli.own_test import words_of
from simtlab.home.hints import EXPLAINED_BY, fitting_hint, is_explained
from simtlab.home.own_audit import HOST_SIDE
from simtlab.home.texts import GivenHint, given_text, read_texts
from simtlab.judge.own_kernel import OwnTest, PartResult
from simtlab.verdict import Verdict
from tests.cheat import Cheat, read_cheats
from tests.test_build_tree import BUILD, ROOT, SOLUTIONS, pytestmark  # noqa: F401 - needs what that needs

HAS_VERIFIER = (BUILD / "verifier" / "simtlab-verifier").exists()
JUDGE = ROOT / "harness" / "judge"
FORBIDDEN = [
    one
    for one in read_cheats(SOLUTIONS / "cheats")
    if one.expect is Verdict.FORBIDDEN and one.rule is not None and (one.rule != "code" or HAS_VERIFIER)
    if not one.number
]
"""What the audit stops, but for those that have to be built twice (test_cheats.py). The judge's own `forbidden`, of
computing on the host, `correct` and `safe` say at home."""
CONTROLS = read_cheats(SOLUTIONS / "controls")
TRIED = random.Random(int(os.environ.get("SIMTLAB_SEED", "1"))).sample(FORBIDDEN, 6)


class Home:
    """A student's copy of one lab with one file, compiled as `make test` does, and audited without the grader's
    packages."""

    def __init__(self, folder: Path, lab: str) -> None:
        self.lab = folder / "labs" / lab
        shutil.copytree(ROOT / "labs" / lab, self.lab)
        said = tomllib.loads((self.lab / "lab.toml").read_text(encoding="utf-8"))
        (self.lab / "lab.toml").unlink()
        (self.lab / "hints.toml").write_text(given_text(said), encoding="utf-8")
        self.tree = folder / "tree"
        described = self.tree / "labs" / lab
        described.mkdir(parents=True)
        shutil.copy(BUILD / "labs" / lab / "lab.json", described)
        self.packages = folder / "packages"
        shutil.copytree(ROOT / "grading" / "simtlab", self.packages / "simtlab")
        (self.packages / "elftools").symlink_to(Path(elftools.__file__).parent)

    def build(self, text: str) -> int:
        """The exit code of simtcc."""
        (self.lab / "kernel.cu").write_text(text, encoding="utf-8")
        made = self.tree / "labs" / self.lab.name / "runner.dir"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        words: list[Path | str] = [BUILD / "bin" / "simtcc", "-c", "kernel.cu", "-o", made / "kernel.o"]
        return subprocess.run(words, cwd=self.lab, capture_output=True, check=False).returncode

    def ask(self, *words: Path | str, packages: bool = True, machine: str = "") -> subprocess.CompletedProcess[str]:
        """`python -m simtlab.home`, with no package of this environment on its path."""
        start = f"import sys; sys.path.insert(0, {str(self.packages)!r}); sys.argv[0] = 'home'"
        if not packages:
            start += "; sys.modules['elftools'] = None"
        if machine:
            start += f"; import platform; platform.machine = lambda: {machine!r}"
        run = f"{start}; import runpy; runpy.run_module('simtlab.home', run_name='__main__')"
        command = [sys.executable, "-I", "-S", "-c", run, *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def audit(self, *, packages: bool = True, machine: str = "") -> subprocess.CompletedProcess[str]:
        return self.ask("audit", self.lab, self.tree, "emulator", packages=packages, machine=machine)


def refused_at_home(cheat: Cheat, folder: Path) -> str:
    """What is said at home, by the compiler or by the audit; empty where nothing is."""
    home = Home(folder, cheat.lab)
    compiled = home.build(cheat.text)
    done = home.audit()
    assert done.returncode in {0, 4}, done.stdout + done.stderr
    return done.stdout if done.returncode else "the compiler refuses it" if compiled else ""


@pytest.mark.parametrize("cheat", TRIED, ids=lambda one: one.name)
def test_what_the_audit_stops_is_named_at_home(cheat: Cheat, tmp_path: Path) -> None:
    assert refused_at_home(cheat, tmp_path) != ""


@pytest.mark.long
@pytest.mark.parametrize("cheat", [one for one in FORBIDDEN if one not in TRIED], ids=lambda one: one.name)
def test_whatever_the_audit_stops_is_named_at_home(cheat: Cheat, tmp_path: Path) -> None:
    assert refused_at_home(cheat, tmp_path) != ""


@pytest.mark.long
@pytest.mark.parametrize("control", [one for one in CONTROLS if one.expect is Verdict.PASS], ids=lambda one: one.name)
def test_nobody_honest_is_accused_at_home(control: Cheat, tmp_path: Path) -> None:
    home = Home(tmp_path, control.lab)
    assert home.build(control.text) == 0
    assert home.audit().stdout == ""


def test_a_solution_passes_and_a_header_too_many_is_named_with_its_line(tmp_path: Path) -> None:
    home = Home(tmp_path, "08-bank-conflicts")
    solution = (SOLUTIONS / "08-bank-conflicts" / "kernel.cu").read_text(encoding="utf-8")
    home.build(solution)
    assert (home.audit().returncode, home.audit().stdout) == (0, "")
    home.build(f"#include <fstream>\n{solution}")
    done = home.audit()
    assert done.returncode == 4
    assert "kernel.cu:1 header\n    `fstream` (kernel.cu:1) is not among the headers" in done.stdout
    assert all(len(line) <= 76 for line in done.stdout.splitlines())


def test_without_pyelftools_the_source_is_audited_and_the_rest_is_said(tmp_path: Path) -> None:
    home = Home(tmp_path, "08-bank-conflicts")
    done = home.audit(packages=False)
    said = "of your program the functions that it calls: the Python module elftools is not there\n"
    assert (done.returncode, done.stdout) == (3, said)
    (home.lab / "kernel.cu").write_text("#include <fstream>\n", encoding="utf-8")
    done = home.audit(packages=False)
    assert done.returncode == 4
    assert "kernel.cu:1 header" in done.stdout


def test_the_first_situation_that_has_a_hint_gets_it(tmp_path: Path) -> None:
    home = Home(tmp_path, "08-bank-conflicts")
    said = home.ask("hint", home.lab, "unheard-of", "shared-race", "wrong_answer", packages=False)
    assert said.stdout.startswith("Hint: One thread reads what another has written.")
    assert home.ask("hint", home.lab, "unheard-of").stdout == ""


def test_a_hint_for_the_variable_comes_before_one_for_all() -> None:
    of_all, of_n = GivenHint("out-of-bounds", "", "all"), GivenHint("out-of-bounds", "n", "n alone")
    assert fitting_hint([of_all, of_n], [("out-of-bounds", "n")]) == "n alone"
    assert fitting_hint([of_all, of_n], [("out-of-bounds", "p")]) == "all"
    assert fitting_hint([of_n], [("out-of-bounds", "p"), ("out-of-bounds", "n")]) == "n alone"
    assert fitting_hint([of_n], [("out-of-bounds", "")]) == ""


def test_what_the_judge_explains_is_known_by_its_words() -> None:
    assert is_explained("small: p[0] is 1. That is enough the other way round: x and y are swapped in the grid.")
    assert not is_explained("small: p[0] is 1, expected 2.")
    written = "".join(re.sub(r'"\n\s*"', "", p.read_text("utf-8")) for p in JUDGE.glob("decide/*.cpp"))
    spoken = [words for words in EXPLAINED_BY if not words.endswith("number above zero")]
    assert [words for words in spoken if words.replace("float", "{3}") not in written] == []


def test_the_grader_preprocesses_with_the_same_options() -> None:
    compiler = (ROOT / "grading" / "simtlab" / "compiler" / "compile.py").read_text(encoding="utf-8")
    assert "_HOST_SIDE = [" + ", ".join(f'"{word}"' for word in HOST_SIDE) + "]" in compiler


@given(st.text(), st.text(), st.lists(st.text(), min_size=1))
def test_whatever_a_lab_says_is_read_as_it_was_written(when: str, text: str, names: list[str]) -> None:
    hints = [{"when": when, "text": text}, {"when": text, "variable": when, "text": text}]
    said = {"allowed_headers": names, "hints": hints}
    assert tomllib.loads(given_text(said)) == said


def test_the_labs_own_file_comes_first(tmp_path: Path) -> None:
    (tmp_path / "hints.toml").write_text('allowed_headers = ["a"]\n', encoding="utf-8")
    assert read_texts(tmp_path).lists.headers == {"a"}
    (tmp_path / "lab.toml").write_text('allowed_headers = ["b"]\n', encoding="utf-8")
    assert read_texts(tmp_path).lists.headers == {"b"}


def test_an_object_of_another_processor_is_not_read_and_that_is_said(tmp_path: Path) -> None:
    home = Home(tmp_path, "08-bank-conflicts")
    done = home.audit(machine="aarch64")
    assert (done.returncode, done.stdout) == (
        3,
        "of your program the functions that it calls: only objects of x86-64 are read\n",
    )
    tested = OwnTest("08-bank-conflicts", "", parts=[PartResult("correct", True, "", 0.1)], objects_audited=False)
    assert "note  audit    of your program the functions that it calls: only objects of x86-64" in words_of(tested)
