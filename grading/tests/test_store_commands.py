"""A store is verified, indexed anew, moved in one file, and given to research without names."""

import hashlib
import io
import json
import tarfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simtlab.store.archive import export_store
from simtlab.store.class_run import ClassRun, RunEntry, write_run
from simtlab.store.results import ResultStore
from simtlab.store.withdrawals import Withdrawal, add_withdrawal
from tests.test_cli_after_grading import simtlab
from tests.test_store import PARTS, result_of

SOURCE = b"// alice's own words\n__global__ void k() {}\n"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def filled(folder: Path) -> ResultStore:
    """A store as a term leaves it: results of two students, a run, a withdrawal, a seed."""
    store = ResultStore(folder)
    digest = store.keep_file(SOURCE)
    for student in ("alice", "bob"):
        store.add(result_of(PARTS.model_copy(update={"student": student, "files": {"kernel.cu": digest}})))
    entries = [RunEntry(student="alice", lab=PARTS.lab, key=next(iter(store.keys())))]
    write_run(
        store,
        ClassRun(
            class_name="class", started_at=NOW, backend="emulator", backend_reason="", seed=1,
            students=["alice", "bob"], labs=[PARTS.lab], entries=entries, problems=[],
        ),
    )  # fmt: skip
    key = next(iter(store.keys()))
    entry = Withdrawal(
        key=key, student="alice", lab=PARTS.lab, withdrawn=True, by="A. Teacher", reason="copied", at=NOW
    )
    add_withdrawal(store, entry)
    store.seed()
    return store


def content_of(folder: Path) -> dict[str, bytes]:
    """All that grades depend on."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "index.sqlite"
    }


def packed(members: Iterable[tuple[str, bytes]]) -> bytes:
    """An archive as anybody could write one."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return zstandard.compress(plain.getvalue())


def archive_of(files: dict[str, bytes], version: int = 1) -> bytes:
    head = {"format": "simtlab-store-archive", "version": version, "files": len(files)}
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    own = [(f"store/{name}", content) for name, content in files.items()]
    return packed(
        [("store/archive.json", json.dumps(head).encode()), *own, ("store/checksums.json", json.dumps(sums).encode())]
    )


def test_a_whole_store_is_whole(tmp_path: Path) -> None:
    filled(tmp_path / "store")
    code, text = simtlab("store", "verify", "--store", str(tmp_path / "store"))
    counts = (
        "2 in results/, 1 in files/, 1 in runs/, 1 in withdrawals/, 0 in proposals/, 0 in decisions/, 0 in holds/, "
    )
    assert (code, f"{counts}0 in canaries/; 0 problems" in text) == (0, True)


@pytest.mark.parametrize(
    ("folder", "change", "said"),
    [
        ("results", lambda path: path.write_bytes(path.read_bytes()[:200]), "is damaged"),
        ("results", lambda path: path.rename(path.with_name("0" * 64 + ".json")), "none of the store's files"),
        ("files", lambda path: path.write_bytes(b"another text"), "its content has another hash"),
        ("files", lambda path: path.unlink(), "is gone: restore it, or grade the submission again"),
        ("runs", lambda path: path.write_text("{}"), "is damaged"),
        ("withdrawals", lambda path: path.write_text("{"), "is damaged"),
        ("files", lambda path: path.with_name("notes.txt").write_text("mine"), "none of the store's files"),
    ],
)
def test_what_is_wrong_is_named_and_left_as_it_is(tmp_path: Path, folder: str, change: object, said: str) -> None:
    filled(tmp_path / "store")
    change(min((tmp_path / "store" / folder).rglob("*.*" if folder != "files" else "?" * 64)))  # type: ignore[operator]
    before = content_of(tmp_path / "store")
    code, text = simtlab("store", "verify", "--json", "--store", str(tmp_path / "store"))
    problems = json.loads(text)["problems"]
    assert code == 1
    assert any(said in problem for problem in problems), problems
    assert all(str(tmp_path) not in problem for problem in problems)
    assert content_of(tmp_path / "store") == before


def test_the_index_is_made_again(tmp_path: Path) -> None:
    store = filled(tmp_path / "store")
    (store.folder / "index.sqlite").write_text("no database")
    code, text = simtlab("store", "rebuild", "--store", str(store.folder))
    assert (code, "2 results" in text) == (0, True)


def test_a_store_that_was_moved_is_the_same_store(tmp_path: Path) -> None:
    store, file = filled(tmp_path / "here"), tmp_path / "term.tar.zst"
    (store.folder / "results" / "ab").mkdir(exist_ok=True)
    (store.folder / "results" / "ab" / ".x.json.host.1.1.tmp").write_text("a writer's")
    code, text = simtlab("store", "export", str(file), "--store", str(store.folder))
    assert (code, "6 files" in text, file.stat().st_mode & 0o777) == (0, True, 0o600)
    assert simtlab("store", "export", str(file), "--store", str(store.folder))[0] == 2, "no file is written over"
    there = tmp_path / "there"
    code, text = simtlab("store", "import", str(file), "--store", str(there))
    assert (code, "6 files added, 0 were there already" in text) == (0, True)
    assert content_of(there) == {
        name: one for name, one in content_of(store.folder).items() if not name.endswith(".tmp")
    }
    code, text = simtlab("store", "import", str(file), "--store", str(there))
    assert (code, "0 files added, 6 were there already" in text) == (0, True)


def test_a_store_that_is_moved_is_told_of_as_json(tmp_path: Path) -> None:
    store, file = filled(tmp_path / "here"), tmp_path / "term.tar.zst"
    for words, wanted in (
        (["rebuild", "--store", str(store.folder)], {"kind": "index", "results": 2, "unreadable": 0}),
        (["export", str(file), "--store", str(store.folder)], {"kind": "archive", "path": str(file), "files": 6}),
        (
            ["import", str(file), "--store", str(tmp_path / "there")],
            {"kind": "import", "added": 6, "present": 0, "other": [], "notes": []},
        ),
    ):
        code, text = simtlab("store", *words, "--json")
        assert (code, json.loads(text)) == (0, {"format": "simtlab-store", "version": 1, **wanted})


def test_what_a_store_has_stays_and_the_difference_is_named(tmp_path: Path) -> None:
    store, file = filled(tmp_path / "here"), tmp_path / "term.tar.zst"
    export_store(store, file)
    there = ResultStore(tmp_path / "there")
    other = result_of(PARTS.model_copy(update={"student": "bob", "files": {"kernel.cu": there.keep_file(SOURCE)}}))
    there.add(other.model_copy(update={"seconds": 9.0}))
    own_seed = there.seed()
    code, text = simtlab("store", "import", str(file), "--store", str(there.folder))
    assert (code, "another content" in text, "keeps its own seed" in text) == (1, True, True)
    assert (there.get(other.key).seconds, there.seed()) == (9.0, own_seed)  # type: ignore[union-attr]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.floats(0, 1, exclude_max=True), flip=st.integers(0, 7), kind=st.sampled_from(["cut", "flip"]))
def test_a_damaged_archive_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, cut: float, flip: int, kind: str
) -> None:
    place = tmp_path_factory.mktemp("archive")
    export_store(filled(place / "here"), place / "whole")
    content = bytearray((place / "whole").read_bytes())
    at = int(cut * len(content))
    if kind == "cut":
        del content[at:]
    else:
        content[at] ^= 1 << flip
    (place / "damaged").write_bytes(content)
    code, said = simtlab("store", "import", str(place / "damaged"), "--store", str(place / "there"))
    held = content_of(place / "there")
    if code == 0:  # a bit that zstd does not read
        assert held == content_of(place / "here")
    else:
        assert (code, held) == (2, {})
        assert "nothing was imported" in said


@pytest.mark.parametrize(
    "content",
    [
        b"no archive",
        packed([("store/archive.json", b"{}")]),
        archive_of({"../../outside": b"x"}),
        archive_of({"results/../../../outside": b"x"}),
        archive_of({"index.sqlite": b"x"}),
        archive_of({f"files/00/{'0' * 64}": b"x"})[:-1],
        packed([("/etc/passwd", b"x")]),
        packed([("store/archive.json", json.dumps({"format": "simtlab-store-archive", "version": 1}).encode())]),
    ],
)
def test_a_foreign_archive_is_refused_and_nothing_is_written(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    code, said = simtlab("store", "import", str(tmp_path / "file"), "--store", str(tmp_path / "deep" / "er" / "store"))
    assert (code, "nothing was imported" in said) == (2, True), said
    assert content_of(tmp_path) == {"file": content}


def test_an_archive_of_a_newer_format_is_named_as_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(archive_of({}, version=2))
    code, said = simtlab("store", "import", str(tmp_path / "file"), "--store", str(tmp_path / "store"))
    assert (code, "is an archive of format 2, and this simtlab reads format 1" in said) == (2, True)


def test_research_gets_numbers_and_no_name_or_text(tmp_path: Path) -> None:
    store = filled(tmp_path / "store")
    words = ("--store", str(store.folder), "--salt", str(tmp_path / "salt"))
    assert simtlab("store", "research", str(tmp_path / "one"), *words)[0] == 0
    assert simtlab("store", "research", str(tmp_path / "two"), *words)[0] == 0
    text = (tmp_path / "one").read_text(encoding="utf-8")
    assert text == (tmp_path / "two").read_text(encoding="utf-8"), "the same salt, the same ids"
    rows = [json.loads(line) for line in text.splitlines()]
    assert len({row["student"] for row in rows}) == len(rows) == 2
    assert [word for word in ("alice", "bob", "kernel.cu", "own words") if word in text] == []
    assert rows[0]["score"] == result_of().facts.fast.score  # type: ignore[union-attr]
    assert (tmp_path / "salt").stat().st_mode & 0o777 == 0o600
    other = ("--store", str(store.folder), "--salt", str(tmp_path / "other"))
    assert simtlab("store", "research", str(tmp_path / "three"), *other)[0] == 0
    others = (tmp_path / "three").read_text(encoding="utf-8").splitlines()
    assert not {row["student"] for row in rows} & {json.loads(line)["student"] for line in others}
    (tmp_path / "salt").write_text("short")
    assert simtlab("store", "research", str(tmp_path / "four"), *words)[0] != 0


@pytest.mark.parametrize("words", [["verify"], ["rebuild"], ["export", "out"], ["research", "out", "--salt", "s"]])
def test_no_store_is_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = simtlab("store", *words, "--store", "absent")
    assert (code, "absent is no store of results" in said) == (2, True)
    assert list(tmp_path.iterdir()) == []
