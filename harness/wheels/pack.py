"""The files that pip installs: the instructors' wheel `simtlab`, and `simtlab-student`, which has nothing of what
students must not see."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

_PLATFORM = re.compile(r'platform\s+tag:\s+"([a-z0-9_]+)"')


def pack_wheel(package: Path, tree: Path, out: Path) -> Path:
    """Builds `package` with `tree` inside into `out`, tagged for the oldest C library that its programs run with."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "wheel",
                "--no-deps",
                "--no-build-isolation",
                "--disable-pip-version-check",
                "-w",
                place,
                package,
            ],
            env=os.environ | {"SIMTLAB_WHEEL_TREE": str(tree)},
            check=True,
            capture_output=True,
            text=True,
        )
        return _tagged(next(Path(place).glob("*.whl")), out)


def _tagged(wheel: Path, out: Path) -> Path:
    """The wheel under the tag that auditwheel finds for it, in `out`."""
    said = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", wheel], check=True, capture_output=True, text=True
    ).stdout
    found = _PLATFORM.search(" ".join(said.split()))
    if not found:
        raise SystemExit(f"auditwheel does not name the platform of {wheel.name}:\n{said}")
    subprocess.run(
        [sys.executable, "-m", "wheel", "tags", "--platform-tag", found[1], "--remove", wheel],
        check=True,
        capture_output=True,
        text=True,
    )
    out.mkdir(parents=True, exist_ok=True)
    made = next(wheel.parent.glob("*.whl"))
    return Path(shutil.move(made, out / made.name))


def pack_students(wheel: Path, out: Path) -> Path:
    """The same without hidden cases, sample class, points, hints and the right answers of questions."""
    with tempfile.TemporaryDirectory() as place:
        _wheel("unpack", "--dest", place, wheel)
        folder = next(Path(place).iterdir())
        _leave_out(folder / "simtlab" / "installed")
        _rename(folder)
        _wheel("pack", "--dest-dir", place, folder)
        made = next(Path(place).glob("*.whl"))
        return Path(shutil.move(made, out / made.name))


def _leave_out(tree: Path) -> None:
    shutil.rmtree(tree / "share" / "simtlab" / "solutions")
    for file in sorted((tree / "share" / "simtlab" / "labs").glob("*/lab.toml")):
        file.with_name("given.toml").write_text(_given(file.read_text(encoding="utf-8")), encoding="utf-8")
        file.unlink()
    for file in sorted((tree / "lib" / "simtlab" / "grader" / "labs").glob("*/lab.json")):
        description = json.loads(file.read_text(encoding="utf-8"))
        if description.pop("predict", None):
            file.with_name("predict").unlink()
        file.write_text(json.dumps(description, indent=1), encoding="utf-8")


def _given(text: str) -> str:
    """Of a lab.toml what students may read: title, topic, files, what the audit lets pass; no hint, equal points."""
    head, *_ = re.split(r"^\[points\]", text, maxsplit=1, flags=re.MULTILINE)
    kept = [line for line in head.splitlines() if line.strip() and not line.startswith("#")]
    return "\n".join([*kept, "", "[points]", "correct = 1", "safe = 1", "fast = 1", ""])


def _rename(folder: Path) -> None:
    """simtlab becomes simtlab-student, which is the name that pip asks for."""
    info = next(folder.glob("simtlab-*.dist-info"))
    metadata = info / "METADATA"
    text = metadata.read_text(encoding="utf-8")
    metadata.write_text(text.replace("\nName: simtlab\n", "\nName: simtlab-student\n", 1), encoding="utf-8")
    info.rename(info.with_name(info.name.replace("simtlab-", "simtlab_student-", 1)))


def _wheel(*words: object) -> None:
    subprocess.run([sys.executable, "-m", "wheel", *map(str, words)], check=True, capture_output=True, text=True)
