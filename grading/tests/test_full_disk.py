"""A full disk ends in a sentence, whatever was being written, and nothing that was graded is lost."""

import contextlib
import errno
import os
import random
import subprocess
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simtlab.errors import SimtlabError
from simtlab.executors.settings import ExecutorSettings
from simtlab.full_disk import disk_sentence
from simtlab.store.class_run import latest_run
from simtlab.store.index import ResultIndex
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.quick_units import QuickClass, counting, leftovers
from tests.test_cli import command
from tests.test_kills import Reports, grade, has_ended, started
from tests.test_store import PARTS, result_of

Disk = Callable[[int], Path]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A small file system of so many KB; called again it has another size, and keeps its files."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted: list[bool] = []

    def resized(kilobytes: int) -> Path:
        how = f"{'remount,' if mounted else ''}size={kilobytes}k"
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", how, "simtlab", place], capture_output=True, text=True, check=False
        )
        if done.returncode:
            pytest.skip(f"a small file system cannot be mounted here, which needs root: {done.stderr.strip()}")
        mounted.append(True)
        return place

    yield resized
    if mounted:
        subprocess.run(["umount", "--lazy", place], check=True)


def test_at_whatever_byte_the_store_is_full_it_is_a_sentence_and_results_stay(disk: Disk) -> None:
    kept: list[str] = []
    sentences = set()
    for kilobytes in range(4, 420, 16):
        place = disk(kilobytes)
        try:
            store = ResultStore(place / "store")
            store.seed()
            store.keep_file(os.urandom(6000))
            index = ResultIndex(store)
            for _ in range(3):
                result = result_of(PARTS.model_copy(update={"attempt": len(kept) + 1}))
                assert store.add(result)
                kept.append(result.key)
                index.add(result)
            assert index.count() == len(kept)
            index.close()
        except SimtlabError as error:
            sentences.add(str(error))
        if kept:
            store = ResultStore(place / "store")
            assert sorted(store.keys()) == sorted(kept)
            assert all(store.get(key) for key in kept)
    assert len(kept) >= 9
    assert sentences
    assert all("No space left on device" in one for one in sentences)


def test_an_index_that_cannot_be_written_costs_no_result(disk: Disk) -> None:
    place = disk(400)
    store = ResultStore(place / "store")
    results = [result_of(PARTS.model_copy(update={"attempt": number})) for number in range(1, 9)]
    store.add(results[0])
    index = ResultIndex(store)
    (place / "filler").write_bytes(bytes(4096))
    with contextlib.suppress(OSError), (place / "filler").open("ab", buffering=0) as filler:
        while filler.write(bytes(4096)):
            pass
    for result in results:
        index.add(result)
    assert index.count() == len(results)
    index.close()
    (place / "filler").unlink()
    assert ResultIndex(store).count() == 1


@pytest.mark.parametrize("kilobytes", [0, 28, 60, 120])
def test_a_grading_on_a_full_disk_ends_in_a_sentence_and_continues(
    disk: Disk, checkout: FakeCheckout, kilobytes: int
) -> None:
    for student in ("alice", "bob", "carol"):
        checkout.submit(student, "07-shared-tiling", KERNEL + f"// {student}\n" + "// filler\n" * 800)
    place = disk(max(kilobytes, 4))
    words = ("grade", "class", "--store", str(place / "store"), "--report", str(place / "report"), "--workers", "1")
    ended = command(checkout, *words)
    assert ended.returncode in (1, 2), ended.stdout
    assert "Traceback" not in ended.stderr
    assert "No space left on device" in ended.stderr
    disk(20_000)
    done = command(checkout, *words)
    assert done.returncode == 0, done.stderr
    store = ResultStore(place / "store")
    assert all(store.get(entry.key) for entry in latest_run(store).entries if entry.key)


class FullDisks:
    """Gradings of one class whose disk is full at a moment that is drawn: too small from the beginning, or filled up by
    somebody else while they run. On it lie the store, the workplaces of compilers and judges, or both."""

    def __init__(self, disk: Disk, tmp_path: Path, draw: random.Random, monkeypatch: pytest.MonkeyPatch) -> None:
        self.disk, self.folder, self.draw, self.patch = disk, tmp_path, draw, monkeypatch
        self.quick = QuickClass(tmp_path / "checkout", 8, seconds=0.02)
        self.sentences: set[str] = set()
        self.faults: set[str] = set()

    def begin(self, number: int) -> ResultStore:
        """A new store; the disk is large enough for everything."""
        place = self.disk(20_000)
        self.on_disk = self.draw.choice([("store",), ("temporary",), ("store", "temporary")])
        self.places = {}
        for what in ("store", "temporary"):
            self.places[what] = (place if what in self.on_disk else self.folder) / f"{what}-{number}"
        self.places["temporary"].mkdir()
        self.patch.setenv("TMPDIR", str(self.places["temporary"]))
        self.patch.setattr(tempfile, "tempdir", str(self.places["temporary"]))
        self.reports = Reports(self.folder / f"reports-{number}")
        self.settings = self.draw.choice([None, ExecutorSettings(kind="command", command=["env"], tasks=2)])
        return ResultStore(self.places["store"])

    def grade(self, store: ResultStore) -> bool:
        """One grading on a disk that gets full; whether it did."""
        told = self.folder / "told"
        filled = self.draw.random() < 0.5
        place = self.disk(20_000)
        if not filled:
            used = sum(path.stat().st_blocks for path in place.rglob("*")) // 2
            self.disk(used + 4 * self.draw.randrange(60))
        process = started(lambda: self._grade(store.folder, told))
        was_full = filled and self._fill(place / "filler", process)
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        (place / "filler").unlink(missing_ok=True)
        self.disk(20_000)
        assert code in (0, 3), told.read_text(encoding="utf-8")
        if code == 3:
            self.sentences.add(told.read_text(encoding="utf-8"))
        return was_full or code == 3

    def _grade(self, folder: Path, told: Path) -> None:
        try:
            grade(self.quick, ResultStore(folder), self.settings, self.reports)
        except SimtlabError as error:
            told.write_text(str(error), encoding="utf-8")
            os._exit(3)
        except BaseException:
            told.write_text(traceback.format_exc(), encoding="utf-8")
            raise

    def _fill(self, path: Path, process: int) -> bool:
        time.sleep(self.draw.uniform(0, 0.3 if self.settings is None else 1.5))
        with contextlib.suppress(OSError), path.open("ab", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass
        return not has_ended(process)

    def check(self, store: ResultStore, expected: dict[tuple[str, str], object]) -> None:
        """Another grading, with room, leaves what one leaves that had room all the time."""
        for key in store.keys():  # noqa: SIM118 - a method of the store
            result = store.get(key)
            assert result is not None
            if result.verdict is Verdict.INTERNAL_ERROR:
                self.faults.add(result.message)
        grade(self.quick, store, self.settings)
        assert counting(store) == expected
        assert leftovers(store) == []
        assert list(self.places["temporary"].iterdir()) == []


def fill_often(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, draw: random.Random
) -> FullDisks:
    disks = FullDisks(disk, tmp_path, draw, monkeypatch)
    undisturbed = ResultStore(tmp_path / "undisturbed")
    grade(disks.quick, undisturbed)
    expected = counting(undisturbed)
    done = rounds = 0
    while done < times:
        rounds += 1
        store = disks.begin(rounds)
        while done < times and len(counting(store)) < len(expected):
            done += disks.grade(store)
            assert set(disks.reports.keys()) <= set(store.keys())
        disks.check(store, expected)
    return disks


def test_a_disk_that_gets_full_at_any_moment_costs_no_result(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_often(disk, tmp_path, monkeypatch, 5, random.Random(3))


@pytest.mark.long
def test_fifty_full_disks(disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disks = fill_often(disk, tmp_path, monkeypatch, 50, random.Random(4))
    assert disks.sentences
    assert all("No space left on device" in one for one in disks.sentences), disks.sentences


class FullQuota:
    """Lets so many calls pass, and refuses the others as a file system does whose quota is full."""

    def __init__(self, real: Callable[..., object], calls: int) -> None:
        self._real, self._left = real, calls

    def __call__(self, *words: object, **named: object) -> object:
        self._left -= 1
        if self._left < 0:
            raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT), str(words[0]))
        return self._real(*words, **named)


@pytest.mark.parametrize("call", ["open", "fsync", "link"])
@pytest.mark.parametrize("calls", [0, 3, 6])  # of four files handed in, and four results
def test_a_full_quota_ends_in_a_sentence_and_costs_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, calls: int
) -> None:
    quick = QuickClass(tmp_path / "checkout", 4)
    undisturbed, store = ResultStore(tmp_path / "undisturbed"), ResultStore(tmp_path / "store")
    grade(quick, undisturbed)
    reports = Reports(tmp_path / "reports")
    with monkeypatch.context() as patch:
        if call == "open":
            real, refusing = Path.open, FullQuota(Path.open, calls)

            def opened(path: Path, *words: object, **named: object) -> object:
                is_written = "wb" in words and path.is_relative_to(store.folder)
                return (refusing if is_written else real)(path, *words, **named)  # type: ignore[call-overload]

            patch.setattr(Path, "open", opened)
        else:
            patch.setattr(os, call, FullQuota(getattr(os, call), calls))
        with pytest.raises(SimtlabError, match=r"Disk quota exceeded\. Make room there") as ended:
            grade(quick, store, None, reports)
        assert "then the same command continues" in str(ended.value)
    assert set(reports.keys()) <= set(store.keys())
    grade(quick, store)
    assert counting(store) == counting(undisturbed)
    assert leftovers(store) == []


def test_only_the_disks_errors_become_sentences() -> None:
    told = disk_sentence(OSError(errno.ENOSPC, "No space left on device", "results/x"))
    assert told is not None
    assert told.startswith("results/x cannot be written: No space left on device. Make room")
    assert disk_sentence(FileNotFoundError(errno.ENOENT, "No such file", "x")) is None
