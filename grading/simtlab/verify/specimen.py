"""The sources whose end is known: the stub, the solution, the variants, and the mutants of the solution."""

import re
from dataclasses import dataclass
from pathlib import Path

from simtlab.errors import LabError
from simtlab.facts.model import Status
from simtlab.labs.catalogue import Lab
from simtlab.labs.variants import DIFFERENCES, Variant, Variants, file_of, read_variants
from simtlab.release.solutions import ModelSolution
from simtlab.verdict import Verdict
from simtlab.verify.check import Check, Subject
from simtlab.verify.expectation import Expectation, parse_expectation
from simtlab.verify.mutants import FEWEST, Equivalent, Mutant, mutants_of, read_equivalents, sample_of

FULL_MARKS = Expectation(verdict=Verdict.PASS, correct=Status.PASS, safe=Status.PASS, fast=(100.0, 100.0))
NOT_SOLVED = Expectation(verdict=Verdict.UNSOLVED, correct=Status.FAIL)
_AS_A_MUTANT = re.compile(r"^// As a mutant: (\S+)\.$", re.MULTILINE)
"""A variant's line that names the operator which makes the same mistake; a sample does without such a variant."""


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
    """The lab's specimens: all; or a sample that is the same every time: of the mutants some of each operator, but for
    those that somebody argues for, and the variants whose mistake no operator makes."""
    specimens: list[Specimen] = []
    broken: list[Check] = []

    def add(name: str, folder: Path, expected: Expectation | Variant) -> None:
        try:
            files = {file: (folder / file).read_bytes() for file in lab.specification.files}
            if isinstance(expected, Variant):
                files[lab.specification.files[0]] = expected.text.encode()
                expected = parse_expectation(expected.text, f"{lab.name}/{expected.place}")
            specimens.append(Specimen(lab, name, files, expected))
        except (OSError, LabError) as error:
            broken.append(Check(lab.name, name, problems=[str(error)]))

    add("stub", lab.folder, NOT_SOLVED)
    add("solution", lab.solution_folder, FULL_MARKS)
    variants = _variants(lab, broken)
    for variant in variants.found:
        add(variant.file, lab.solution_folder, variant)
    broken += [Check(lab.name, file_of(name), problems=[str(fault)]) for name, fault in variants.faults.items()]
    mutants: list[Mutant] = []
    if solution is not None and not broken:
        mutants = mutants_of(solution.text, solution.regions)
        made_by = {specimen.name: _mutant_alike(lab, specimen, mutants, broken) for specimen in specimens}
        if not all_mutants:
            specimens = [one for one in specimens if not made_by[one.name]]
        try:
            specimens += _mutant_specimens(lab, specimens[1], mutants, all_mutants=all_mutants)
        except LabError as fault:
            broken.append(Check(lab.name, "equivalent.toml", problems=[str(fault)], subject=Subject.MUTANT))
    return Specimens(lab, specimens, broken, len(mutants))


def right_specimens(lab: Lab) -> list[Specimen]:
    """The solution and the variants declared right and safe: what a data race computes differs from GPU to GPU. Raises
    `LabError` where one cannot be read."""
    specimens = specimens_of(lab, None, all_mutants=False)
    if specimens.broken:
        raise LabError(specimens.broken[0].problems[0])
    return [
        one
        for one in specimens.to_grade
        if isinstance(one.expected, Expectation)
        and one.expected.correct is Status.PASS
        and one.expected.safe is not Status.FAIL
    ]


def _variants(lab: Lab, broken: list[Check]) -> Variants:
    try:
        return read_variants(lab.solution_folder)
    except LabError as fault:
        broken.append(Check(lab.name, DIFFERENCES, problems=[str(fault)]))
        return Variants([], {})


def _mutant_alike(lab: Lab, specimen: Specimen, mutants: list[Mutant], broken: list[Check]) -> str:
    """The operator that makes the variant's mistake, as the variant says; empty when it says nothing."""
    said = _AS_A_MUTANT.search(specimen.files[lab.specification.files[0]].decode())
    if said and said[1] not in {mutant.operator.name for mutant in mutants}:
        problem = f"`// As a mutant: {said[1]}.`: no mutant of the lab's solution is made by an operator of that name"
        broken.append(Check(lab.name, specimen.name, problems=[problem]))
    return said[1] if said else ""


def _mutant_specimens(lab: Lab, solution: Specimen, mutants: list[Mutant], *, all_mutants: bool) -> list[Specimen]:
    path = lab.solution_folder / "equivalent.toml"
    arguments = read_equivalents(path)
    for argument in arguments:
        if not any(argument.fits(mutant) for mutant in mutants):
            raise LabError(
                f"{path}: there is no mutant {argument.operator} that makes {argument.becomes!r} of "
                f"{argument.line!r}: take the argument out, or mend its line"
            )
    if len(mutants) < FEWEST:
        raise LabError(
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
