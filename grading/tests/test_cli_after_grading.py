"""What people ask after a grading: why these points, once more please, and the points for another system."""

import csv
import importlib
import io
import json
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import simtlab.cli as simtlab_cli
from simtlab.cli import app
from simtlab.course.course import Course
from simtlab.report.anonymous import anonymised
from simtlab.score.table import class_document
from simtlab.store.progress import RunningSubmission, RunProgress
from tests.example_facts import passed_facts
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.graded_book import STARTED, book_of

TILING = "07-shared-tiling"
COURSE = """
[late]
percent_per_day = 10
[labs.07-shared-tiling]
due = 2026-10-01T00:00:00Z
[[override]]
student = "carol"
lab = "07-shared-tiling"
points = 80
comment = "the idea is right"
author = "A. Teacher"
"""
METADATA = """---
submission_1:
  :submitters:
  - :name: Alice
    :email: alice@example.org
  :created_at: 2026-10-02 12:00:00.000 Z
"""


@pytest.fixture
def graded(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    """alice is unsafe, bob is wrong, carol handed in nothing and was set by hand."""
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    checkout.submit("alice", TILING, KERNEL + "// fake judge: unsafe\n")
    checkout.submit("bob", TILING, KERNEL + "// fake judge: wrong_answer\n")
    (checkout.class_folder / "carol").mkdir()
    (checkout.root / "course.toml").write_text(COURSE, encoding="utf-8")
    assert simtlab("grade", "class")[0] == 0
    return checkout


def simtlab(*words: str) -> tuple[int, str]:
    """Exit code and everything that was printed; a fault's message is among it."""
    done = CliRunner().invoke(app, list(words))
    if done.exception and not isinstance(done.exception, SystemExit):
        return 2, f"{done.output}{done.exception}"
    return done.exit_code, done.output


def test_explain_prints_the_arithmetic(graded: FakeCheckout) -> None:
    code, text = simtlab("explain", "alice", "07")
    assert code == 0
    assert [line.split()[:3] for line in text.splitlines() if line.startswith(("correct", "safe", "fast "))] == [
        ["correct", "50", "50"],
        ["safe", "0", "20"],
        ["fast", "22.5", "30"],
    ]
    assert "fast: 60 × 0.5 + 40 × 1 = 75.00 of 100" in text
    assert "Kernel parameters beside pointers: 24 bytes in 1 launch of the benchmark." in text
    assert "Total of alice: 72.5 of 100 points." in text
    assert max(map(len, text.splitlines())) <= 80
    told = json.loads(simtlab("explain", "carol", "07", "--json")[1])
    assert (told["points"], told["total"]) == (80, 80)
    assert told["grade"]["adjustments"] == [
        {"kind": "override", "reason": "set to 80 by A. Teacher: the idea is right", "points": 80.0, "days": 0}
    ]


def test_explain_names_what_it_does_not_know(graded: FakeCheckout) -> None:
    assert "a student 'zoe'; it has: alice, bob, carol" in simtlab("explain", "zoe", "07")[1]
    assert simtlab("explain", "alice", "99")[0] == 2


def test_replay_runs_the_failed_case_again_with_its_seed(graded: FakeCheckout) -> None:
    before = len(list((graded.root / "results" / "results").glob("*/*")))
    code, text = simtlab("replay", "bob", "07")
    assert code == 0
    assert "ragged edges (hidden): j 33, k 17, l 65" in text
    assert "[32][2]" in text
    assert "never written" in text
    told = json.loads(simtlab("replay", "bob", "07", "ragged edges", "--json")[1])
    assert [one["same"] for one in told["cases"]] == [True]
    assert told["seed"] == int((graded.root / "results" / "seed").read_text(encoding="ascii"))
    assert len(list((graded.root / "results" / "results").glob("*/*"))) == before, "the stored result stays"
    assert (
        "has no case 'nonsense'; its cases: one element, ragged edges" in simtlab("replay", "bob", "07", "nonsense")[1]
    )
    assert "nothing ran that could be replayed" in simtlab("replay", "carol", "07")[1]


def test_an_export_is_written_and_named(graded: FakeCheckout) -> None:
    code, text = simtlab("export", "csv", "out", "--json")
    assert (code, json.loads(text)["files"]) == (0, ["out/grades.csv"])
    rows = list(csv.reader(io.StringIO((graded.root / "out" / "grades.csv").read_text(encoding="utf-8"))))
    assert [row[3] for row in rows if row[1] == "total"] == ["72.5", "25", "80"]
    assert "expected one of csv, json, canvas" in simtlab("export", "excel")[1]


def test_an_anonymous_report_names_nobody_and_can_be_asked_about(graded: FakeCheckout) -> None:
    assert simtlab("report", "anonymous", "--anonymous")[0] == 0
    pages = {path: path.read_text(encoding="utf-8") for path in (graded.root / "anonymous").rglob("*.html")}
    assert len(pages) == 5
    for path, text in pages.items():
        assert not {"alice", "bob", "carol"} & set(text.replace(">", " ").replace("<", " ").split())
        assert "alice" not in path.name
    [pseudonym] = [
        path.name.split(".")[0]
        for path, text in pages.items()
        if "tile is read before" in text and path.parent.name == "submissions"
    ]
    assert "Total of alice" in simtlab("explain", pseudonym, "07")[1]


def test_nothing_of_an_anonymous_book_names_a_student() -> None:
    """Policies and a running grading name students, too."""
    course = Course.model_validate(
        {
            "override": [{"student": "alice", "lab": TILING, "points": 1, "comment": "c", "author": "d"}],
            "group": [{"members": ["alice", "bob"]}],
            "leaderboard": {"pseudonyms": {"bob": "Heron"}},
        }
    )
    book = book_of({(name, TILING): passed_facts() for name in ("alice", "bob")}, course)
    running = [RunningSubmission(student="bob", lab=TILING, since=STARTED)]
    progress = RunProgress(started_at=STARTED, written_at=STARTED, total=2, done=1, running=running)
    hidden = anonymised(replace(book, progress=progress), 7)
    assert hidden.notes == []
    assert hidden.progress
    told = f"{hidden.progress.sentences} {hidden.course} {class_document(hidden)}"
    assert "alice" not in told
    assert "bob" not in told
    assert hidden.total(hidden.run.students[0]) + hidden.total(hidden.run.students[1]) == book.total(
        "alice"
    ) + book.total("bob")


def test_a_regrade_needs_a_reason_and_keeps_it(graded: FakeCheckout) -> None:
    assert "--regrade and --reason go together" in simtlab("grade", "class", "--regrade", "bob")[1]
    assert "no submission of that name" in simtlab("grade", "class", "--regrade", "zoe/07", "--reason", "x")[1]
    code, text = simtlab("grade", "class", "--regrade", "bob/07", "--reason", "the machine was busy")
    assert code == 0
    assert "1 submission to grade, 1 already graded" in text
    assert "the machine was busy" in (graded.root / "report" / "index.html").read_text(encoding="utf-8")
    assert simtlab("grade", "class")[0] == 0, "an ordinary grading follows"
    assert "Graded once more: the machine was busy" in simtlab("explain", "bob", "07")[1]
    assert "Graded once more" not in simtlab("explain", "alice", "07")[1]
    page = graded.root / "report" / "submissions" / f"bob.{TILING}.html"
    assert "Graded once more: the machine was busy" in page.read_text(encoding="utf-8")


def test_a_late_gradescope_download_is_graded_with_its_time(graded: FakeCheckout, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("assignment_5_export/submission_metadata.yml", METADATA)
        target.writestr("assignment_5_export/submission_1/kernel.cu", KERNEL + "// fake judge: full\n")
    assert simtlab("grade", str(path), "--labs", "07")[0] == 0
    told = json.loads(simtlab("explain", "alice", "07", "--json")[1])
    assert told["points"] == 80
    assert told["grade"]["adjustments"][0]["reason"] == "2 days late, 10 % a day: 20 % of 100"


def test_every_command_prints_json_when_asked() -> None:
    def commands(*group: str) -> list[list[str]]:
        listed = simtlab(*group, "--help")[1].split("Commands:")[1]
        return [[*group, name] for name in re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE)]

    groups = {"store", "lab"}
    asked = [words for words in commands() if words[0] not in groups]
    asked += [words for group in sorted(groups) for words in commands(group)]
    assert len(asked) >= 25
    assert [words for words in asked if "--json" not in simtlab(*words, "--help")[1]] == []


def test_every_module_of_the_command_line_is_found_by_the_names_it_adds() -> None:
    folder = Path(simtlab_cli.__file__).parent
    adding = {path.stem for path in folder.glob("*.py") if "\ndef register(app" in path.read_text(encoding="utf-8")}
    found: dict[str, str] = {}
    for module in adding:
        group = typer.Typer()
        importlib.import_module(f"simtlab.cli.{module}").register(group)
        found |= dict.fromkeys(typer.main.get_group(group).commands, module)
    assert found == simtlab_cli._MODULE_OF


def test_a_subcommand_brings_no_other_in() -> None:
    look = (
        "import sys, simtlab.cli as c; c.app(['ceilings', '--help'], standalone_mode=False); print('|', *sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True).stdout
    modules = said.split("|")[-1].split()
    assert "simtlab.cli.ceilings" in modules
    assert not {"simtlab.cli.grade", "simtlab.cli.compare", "simtlab.report.site"} & set(modules)


def test_a_new_lab_and_a_saved_term_are_told_as_json(graded: FakeCheckout) -> None:
    code, text = simtlab("new-lab", "77-a-lab", "--json")
    assert code == 0, text
    written = json.loads(text)["files"]
    assert "labs/77-a-lab/lab.cpp" in written
    assert all((graded.root / name).is_file() for name in written)
    code, text = simtlab("compare", "--save", "term.json", "results", "--json")
    assert (code, json.loads(text)["submissions"]) == (0, 2)


def test_a_run_on_ones_own_input_is_told_as_json(graded: FakeCheckout) -> None:
    script = graded.root / "harness" / "setup" / "run_lab.sh"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text('#!/bin/sh\necho "wrong: $3"\nexit 1\n', encoding="utf-8")
    script.chmod(0o755)
    (graded.root / "mine.txt").write_text("n 3\n", encoding="utf-8")
    code, text = subprocess_json("run", "07", "--input", "mine.txt", folder=graded.root)
    assert code == 1
    assert (text["right"], text["exit_code"], text["lab"]) == (False, 1, TILING)
    assert text["output"].startswith("wrong: ")


def subprocess_json(*words: str, folder: Path) -> tuple[int, dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", "simtlab", *words, "--json"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, json.loads(done.stdout)
