"""What of a lab every student has, and the textbook's steps that the staff knows."""

from collections.abc import Iterable
from pathlib import Path

from simtlab.errors import LabError, UsageError
from simtlab.labs.variants import read_variants
from simtlab.toml_file import read_toml_as
from simtlab.verify.ladder import SOLUTION, Ladders

_GIVEN = (".cu", ".cpp", ".h", ".md", ".ipynb")


def given_documents(lab: Path, more: Iterable[Path] = ()) -> list[str]:
    """The texts of a lab's folder, stub and handout among them, and of further files. Raises `UsageError` where one of
    those cannot be read."""
    own = [path for path in sorted(lab.rglob("*")) if path.suffix in _GIVEN and path.is_file()]
    texts = []
    for path in [*own, *more]:
        try:
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}; --given takes files with text") from error
    return texts


def known_steps(solutions: Path) -> dict[str, str]:
    """The model solution and the steps of the lab's ladder, by name; nothing in a copy without solutions."""
    solution = solutions / "kernel.cu"
    if not solution.is_file():
        return {}
    steps = {SOLUTION: solution.read_text(encoding="utf-8")}
    ladder = solutions / "ladder.toml"
    if ladder.is_file():
        named = {name for one in read_toml_as(ladder, Ladders, LabError).ladder for name in one.steps}
        steps |= {one.name: one.text for one in read_variants(solutions).found if one.name in named}
    return steps
