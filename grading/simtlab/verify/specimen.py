"""The sources whose end is known: the stub, the solution, the variants, and the mutants of the solution."""

from dataclasses import dataclass
from pathlib import Path

from simtlab.errors import LabFault
from simtlab.facts.model import Status
from simtlab.labs.catalogue import Lab
from simtlab.release.solutions import ModelSolution
from simtlab.verdict import Verdict
from simtlab.verify.check import Check, Subject
from simtlab.verify.expectation import Expectation, parse_expectation
from simtlab.verify.mutants import FEWEST, Equivalent, Mutant, mutants_of, read_equivalents, sample_of

FULL_MARKS = Expectation(verdict=Verdict.PASS, correct=Status.PASS, safe=Status.PASS, fast=(100.0, 100.0))
NOT_SOLVED = Expectation(verdict=Verdict.UNSOLVED, correct=Status.FAIL)


@dataclass(frozen=True)
class Specimen:
    """A source to grade. What is expected of a mutant, its operator says."""

    lab: Lab
    name: str
    files: dict[str, bytes]
    expected: Expectation | Mutant
    argument: Equivalent | None = None
    """Why the mutant may survive, if somebody has argued so."""


@dataclass(frozen=True)
class Specimens:
    """What of a lab is to be graded, a failed check for each that cannot be read, and how many mutants there are."""

    lab: Lab
    to_grade: list[Specimen]
    broken: list[Check]
    mutants: int


def specimens_of(lab: Lab, solution: ModelSolution | None, *, all_mutants: bool) -> Specimens:
    """The lab's specimens: all, or of the mutants a sample that is the same every time and leaves those out for which
    somebody argues."""
    specimens: list[Specimen] = []
    broken: list[Check] = []

    def add(name: str, folder: Path, expected: Expectation | None, kernel: Path | None = None) -> None:
        try:
            files = {file: (folder / file).read_bytes() for file in lab.specification.files}
            if kernel is not None:
                files[lab.specification.files[0]] = kernel.read_bytes()
            declared = expected or parse_expectation(files[lab.specification.files[0]].decode(), f"{lab.name}/{name}")
            specimens.append(Specimen(lab, name, files, declared))
        except (OSError, UnicodeDecodeError, LabFault) as error:
            broken.append(Check(lab.name, name, problems=[str(error)]))

    add("stub", lab.folder, NOT_SOLVED)
    add("solution", lab.solution_folder, FULL_MARKS)
    for variant in sorted((lab.solution_folder / "variants").glob("*.cu")):
        add(f"variants/{variant.name}", lab.solution_folder, None, variant)
    mutants: list[Mutant] = []
    if solution is not None and not broken:
        mutants = mutants_of(solution.text, solution.regions)
        try:
            specimens += _mutant_specimens(lab, specimens[1], mutants, all_mutants=all_mutants)
        except LabFault as fault:
            broken.append(Check(lab.name, "equivalent.toml", problems=[str(fault)], subject=Subject.MUTANT))
    return Specimens(lab, specimens, broken, len(mutants))


def _mutant_specimens(lab: Lab, solution: Specimen, mutants: list[Mutant], *, all_mutants: bool) -> list[Specimen]:
    path = lab.solution_folder / "equivalent.toml"
    arguments = read_equivalents(path)
    for argument in arguments:
        if not any(argument.fits(mutant) for mutant in mutants):
            raise LabFault(
                f"{path}: there is no mutant {argument.operator} that makes {argument.becomes!r} of "
                f"{argument.line!r}: take the argument out, or mend its line"
            )
    if len(mutants) < FEWEST:
        raise LabFault(
            f"{lab.solution_folder / 'kernel.cu'}: only {len(mutants)} mutants can be made of its marked regions and a "
            f"lab needs {FEWEST}: mark all that students write, in clang-format's layout"
        )

    def argument_for(mutant: Mutant) -> Equivalent | None:
        return next((one for one in arguments if one.fits(mutant)), None)

    chosen = mutants if all_mutants else sample_of([one for one in mutants if not argument_for(one)], lab.name)
    kernel = lab.specification.files[0]
    return [
        Specimen(lab, one.name, {**solution.files, kernel: one.text.encode()}, one, argument_for(one)) for one in chosen
    ]
