"""A result is stored once and whole; the key changes with all that a result depends on and with nothing else."""

import json
import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.errors import GraderError, UsageError
from simtlab.intake.submission import Submission
from simtlab.judge.run import CaseLimits
from simtlab.labs.catalogue import Catalogue, read_catalogue
from simtlab.store.archive import export_store, import_store
from simtlab.store.class_run import ClassRun, latest_run, write_run
from simtlab.store.index import ResultIndex
from simtlab.store.inspection import inspect_store
from simtlab.store.key import KeyParts, key_parts, specification_hash
from simtlab.store.progress import RunProgress, write_progress
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.example_facts import facts_of, passed_facts, wrong_facts
from tests.fake_checkout import FakeCheckout

PARTS = KeyParts(
    student="alice",
    lab="07-shared-tiling",
    files={"kernel.cu": "0" * 64},
    specification="1" * 64,
    backend="emulator",
    gpu="",
    seed=1,
    limits=[],
    runner_prefix=[],
    sandbox=["seccomp"],
    grader_version="0.1.0",
    attempt=1,
)


def result_of(parts: KeyParts = PARTS, message: str = "", **changes: object) -> Result:
    return Result(
        key=parts.key,
        parts=parts,
        verdict=Verdict.PASS,
        message=message,
        compiler=None,
        facts=facts_of(passed_facts()),
        graded_at=datetime(2026, 11, 20, 12, tzinfo=UTC),
        seconds=1.5,
    ).model_copy(update=changes)


def test_a_result_comes_back_as_it_was(store: ResultStore) -> None:
    result = result_of(facts=facts_of(wrong_facts()))
    assert store.add(result)
    assert store.get(result.key) == result


def test_the_first_result_of_a_key_stays(store: ResultStore) -> None:
    assert store.add(result_of(message="first"))
    assert not store.add(result_of(message="second"))
    kept = store.get(PARTS.key)
    assert kept is not None
    assert kept.message == "first"


def test_of_many_writers_exactly_one_is_kept(store: ResultStore) -> None:
    ready = threading.Barrier(16)
    kept: list[bool] = []

    def write(number: int) -> None:
        ready.wait()
        kept.append(store.add(result_of(message=str(number))))

    threads = [threading.Thread(target=write, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(kept) == [False] * 15 + [True]
    assert [path.name for path in (store.folder / "results").glob("*/*")] == [f"{PARTS.key}.json"]


def test_a_damaged_result_is_named_and_never_taken_for_a_grade(store: ResultStore) -> None:
    store.add(result_of())
    [path] = (store.folder / "results").glob("*/*.json")
    path.write_text(path.read_text(encoding="utf-8")[:100], encoding="utf-8")
    with pytest.raises(GraderError, match=f"{PARTS.key}.json is damaged"):
        store.get(PARTS.key)


@pytest.mark.parametrize("key", ["", "../../etc/passwd", "A" * 64, "0" * 63])
def test_what_is_no_key_is_refused(store: ResultStore, key: str) -> None:
    with pytest.raises(GraderError, match="is not a key"):
        store.get(key)


def test_leftovers_of_a_killed_writer_are_swept_and_those_of_a_living_one_stay(store: ResultStore) -> None:
    store.add(result_of())
    [path] = (store.folder / "results").glob("*/*.json")
    host = "".join(c for c in socket.gethostname() if c.isalnum() or c == "-")
    dead = path.parent / f".{path.name}.{host}.4194999.1.tmp"
    living = path.parent / f".{path.name}.{host}.{os.getpid()}.1.tmp"
    elsewhere = path.parent / f".{path.name}.another-host.4194999.1.tmp"
    for one in (dead, living, elsewhere):
        one.write_text("{", encoding="utf-8")
    assert store.sweep() == 1
    assert (dead.exists(), living.exists(), elsewhere.exists()) == (False, True, True)
    assert list(store.keys()) == [PARTS.key]


def test_whatever_a_killed_process_was_writing_is_swept(store: ResultStore) -> None:
    """A record, the progress, the seed, and an archive's files: all have names of the one form."""
    now = datetime.now(UTC)

    def die(*_: object) -> None:
        os._exit(1)

    def write(name: str) -> None:
        for where, call in ((os, "link"), (os, "fsync"), (Path, "replace")):
            setattr(where, call, die)
        if name == "record":
            run = ClassRun(
                class_name="class", started_at=now, backend="emulator", backend_reason="", seed=1, students=[], labs=[],
                entries=[], problems=[],
            )  # fmt: skip
            write_run(store, run)
        elif name == "progress":
            write_progress(store, RunProgress(started_at=now, written_at=now, total=1, done=0, running=[]))
        elif name == "seed":
            store.seed()
        elif name == "import":
            import_store(archive, ResultStore(imported))
        else:
            store.add(result_of())

    other = ResultStore(store.folder.parent / "other")
    other.add(result_of())
    archive, imported = store.folder.parent / "archive", store.folder.parent / "imported"
    export_store(other, archive)
    for name in ("record", "progress", "seed", "import", "result"):
        process = os.fork()
        if process == 0:
            try:
                write(name)
            finally:
                os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 1, name
        place = ResultStore(imported) if name == "import" else store
        left = [path for path in place.folder.rglob("*") if path.is_file()]
        assert left, name
        assert place.sweep() == 1, left
        assert [path for path in place.folder.rglob("*") if path.is_file()] == []


def test_what_a_newer_simtlab_wrote_is_named_and_left_as_it_is(store: ResultStore) -> None:
    store.add(result_of())
    [path] = (store.folder / "results").glob("*/*.json")
    newer = path.read_text(encoding="utf-8").replace('"version": 1', '"version": 2', 1) + " "
    path.write_text(newer.replace('"verdict"', '"end"'), encoding="utf-8")
    with pytest.raises(UsageError, match=r"is a result of format 2, .* format 1: use the simtlab that wrote it"):
        store.get(PARTS.key)
    (store.folder / "store.json").write_text('{"format": "simtlab-store", "version": 2}', encoding="utf-8")
    with pytest.raises(UsageError, match=r"store is of format 2, .*name another store with --store. Nothing was"):
        ResultStore(store.folder)
    assert path.read_text(encoding="utf-8").startswith(newer[:40])


def test_a_store_that_cannot_be_made_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="choose another with --store"):
        ResultStore(tmp_path / "file" / "store")


@given(content=st.binary(max_size=300))
def test_submitted_files_come_back_byte_for_byte(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    store = ResultStore(tmp_path_factory.mktemp("store"))
    digest = store.keep_file(content)
    assert store.keep_file(content) == digest
    assert store.file(digest) == content


CHANGES = {
    "student": "bob",
    "lab": "08-bank-conflicts",
    "files": {"kernel.cu": "f" * 64},
    "specification": "2" * 64,
    "backend": "cuda",
    "gpu": "NVIDIA H200, 580.1",
    "seed": 2,
    "limits": ["--limit-seconds", "5"],
    "runner_prefix": ["srun"],
    "sandbox": [],
    "grader_version": "0.2.0",
    "attempt": 2,
}


@pytest.mark.parametrize("member", list(KeyParts.model_fields))
def test_every_part_changes_the_key(member: str) -> None:
    assert PARTS.model_copy(update={member: CHANGES[member]}).key != PARTS.key


@given(st.text(), st.text(), st.dictionaries(st.text(), st.text()), st.dictionaries(st.text(), st.text()))
def test_different_parts_never_share_a_key(one: str, other: str, files: dict[str, str], more: dict[str, str]) -> None:
    first = PARTS.model_copy(update={"student": one, "files": files})
    second = PARTS.model_copy(update={"student": other, "files": more})
    assert (first.key == second.key) == ((one, files) == (other, more))


@given(st.dictionaries(st.text(), st.text(), min_size=2))
def test_the_order_of_files_does_not_change_the_key(files: dict[str, str]) -> None:
    backwards = dict(reversed(files.items()))
    one, other = (PARTS.model_copy(update={"files": order}) for order in (files, backwards))
    assert one.key == other.key


def key_of(catalogue: Catalogue) -> str:
    lab = catalogue.labs["07-shared-tiling"]
    submission = Submission("alice", lab.name, {"kernel.cu": "0" * 64})
    return key_parts(
        submission,
        specification_hash(lab, "emulator"),
        backend="emulator",
        gpu="",
        seed=1,
        limits=CaseLimits(),
        runner_prefix=[],
    ).key


def test_a_new_judge_compiler_header_or_hidden_case_makes_a_new_key_and_new_points_do_not(
    checkout: FakeCheckout,
) -> None:
    def key() -> str:
        return key_of(read_catalogue(checkout.root, checkout.build))

    lab_toml = checkout.root / "labs" / "07-shared-tiling" / "lab.toml"
    before = key()
    lab_toml.write_text(lab_toml.read_text(encoding="utf-8").replace("50", "60"), encoding="utf-8")
    assert key() == before
    for path in (
        checkout.build / "labs" / "07-shared-tiling" / "judge-07-shared-tiling",
        checkout.root / "tools" / "simtcc",
        checkout.root / "include" / "cuda_runtime.h",
        checkout.root / "solutions" / "07-shared-tiling" / "hidden.toml",
    ):
        previous = key()
        with path.open("a", encoding="utf-8") as stream:
            stream.write('\n[[case]]\nname = "one more"\n' if path.suffix == ".toml" else "\n# changed\n")
        assert key() != previous, path


def test_whoever_else_has_to_accept_a_submission_makes_a_new_key(
    checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch
) -> None:
    description = next((checkout.build / "labs" / "07-shared-tiling").glob("lab.json"))
    text = json.loads(description.read_text(encoding="utf-8"))
    alone = key_of(read_catalogue(checkout.root, checkout.build))
    program = checkout.root / "tools" / "simtcc"
    text["backends"]["emulator"]["front_ends"] = [
        {"name": name, "program": str(program)} for name in ("nvcc 13.0", "clang++ 14")
    ]
    description.write_text(json.dumps(text), encoding="utf-8")
    keys = {alone}
    for wanted in ("nvcc", "clang++"):
        monkeypatch.setenv("SIMTLAB_FRONT_END", wanted)
        keys.add(key_of(read_catalogue(checkout.root, checkout.build)))
    assert len(keys) == 3


def test_the_index_is_rebuilt_from_the_files(store: ResultStore) -> None:
    results = [result_of(PARTS.model_copy(update={"attempt": attempt})) for attempt in (1, 2)]
    for result in results:
        store.add(result)
    index = ResultIndex(store)
    assert index.count() == 2
    assert sorted(index.keys_of("alice", "07-shared-tiling")) == sorted(result.key for result in results)
    index.close()
    (store.folder / "index.sqlite").write_bytes(b"this is no database" * 100)
    again = ResultIndex(store)
    assert again.count() == 2
    again.close()


def test_the_index_forgets_what_was_moved_away(store: ResultStore) -> None:
    store.add(result_of())
    ResultIndex(store).close()
    for path in (store.folder / "results").glob("*/*.json"):
        path.unlink()
    index = ResultIndex(store)
    assert index.count() == 0
    index.close()


def test_the_latest_run_is_found(store: ResultStore) -> None:
    with pytest.raises(UsageError, match="run `simtlab grade DIR` first"):
        latest_run(store)
    run = ClassRun(
        class_name="first",
        started_at=datetime(2026, 11, 20, tzinfo=UTC),
        backend="emulator",
        backend_reason="",
        seed=1,
        students=[],
        labs=[],
        entries=[],
        problems=[],
    )
    write_run(store, run)
    write_run(store, run.model_copy(update={"class_name": "second", "started_at": datetime(2026, 11, 21, tzinfo=UTC)}))
    assert latest_run(store).class_name == "second"


def test_the_seed_is_drawn_once_a_store_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    first, second = ResultStore(tmp_path / "a"), ResultStore(tmp_path / "b")
    assert first.seed() == first.seed() == ResultStore(tmp_path / "a").seed()
    assert first.seed() != second.seed()
    assert 0 <= first.seed() < 2**63
    assert (tmp_path / "a" / "seed").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "a").iterdir() if path.name.startswith(".")] == []


def test_of_many_drawing_a_seed_at_once_all_get_the_same(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: store.seed(), range(16)))) == 1


def test_a_damaged_seed_is_named(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    (tmp_path / "seed").write_text("tomorrow\n")
    with pytest.raises(GraderError, match=r"seed is damaged.*Restore it from an export"):
        store.seed()
    assert inspect_store(store).problems == [
        "seed is damaged: expected one number. Restore it from an export of this store: with another seed results are "
        "of other inputs"
    ]
