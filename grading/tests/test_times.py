"""When plain folders were handed in: a table, the files' times, git commits; and nothing of a clone is trusted."""

import csv
import io
import os
import subprocess
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.errors import UsageError
from simtlab.intake.submission import ClassIntake
from simtlab.intake.take_in import take_in
from simtlab.intake.times import read_times, times_of_rows
from simtlab.labs.catalogue import Catalogue
from simtlab.store.results import ResultStore
from tests.fake_checkout import FakeCheckout
from tests.test_cli_after_grading import simtlab

TILING, BANKS = "07-shared-tiling", "08-bank-conflicts"
WHEN = datetime(2026, 10, 1, 21, 58, tzinfo=UTC)


def times_of(intake: ClassIntake) -> dict[tuple[str, str], datetime | None]:
    return {(one.student, one.lab): one.handed_in for one in intake.submissions}


def git(folder: Path, *words: str, when: datetime = WHEN) -> str:
    stamp = when.isoformat()
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return subprocess.run(
        ["git", *words],
        cwd=folder,
        env=os.environ
        | who
        | {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp, "GIT_CONFIG_GLOBAL": "/dev/null"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()


def commit(folder: Path, when: datetime = WHEN) -> None:
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "work", when=when)


# The table.


def test_a_table_beside_the_students_says_when(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore
) -> None:
    for student, lab in (("alice", TILING), ("alice", BANKS), ("bob", TILING), ("carol", TILING)):
        checkout.submit(student, lab)
    (checkout.class_folder / "submitted.csv").write_text(
        "\ufeffStudent;Lab;Submitted\r\n"
        "alice;07;2026-10-01 23:58:00 +0200\r\nalice;07;2026-10-01T20:00:00Z\r\n"
        "BOB@example.org;;2026-10-02T00:00:00+00:00\r\nzoe;08;2026-10-01 21:58:00 UTC\r\n",
        encoding="utf-8",
    )
    intake = take_in(checkout.class_folder, catalogue, store.keep_file)
    assert times_of(intake) == {
        ("alice", TILING): WHEN,  # the later of two
        ("alice", BANKS): None,
        ("bob", TILING): WHEN + timedelta(hours=2, minutes=2),
        ("carol", TILING): None,
    }
    assert intake.problems == ["submitted.csv has times of 1 name that the class does not have, or has twice: zoe"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("student,lab,submitted\nalice,07,2026-10-01 23:58\n", ":2: expected a time with its zone"),
        ("student,lab,submitted\n\nalice,07,yesterday\n", ":3: expected a time, such as"),
        ("student,lab,submitted\nalice,99,2026-10-01T23:58Z\n", ":2: there is no lab '99'"),
        ("who,when\nalice,x\n", ":1: expected a line of columns such as student,lab,submitted"),
        ("", ":1: expected a line of columns"),
    ],
)
def test_a_slip_in_the_table_is_named_with_its_line(
    checkout: FakeCheckout, catalogue: Catalogue, text: str, words: str
) -> None:
    path = checkout.root / "submitted.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as fault:
        read_times(path, catalogue.resolve)
    assert f"submitted.csv{words}" in str(fault.value)


_NAMES = st.text(st.sampled_from("abÄüß王, ;\"'-."), min_size=1, max_size=8).map(str.strip).filter(bool)
_TIMES = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)).map(  # noqa: DTZ001
    lambda when: when.replace(microsecond=0)
)


@given(
    st.dictionaries(_NAMES, _TIMES, min_size=1, max_size=5),
    st.sampled_from([0, 5.5, -7]).map(lambda hours: timezone(timedelta(hours=hours))),
    st.sampled_from([",", ";"]),
)
def test_every_name_and_zone_comes_back_from_a_table(
    tmp_path_factory: pytest.TempPathFactory, times: dict[str, datetime], zone: timezone, delimiter: str
) -> None:
    stream = io.StringIO()
    out = csv.writer(stream, delimiter=delimiter)
    out.writerow(["student", "submitted"])
    out.writerows([name, when.astimezone(zone).isoformat(" ")] for name, when in times.items())
    path = tmp_path_factory.mktemp("times") / "submitted.csv"
    path.write_text(stream.getvalue(), encoding="utf-8")
    students = list({name.casefold(): name for name in times}.values())
    found, notes = times_of_rows(read_times(path, str), ClassIntake(students, [TILING]), "submitted.csv")
    expected: dict[tuple[str, str], datetime] = {}
    for name, when in times.items():
        [student] = [one for one in students if one.casefold() == name.casefold()]
        expected[student, TILING] = max(when, expected.get((student, TILING), when))
    assert (found, notes) == (expected, [])


# Files.


def test_the_times_of_files_are_taken_when_asked_for(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore
) -> None:
    path = checkout.submit("alice", TILING)
    os.utime(path, (WHEN.timestamp(), WHEN.timestamp()))
    assert times_of(take_in(checkout.class_folder, catalogue, store.keep_file))["alice", TILING] is None
    intake = take_in(checkout.class_folder, catalogue, store.keep_file, times="files")
    assert times_of(intake) == {("alice", TILING): WHEN}


def test_a_download_without_such_times_is_refused_with_a_way_out(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore, tmp_path: Path
) -> None:
    download = tmp_path / "submissions"
    download.mkdir()
    (download / "liddellalice_17_900_kernel.cu").write_text("x", encoding="utf-8")
    for times in ("files", "git"):
        with pytest.raises(UsageError, match="a download of Canvas has no such times; name a CSV instead"):
            take_in(download, catalogue, store.keep_file, [TILING], times=times)
    table = tmp_path / "times.csv"
    table.write_text("student,submitted\nliddellalice-17,2026-10-01T21:58Z\n", encoding="utf-8")
    intake = take_in(download, catalogue, store.keep_file, [TILING], times=str(table))
    assert times_of(intake) == {("liddellalice-17", TILING): WHEN}


# Commits.


def test_commits_say_when_each_labs_file_was_changed_last(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore
) -> None:
    checkout.submit("alice", TILING)
    commit(checkout.class_folder / "alice")
    checkout.submit("alice", BANKS, "// another\n")
    commit(checkout.class_folder / "alice", WHEN + timedelta(days=2))
    checkout.submit("bob", TILING)
    commit(checkout.class_folder / "bob")
    checkout.submit("bob", TILING, "// not committed\n")
    git(checkout.class_folder / "alice", "pack-refs", "--all")
    git(checkout.class_folder / "alice", "gc", "-q")
    intake = take_in(checkout.class_folder, catalogue, store.keep_file, times="git")
    assert times_of(intake) == {
        ("alice", TILING): WHEN,
        ("alice", BANKS): WHEN + timedelta(days=2),
        ("bob", TILING): None,
    }
    assert intake.problems == [f"bob/{TILING} is not what the last commit holds: no time of handing in"]


def test_clones_of_a_classroom_say_when(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore, tmp_path: Path
) -> None:
    for number, student in enumerate(("alice", "bob")):
        folder = tmp_path / "clones" / f"lab-07-{student}"
        (folder / "labs" / TILING).mkdir(parents=True)
        (folder / "labs" / TILING / "kernel.cu").write_text(student, encoding="utf-8")
        commit(folder, WHEN + timedelta(days=number))
    intake = take_in(tmp_path / "clones", catalogue, store.keep_file, [TILING], times="git")
    assert times_of(intake) == {("alice", TILING): WHEN, ("bob", TILING): WHEN + timedelta(days=1)}


def test_a_shallow_clone_or_a_folder_without_git_has_no_time(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore, tmp_path: Path
) -> None:
    checkout.submit("carol", TILING, folder=tmp_path / "class")
    origin = tmp_path / "origin"
    checkout.submit(".", TILING, folder=origin)
    commit(origin)
    (origin / "notes").touch()
    commit(origin, WHEN + timedelta(days=9))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", str(tmp_path / "class" / "alice"))
    intake = take_in(tmp_path / "class", catalogue, store.keep_file, times="git")
    assert set(times_of(intake).values()) == {None}
    shallow, none = intake.problems
    assert "alice/07-shared-tiling comes from a shallow clone" in shallow
    assert "carol/07-shared-tiling stands in no git repository" in none


def test_nothing_that_a_clone_configures_is_started(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore, tmp_path: Path
) -> None:
    """git log asks a repository's own signature checker, and fetches missing objects by its own transport."""
    checkout.submit("alice", TILING)
    folder = checkout.class_folder / "alice"
    commit(folder)
    mark, program = tmp_path / "started", tmp_path / "evil"
    program.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    forged = "\ngpgsig -----BEGIN PGP SIGNATURE-----\n forged\n -----END PGP SIGNATURE-----\n\n"
    signed = git(folder, "cat-file", "commit", "HEAD").replace("\n\n", forged, 1) + "\n"
    (tmp_path / "signed").write_text(signed, encoding="utf-8")
    head = git(folder, "hash-object", "-t", "commit", "-w", str(tmp_path / "signed"))
    git(folder, "update-ref", "refs/heads/main", head)
    for name, value in {
        "log.showSignature": "true",
        "gpg.program": str(program),
        "core.fsmonitor": str(program),
        "core.pager": str(program),
        "core.alternateRefsCommand": str(program),
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": str(folder),
        "remote.origin.uploadpack": str(program),
        "core.repositoryFormatVersion": "1",
    }.items():
        git(folder, "config", name, value)
    subprocess.run(["git", "log", "-1"], cwd=folder, check=False, capture_output=True)
    assert mark.exists(), "the trap works where git reads the configuration"
    mark.unlink()
    intake = take_in(checkout.class_folder, catalogue, store.keep_file, times="git")
    assert times_of(intake) == {("alice", TILING): WHEN}
    tree = git(folder, "rev-parse", "main^{tree}")
    (folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    intake = take_in(checkout.class_folder, catalogue, store.keep_file, times="git")
    assert times_of(intake) == {("alice", TILING): None}
    assert not mark.exists()


@pytest.mark.parametrize("head", ["ref: ../../../../etc/passwd", "ref: refs/heads/../../x", "", "0" * 40, "\0"])
def test_a_forged_head_gives_no_time(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore, head: str
) -> None:
    checkout.submit("alice", TILING)
    commit(checkout.class_folder / "alice")
    (checkout.class_folder / "alice" / ".git" / "HEAD").write_text(head, encoding="utf-8")
    intake = take_in(checkout.class_folder, catalogue, store.keep_file, times="git")
    assert times_of(intake) == {("alice", TILING): None}
    assert len(intake.problems) == 1


# The whole way.


def test_a_late_folder_loses_points_by_its_table(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    checkout.submit("alice", TILING, "// fake judge: full\n")
    checkout.submit("bob", TILING, "// fake judge: full\n// bob\n")
    (checkout.root / "course.toml").write_text(
        "[late]\npercent_per_day = 10\n[labs.07]\ndue = 2026-10-01T23:59:00+02:00\n", encoding="utf-8"
    )
    (checkout.class_folder / "submitted.csv").write_text(
        "student,lab,submitted\nalice,07,2026-10-02T01:00:00+02:00\n", encoding="utf-8"
    )
    code, text = simtlab("grade", "class")
    assert code == 0
    assert "90 pass, 1 d late" in text
    assert "1 of 2 submissions has no time (bob)" in " ".join(text.split())
    assert "submitted.csv: " not in text
    told = " ".join(simtlab("explain", "alice", "07")[1].split())
    assert "Handed in 2026-10-02 01:00 UTC+02:00, due 2026-10-01 23:59 UTC+02:00." in told
