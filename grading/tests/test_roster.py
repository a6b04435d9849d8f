"""Rosters in: whoever handed in nothing stands in the table, too."""

import json
from pathlib import Path

import pytest

from simtlab.errors import UsageError
from simtlab.intake.roster import read_roster
from tests.fake_checkout import FakeCheckout
from tests.test_cli_after_grading import simtlab

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,07-shared-tiling (4711)
,,,,,Manual Posting
"    Points Possible",,,,,100
"Liddell, Alice",17,s17,alice,G1,
"Brown, Bob",18,s18,bob,G1,
"""
GRADESCOPE = """First Name,Last Name,SID,Email,Role,Sections
Alice,Liddell,4711,alice@example.org,Student,G1
Bob,Brown,18,bob@example.org,Student,G1
Prof,Essor,,prof@example.org,Instructor,
"""
CLASSROOM = """"identifier","github_username","github_id","name"
"alice@example.org","alice","1",""
"18","bob","2",""
"""
LIST = "alice\nbob\n\n"


@pytest.mark.parametrize("text", [CANVAS, GRADESCOPE, CLASSROOM, LIST])
def test_every_systems_roster_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("\ufeff" + text, encoding="utf-8")
    assert [one.names[0] for one in read_roster(path)] == ["alice", "bob"]


def test_what_is_no_roster_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("height,weight\n1,2\n", encoding="utf-8")
    with pytest.raises(UsageError, match="none of the columns"):
        read_roster(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot be read"):
        read_roster(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_roster(tmp_path / "absent.csv")


def test_who_handed_in_nothing_stands_in_the_table(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout.root)
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    checkout.submit("4711", "07-shared-tiling")
    checkout.submit("zoe", "07-shared-tiling")
    (checkout.root / "roster.csv").write_text(GRADESCOPE, encoding="utf-8")
    code, text = simtlab("grade", "class", "--roster", "roster.csv", "--allow-weak", "--json")
    assert code == 0, text
    document = json.loads(text)
    verdicts = {one["student"]: one["labs"]["07-shared-tiling"]["verdict"] for one in document["students"]}
    assert verdicts == {"4711": "pass", "bob": "not_submitted", "zoe": "pass"}, "alice goes by her number"
    assert document["problems"] == ["1 student not in the roster, graded all the same: zoe"]
