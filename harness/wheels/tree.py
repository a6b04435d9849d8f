"""The tree that the wheel carries: what cmake --install writes, the labs as students get them and what of them is the
grader's, and the licences of all that is linked in."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from simtlab.labs.catalogue import read_catalogue
from simtlab.release.students_copy import is_given_of_lab

COMPONENTS = ("simtcc", "grader")
# What is in the programs and objects, by Debian's package, which says under what licence.
LINKED = (
    "libboost-context-dev",
    "libbz2-dev",
    "libcapstone-dev",
    "libdw-dev",
    "libelf-dev",
    "libfmt-dev",
    "liblzma-dev",
    "libseccomp-dev",
    "libstdc++-12-dev",
    "nlohmann-json3-dev",
    "doctest-dev",
    "zlib1g-dev",
)
_UNUSED = ("lib/simtlab/toolkit", "lib/cmake", "share/bash-completion", "share/zsh", "share/fish", "share/man")


def make_tree(root: Path, build: Path, tree: Path) -> None:
    """Writes the tree into `tree`, which is emptied first."""
    shutil.rmtree(tree, ignore_errors=True)
    for component in COMPONENTS:
        subprocess.run(
            ["cmake", "--install", build, "--component", component, "--prefix", tree, "--strip"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    for unused in _UNUSED:  # for CMake projects and shells, which look elsewhere
        shutil.rmtree(tree / unused, ignore_errors=True)
    _strip(tree, _strip_program(build))
    _copy_labs(root, build, tree / "share" / "simtlab")
    _copy_licences(tree / "share" / "doc" / "simtlab")


def _strip_program(build: Path) -> str:
    """The one of the compiler that the tree was built with: the machine's own reads no other processor's files."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    found = re.search(r"^CMAKE_STRIP:FILEPATH=(.+)$", cache, re.MULTILINE)
    return found[1] if found else "strip"


def _strip(tree: Path, program: str) -> None:
    """Takes debug information away, nine tenths of a judge, but not from startup.o, which has the names that debuggers
    show."""
    programs = [path for path in tree.rglob("*") if path.is_file() and os.access(path, os.X_OK)]
    objects = [path for path in [*tree.rglob("*.o"), *tree.rglob("*.a")] if path.name != "simtlab_startup.o"]
    subprocess.run([program, *programs], check=True)
    subprocess.run([program, "--strip-debug", *objects], check=True)


def _copy_labs(root: Path, build: Path, share: Path) -> None:
    catalogue = read_catalogue(root, build)
    for name in catalogue.names:
        specification = catalogue.specification(name)
        if specification is None:
            raise SystemExit(f"labs/{name}: {catalogue.faults[name]}")
        folder = root / "labs" / name
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            inside = path.relative_to(folder)
            if is_given_of_lab(inside, specification.files) or str(inside) == "lab.toml":
                _copy(path, share / "labs" / name / inside)
        hidden = root / "solutions" / name / "hidden.toml"
        if hidden.is_file():
            _copy(hidden, share / "solutions" / name / "hidden.toml")
    sample = root / "solutions" / "sample-class"
    for path in sorted(one for one in sample.glob("*/*/*") if one.is_file()):
        _copy(path, share / "solutions" / "sample-class" / path.relative_to(sample))


def _copy_licences(folder: Path) -> None:
    for package in LINKED:
        text = Path("/usr/share/doc", package, "copyright")
        if not text.is_file():
            raise SystemExit(f"{text} is missing: the wheel must say under what licence it carries {package}")
        _copy(text, folder / "licences" / f"{package}.txt")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
