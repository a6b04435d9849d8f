"""A full disk ends in a sentence, whatever was being written, and nothing that was graded is lost."""

import contextlib
import errno
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simtlab.errors import SimtlabError
from simtlab.full_disk import disk_sentence
from simtlab.store.class_run import latest_run
from simtlab.store.index import ResultIndex
from simtlab.store.results import ResultStore
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.test_cli import command
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
    for kilobytes in range(4, 240, 12):
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


def test_only_the_disks_errors_become_sentences() -> None:
    told = disk_sentence(OSError(errno.ENOSPC, "No space left on device", "results/x"))
    assert told is not None
    assert told.startswith("results/x cannot be written: No space left on device. Make room")
    assert disk_sentence(FileNotFoundError(errno.ENOENT, "No such file", "x")) is None
