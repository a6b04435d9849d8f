"""An autograder that forwards: Gradescope's container hands the submission to the course's machine and waits."""

import contextlib
import io
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.errors import UsageError
from simtlab.intake import forwarded
from simtlab.intake.forwarded import unpack_forwarded
from simtlab.store.results import ResultStore
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.test_cli_after_grading import simtlab
from tests.test_gradescope import TILING, handed_in, results


@pytest.fixture
def here(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.setenv("SIMTLAB_SECONDS_BETWEEN", "0")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    return checkout


def container(folder: Path, *words: str) -> Path:
    """Gradescope's folder with the exported zip unpacked and set up; returns it."""
    code, text = simtlab("export", "gradescope-autograder", str(folder), "--labs", "07", *words)
    assert code == 0, text
    source = folder / "autograder" / "source"
    with zipfile.ZipFile(folder / f"gradescope-{TILING}.zip") as archive:
        for one in archive.infolist():
            path = Path(archive.extract(one, source))
            path.chmod(one.external_attr >> 16 & 0o777)
    subprocess.run([source / "setup.sh"], check=True, capture_output=True)
    return folder / "autograder"


def run(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [root / "source" / "run_autograder"],
        cwd="/",
        env={**os.environ, "AUTOGRADER_ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def into(root: Path, text: str) -> None:
    """Another submission into the container's folder, whose scripts stay."""
    handed_in(root / "new", text)
    for name in ("submission", "submission_metadata.json", "results"):
        subprocess.run(["cp", "-rT", root / "new" / name, root / name], check=True)


@pytest.mark.parametrize("kind", ["local", "command"])
def test_the_courses_machine_grades_and_the_container_has_the_document(
    here: FakeCheckout, tmp_path: Path, kind: str
) -> None:
    command = '\ncommand = ["env"]' if kind == "command" else ""
    (here.root / "course.toml").write_text(f'[executor]\nkind = "{kind}"{command}\n', encoding="utf-8")
    root = container(tmp_path, "--forward", "sh -c", "--store", str(tmp_path / "store"))
    into(root, f"{KERNEL}// fake judge: unsafe\n")
    done = run(root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert results(root)["score"] == 72.5
    store = ResultStore(tmp_path / "store")
    assert len(list(store.keys())) == 1
    assert run(root).returncode == 0, "asked again"
    assert len(list(store.keys())) == 1, "nothing is graded twice"
    assert not list((tmp_path / "store").glob("runs/*")), "the class's latest grading stays what it was"


def test_a_zip_that_forwards_holds_two_scripts_and_the_key_alone(here: FakeCheckout, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("secret\n", encoding="utf-8")
    container(tmp_path, "--forward", "sh -c", "--with", str(tmp_path / "key"))
    with zipfile.ZipFile(tmp_path / f"gradescope-{TILING}.zip") as archive:
        modes = {one.filename: one.external_attr >> 16 & 0o777 for one in archive.infolist()}
    assert modes == {"setup.sh": 0o755, "run_autograder": 0o755, "key": 0o600}


@pytest.mark.parametrize("words", ["false", "sh -c 'echo {; exit 0' sh", "sh -c 'exec sleep 0' sh"])
def test_a_machine_that_does_not_answer_is_our_fault_and_costs_no_points(
    here: FakeCheckout, tmp_path: Path, words: str
) -> None:
    root = container(tmp_path, "--forward", words)
    into(root, KERNEL)
    assert run(root).returncode == 1
    assert "score" not in results(root)
    assert "a fault of ours" in results(root)["output"]
    assert {path.name for path in (root / "results").iterdir()} == {"results.json"}


def test_a_judge_that_fails_over_there_leaves_its_sentence_here(here: FakeCheckout, tmp_path: Path) -> None:
    root = container(tmp_path, "--forward", "sh -c")
    into(root, f"{KERNEL}// fake judge: exit 7\n")
    assert run(root).returncode == 1
    assert "waits because of a fault of ours" in results(root)["output"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--forward", "  "], "expected words before a line of shell"),
        (["--forward", "'ssh"], "No closing quotation"),
        (["--forward", "no-such-program x"], "there is no program no-such-program"),
        (["--forward", "sh -c", "--with", "/nowhere/key"], "cannot be read"),
        (["--with", "key"], "are for gradescope-autograder"),
    ],
)
def test_words_that_lead_nowhere_are_a_sentence(
    here: FakeCheckout, tmp_path: Path, words: list[str], said: str
) -> None:
    code, text = simtlab("export", "gradescope-autograder", str(tmp_path), "--labs", "07", *words)
    assert code == 2
    assert said in " ".join(text.split())


def packed(*entries: tuple[tarfile.TarInfo, bytes]) -> io.BytesIO:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for entry, content in entries:
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    stream.seek(0)
    return stream


def link(name: str, kind: bytes, target: str) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, target
    return entry


def test_only_ordinary_files_of_the_submission_are_written(tmp_path: Path) -> None:
    names = ["submission/kernel.cu", "submission/../../out", "/etc/out", "elsewhere/a", "submission_metadata.json"]
    entries = [(tarfile.TarInfo(name), name.encode()) for name in names]
    entries += [(link("submission/a", tarfile.SYMTYPE, "/etc"), b""), (link("submission/b", tarfile.LNKTYPE, "x"), b"")]
    entries += [(tarfile.TarInfo("submission/a/kernel.cu"), b"behind a link")]
    unpack_forwarded(packed(*entries), tmp_path / "own")
    written = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert written == {f"own/{name}" for name in (names[0], names[4], "submission/a/kernel.cu")}
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


def test_a_submission_without_files_is_one(tmp_path: Path) -> None:
    folder = tarfile.TarInfo("submission")
    folder.type = tarfile.DIRTYPE
    unpack_forwarded(packed((folder, b"")), tmp_path)
    assert (tmp_path / "submission").is_dir()


def test_too_much_is_refused_before_it_fills_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forwarded, "MOST_BYTES", 100)
    with pytest.raises(UsageError, match="larger than"):
        unpack_forwarded(packed((tarfile.TarInfo("submission/a"), bytes(101))), tmp_path)


@given(st.binary(max_size=2000))
def test_bytes_of_any_kind_are_a_sentence(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    with pytest.raises(UsageError):
        unpack_forwarded(io.BytesIO(content), tmp_path_factory.mktemp("any"))


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(0, 255))
def test_a_tar_that_is_cut_or_flipped_writes_nothing_outside(
    tmp_path_factory: pytest.TempPathFactory, cut: int, place: int, value: int
) -> None:
    whole = bytearray(packed((tarfile.TarInfo("submission/kernel.cu"), b"x" * 600)).getvalue()[:3072])
    whole[place % len(whole)] = value
    folder = tmp_path_factory.mktemp("any")
    with contextlib.suppress(UsageError):
        unpack_forwarded(io.BytesIO(bytes(whole[: len(whole) - cut])), folder / "own")
    assert {path.name for path in folder.iterdir()} <= {"own"}
