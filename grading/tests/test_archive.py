"""An entry that is not allowed is left out with a sentence, all others are taken, nothing is written outside."""

import io
import re
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simtlab.errors import UsageError
from simtlab.intake import archive
from simtlab.intake.archive import unpack


def zipped(folder: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    path = folder / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in entries:
            target.writestr(name, content)
    return path


def link(name: str, kind: int = stat.S_IFLNK) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (kind | 0o777) << 16
    return entry


def test_an_ordinary_archive_is_unpacked_without_its_litter(tmp_path: Path) -> None:
    path = zipped(
        tmp_path,
        ("alice/07-shared-tiling/kernel.cu", b"a"),
        ("bob\\07-shared-tiling\\kernel.cu", b"b"),
        ("__MACOSX/alice/._kernel.cu", b"litter"),
        ("alice/.DS_Store", b"litter"),
        ("empty/", b""),
    )
    assert unpack(path, tmp_path / "out").files == 2
    assert (tmp_path / "out" / "bob" / "07-shared-tiling" / "kernel.cu").read_bytes() == b"b"
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == ["alice", "bob"]


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([("../evil.cu", b"")], "leaves the folder"),
        ([("a/../../evil.cu", b"")], "leaves the folder"),
        ([("a\\..\\..\\evil.cu", b"")], "leaves the folder"),
        ([("/etc/evil", b"")], "absolute path"),
        ([("C:\\evil", b"")], "absolute path"),
        ([(link("alice/kernel.cu"), b"/etc/passwd")], "symbolic link"),
        ([(link("pipe", stat.S_IFIFO), b"")], "neither file nor folder"),
        ([("alice/Kernel.cu", b"1"), ("alice/kernel.cu", b"2")], "case or accents"),
        ([("Alice/a", b"1"), ("alice/b", b"2")], "case or accents"),
        ([("e\u0301/a", b"1"), ("\u00e9/b", b"2")], "case or accents"),
        ([("a", b"1"), ("a/b", b"2")], "a file and a folder"),
        ([("a/b", b"1"), ("a", b"2")], "a file and a folder"),
        ([("a/b", b"1"), ("a/b", b"2")], "in it twice"),
        ([("a\x1b[31m/b", b"1")], "control character"),
        ([("/".join("a" * 20), b"1")], "nested"),
        ([("a" * 201, b"1")], "named longer"),
        ([("alice/kernel.cu", bytes(8 * 1024 * 1024))], "zip bomb"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_bad_entry_refuses_that_entry_and_not_the_class(
    tmp_path: Path, entries: list[tuple[str | zipfile.ZipInfo, bytes]], told: str
) -> None:
    path = zipped(tmp_path, ("good/kernel.cu", b"fine"), *entries, ("other/kernel.cu", b"fine, too"))
    unpacked = unpack(path, tmp_path / "out")
    assert re.search(told, " ".join(unpacked.notes)), unpacked.notes
    for name in ("good", "other"):
        assert (tmp_path / "out" / name / "kernel.cu").read_bytes().startswith(b"fine")
    assert not any(one.is_symlink() for one in (tmp_path / "out").rglob("*"))
    assert sorted(one.name for one in tmp_path.iterdir()) == ["class.zip", "out"]


def test_an_archive_of_nothing_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="leaves the folder, and nothing else is in it"):
        unpack(zipped(tmp_path, ("../evil.cu", b"")), tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_damaged_entry_is_left_out(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("a/kernel.cu", b"x" * 5000), ("b/kernel.cu", b"fine"))
    content = bytearray(path.read_bytes())
    content[40:44] = b"\xff" * 4  # inside the first one's packed bytes
    path.write_bytes(content)
    unpacked = unpack(path, tmp_path / "out")
    assert unpacked.files == 1
    assert "a/kernel.cu is damaged" in unpacked.notes[0]
    assert not (tmp_path / "out" / "a" / "kernel.cu").exists()


def test_folders_that_differ_in_case_are_two_students(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("Alice/07/kernel.cu", b"1"), ("alice/08/kernel.cu", b"2"))
    unpacked = unpack(path, tmp_path / "out")
    assert (unpacked.files, unpacked.notes) == (
        2, ["Alice, alice differ in case or accents alone: taken as 2 folders"]
    )  # fmt: skip


def test_whoever_fills_the_archive_takes_nobodys_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as target:
        for number in range(20_001):
            target.writestr(zipfile.ZipInfo(f"class/mallory/f{number}"), b"")
        target.writestr("class/alice/07/kernel.cu", b"fine")
    unpacked = unpack(path, tmp_path / "out")
    assert unpacked.files == 1
    assert "mallory holds more than there is room for (20,000 files" in unpacked.notes[0]
    monkeypatch.setattr(archive, "MOST_BYTES", 100_000)
    large = [(f"mallory/{number}.cu", bytes(range(256)) * 100) for number in range(10)]
    path = zipped(tmp_path, *large, *((f"s{number}/kernel.cu", b"fine") for number in range(10)))
    unpacked = unpack(path, tmp_path / "more")
    assert unpacked.files == 10
    assert "mallory" in unpacked.notes[0]


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 3000)), min_size=1, max_size=8))
def test_whoever_takes_no_more_than_their_part_of_the_room_is_never_left_out(
    tmp_path_factory: pytest.TempPathFactory, students: list[tuple[int, int]]
) -> None:
    place = tmp_path_factory.mktemp("zip")
    students = [(1, 1), *students]
    entries = [
        (f"s{number}/f{one}", bytes(size)) for number, (files, size) in enumerate(students) for one in range(files)
    ]
    path = zipped(place, *entries)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "MOST_FILES", 20)
        patch.setattr(archive, "MOST_BYTES", 20_000)
        unpack(path, place / "out")
    there = {one.name for one in (place / "out").iterdir()}
    for number, (files, size) in enumerate(students):
        if max(files / 20, files * size / 20_000) <= 1 / len(students):
            assert f"s{number}" in there


def test_a_large_file_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES_OF_A_FILE", 1000)
    path = zipped(tmp_path, ("s0/kernel.cu", bytes(range(256)) * 100), ("s1/kernel.cu", b"fine"))
    unpacked = unpack(path, tmp_path / "out")
    assert unpacked.files == 1
    assert "s0/kernel.cu has more than" in unpacked.notes[0]


def test_a_stated_size_that_is_a_lie_is_noticed(tmp_path: Path) -> None:
    path = zipped(tmp_path, ("kernel.cu", b"x" * 5000))
    content = bytearray(path.read_bytes())
    central = content.rindex(b"PK\x01\x02")
    content[central + 24 : central + 28] = struct.pack("<I", 3)
    path.write_bytes(content)
    try:
        unpack(path, tmp_path / "out")
    except UsageError:
        assert list((tmp_path / "out").iterdir()) == []
    else:
        assert (tmp_path / "out" / "kernel.cu").stat().st_size <= 5000


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept", encoding="utf-8")
    with pytest.raises(UsageError, match="not empty"):
        unpack(tmp_path / "class.zip", tmp_path)
    assert (tmp_path / "mine").exists()


NAMES = st.lists(
    st.sampled_from(["..", ".", "a", "A", "kernel.cu", "", "C:", "~", "é", "\u202e", "con", "a b"]),
    min_size=1,
    max_size=5,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    entries=st.lists(st.tuples(NAMES, st.sampled_from(["/", "\\"]), st.binary(max_size=40), st.booleans()), max_size=5),
    flips=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=3),
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_whatever_is_in_it_nothing_is_written_outside(
    tmp_path_factory: pytest.TempPathFactory,
    entries: list[tuple[list[str], str, bytes, bool]],
    flips: list[tuple[int, int]],
) -> None:
    place = tmp_path_factory.mktemp("fuzz")
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        for steps, separator, content, is_link in entries:
            name = separator.join(steps) or "x"
            target.writestr(link(name) if is_link else name, content)
    damaged = bytearray(stream.getvalue())
    for position, value in flips:
        damaged[position % len(damaged)] = value
    (place / "fuzz.zip").write_bytes(damaged)
    out = place / "deep" / "out"
    try:
        count = unpack(place / "fuzz.zip", out).files
    except UsageError as fault:
        told = str(fault)
        assert list(out.iterdir()) == []
    else:
        assert count == sum(path.is_file() for path in out.rglob("*"))
        told = "fuzz.zip"
    assert "fuzz.zip" in told
    assert {path.name for path in place.iterdir()} == {"fuzz.zip", "deep"}
    assert {path.name for path in (place / "deep").iterdir()} == {"out"}
    assert not any(path.is_symlink() for path in out.rglob("*"))
