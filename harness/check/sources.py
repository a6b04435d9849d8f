"""Which files the format and lint steps look at, and which versions of the tools judge them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from check.command import ROOT

_CPP_SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}


def tracked_files() -> list[Path]:
    """Every file under version control or new to it; without git (an unpacked archive), every file of our folders."""
    try:
        words = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        listing = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        paths = [ROOT / name for name in listing.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        folders = [ROOT / name for name in ("harness", "labs", "solutions", "grading")]
        paths = [path for folder in folders for path in folder.rglob("*")]
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


def cpp_sources() -> list[Path]:
    """C++ and CUDA sources to be formatted. A folder opts out by a .clang-format with `DisableFormat: true`."""
    return [path for path in tracked_files() if path.suffix in _CPP_SUFFIXES]


def linted_sources(build_tree: Path) -> list[Path]:
    """Our own .cpp files that the build tree compiles, each once."""
    commands = json.loads((build_tree / "compile_commands.json").read_text(encoding="utf-8"))
    compiled = {(Path(entry["directory"]) / entry["file"]).resolve() for entry in commands}
    return [path for path in tracked_files() if path.suffix == ".cpp" and path.resolve() in compiled]


def llvm_tool(name: str, version: int) -> str | None:
    """The program `name` of LLVM's release `version`, or None: other releases judge the same source differently."""
    for candidate in (f"{name}-{version}", name):
        program = shutil.which(candidate)
        if program is None:
            continue
        said = subprocess.run([program, "--version"], check=False, capture_output=True, text=True).stdout
        found = re.search(r"version (\d+)\.", said)
        if found is not None and int(found[1]) == version:
            return program
    return None
