"""What students of a course without a checkout get: the course's own handouts and stubs, and how to test them."""

import shutil
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from simtlab import __version__
from simtlab.errors import UsageError
from simtlab.labs.catalogue import Catalogue, labs_of_package
from simtlab.labs.specification import LabSpecification
from simtlab.release.students_copy import is_given_of_lab, refuse_used_folder

_STUDENTS_WHEEL = "simtlab_student-*.whl"
_TEXTS = {"README.md": "course_readme.md", "Makefile": "course_makefile.mk"}


def release_course(catalogue: Catalogue, labs: Sequence[str], out: Path) -> list[Path]:
    """Writes the copy into `out`, a new or empty folder, and returns its files. Raises `UsageError`, with nothing
    written, where a stub of the course is no longer the package's: it may hold a solution."""
    out = out.absolute()
    refuse_used_folder(out)
    chosen = {name: _specification(catalogue, name) for name in labs}
    for name, specification in chosen.items():
        _refuse_edited_stubs(catalogue.root, name, specification)
    for name, specification in chosen.items():
        source = catalogue.root / "labs" / name
        for path in sorted(one for one in source.rglob("*") if one.is_file()):
            inside = path.relative_to(source)
            if is_given_of_lab(inside, specification.files):
                _copy(path, out / "labs" / name / inside)
    for name, template in _TEXTS.items():
        text = (files("simtlab.release") / template).read_text(encoding="utf-8")
        (out / name).write_text(text.replace("@VERSION@", __version__).replace("@FIRST@", labs[0]), encoding="utf-8")
    for wheel in sorted((catalogue.root / "wheels").glob(_STUDENTS_WHEEL)):
        _copy(wheel, out / "wheels" / wheel.name)
    return sorted(path for path in out.rglob("*") if path.is_file())


def _specification(catalogue: Catalogue, name: str) -> LabSpecification:
    found = catalogue.specification(name)
    if found is None:
        raise UsageError(f"the lab {name} cannot go out: {catalogue.faults.get(name, 'it has no lab.toml')}")
    return found


def _refuse_edited_stubs(root: Path, name: str, specification: LabSpecification) -> None:
    own = labs_of_package() / "labs" / name
    for file in specification.files:
        place, stub = root / "labs" / name / file, own / file
        if not stub.is_file() or not place.is_file() or place.read_bytes() != stub.read_bytes():
            raise UsageError(
                f"labs/{name}/{file} is not the stub that simtlab {__version__} brought along, so it may hold a "
                f"solution. Put the stub back (git checkout labs/{name}/{file}), or take it from a new course "
                "(simtlab new-course), then release again"
            )


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
