"""`simtlab claims`: every claim of the lectures with the figures measured, and the checklist that quotes them."""

import json
import os
import re
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simtlab.claims.measured import Claim, build_claims, claim_of, measure_claims
from simtlab.cli import app
from simtlab.errors import GraderError, UsageError
from simtlab.labs.catalogue import find_root
from simtlab.verify.markdown import tables_of

ROOT = find_root(Path(__file__))
BUILD = Path(os.environ.get("SIMTLAB_BUILD") or ROOT / "build" / "default")
HOLDS = {
    "name": "claim 2: shifted by one word",
    "ok": True,
    "rows": [{"what": "sectors", "lecture": "5", "measured": "5", "ok": True}],
}
FAILS = {
    "name": "claim 1: aligned",
    "ok": False,
    "rows": [{"what": "sectors", "lecture": "4", "measured": "8", "ok": False}],
}


def a_tree(place: Path, *lines: object, ends_with: int = 0) -> Path:
    """A build tree with one program that writes these lines."""
    folder = place / "harness" / "emulator" / "tests" / "claims"
    folder.mkdir(parents=True)
    program = folder / "claims_x.run"
    written = "\n".join(json.dumps(line) for line in lines)
    program.write_text(f"#!/bin/sh\ncat <<'END'\nnot of a claim\n{written}\nEND\nexit {ends_with}\n", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return place


@pytest.fixture(scope="module")
def measured() -> list[Claim]:
    build_claims(BUILD)
    return measure_claims(BUILD)


def test_all_claims_of_the_lectures_hold_with_figures(measured: list[Claim]) -> None:
    assert {one.number for one in measured if one.number is not None} == set(range(1, 25))
    for one in measured:
        assert one.ok, one.sentence
        assert one.rows, f"{one.sentence}: no figure is told"
        assert all(row.ok for row in one.rows), one.sentence


def test_the_lectures_best_known_figures_are_measured(measured: list[Claim]) -> None:
    told = {(one.number, row.what): row.measured for one in measured for row in one.rows}
    assert told[2, "efficiency by lines"] == "0.5"
    assert told[3, "useful part of the line"] == "0.03125"
    assert told[12, "versions"] == "1000"
    assert told[13, "GFLOP/s at 86.4 GB/s"] == "21.6"
    assert (told[15, "tile 16: blocks by threads"], told[15, "tile 32: blocks by threads"]) == ("6", "1")


def test_the_checklists_before_and_after_are_those_measured(measured: list[Claim]) -> None:
    figures = {row.what: row.measured for one in measured for row in one.rows}
    rows = tables_of((ROOT / "docs" / "checklist.md").read_text(encoding="utf-8"))
    quoted = re.compile(r"([\d.,]+) \(`([^`]+)`\)")
    assert len(rows) == 6
    for row in rows:
        found = quoted.findall(row[-2]) + quoted.findall(row[-1])
        assert len(found) == 2, row
        for figure, what in found:
            assert figure.replace(",", "") == figures[what], what


def test_every_claim_is_cited_by_the_handout_of_a_lab_that_shows_it_and_no_other_number_is() -> None:
    handouts = {path.parent.name: path.read_text(encoding="utf-8") for path in ROOT.glob("labs/[0-9]*/README.md")}
    cited = {lab: {int(number) for number in re.findall(r"\(claim (\d+)\)", text)} for lab, text in handouts.items()}
    assert set().union(*cited.values()) == set(range(1, 25))
    without = {lab[:2] for lab, numbers in cited.items() if not numbers}
    assert without == {"05", "10", "15", "16", "17"}, "the lectures claim nothing that these show"


def test_a_claim_that_fails_is_told_and_ends_with_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simtlab.cli.claims.build_claims", lambda _tree: None)
    tree = a_tree(tmp_path, HOLDS, FAILS, {"name": "checklist: a reduction", "ok": True, "rows": []}, ends_with=1)
    ended = CliRunner().invoke(app, ["claims", "--build", str(tree)])
    assert ended.exit_code == 1
    lines = ended.output.splitlines()
    assert [line.split()[0] for line in lines[1:] if line[:1].strip()] == ["1", "2", "–", "1"]
    assert re.search(r"sectors +4 +8 +NO", ended.output)
    assert lines[-1] == "1 claims hold, 2 figures; 1 tests fail"
    asked = CliRunner().invoke(app, ["claims", "2", "--json", "--build", str(tree)])
    assert asked.exit_code == 0
    [only] = json.loads(asked.output)["claims"]
    assert (only["number"], only["sentence"], only["ok"]) == (2, "shifted by one word", True)


def test_an_unknown_claim_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simtlab.cli.claims.build_claims", lambda _tree: None)
    ended = CliRunner().invoke(app, ["claims", "25", "--build", str(a_tree(tmp_path, HOLDS))])
    assert isinstance(ended.exception, UsageError)
    assert "there is no claim 25" in str(ended.exception)


def test_what_is_no_claim_and_no_tree_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no build tree"):
        build_claims(tmp_path)
    with pytest.raises(UsageError, match="--target claims"):
        measure_claims(tmp_path)
    with pytest.raises(GraderError, match="no claim"):
        claim_of('{"name": 3}')
    with pytest.raises(GraderError, match="ended with 70"):
        measure_claims(a_tree(tmp_path, HOLDS, ends_with=70))
