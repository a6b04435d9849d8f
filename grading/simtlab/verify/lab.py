"""Runs a lab's stub, solution, variants and mutants through the worker that grades submissions, and compares with what
they declare."""

import threading
from collections.abc import Sequence
from dataclasses import replace

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.plan import PlannedGrade
from simtlab.class_run.pool import PoolListener, run_pool
from simtlab.class_run.worker import grade_submission
from simtlab.errors import GraderError, LabError
from simtlab.facts.model import Facts, Status
from simtlab.intake.submission import Submission
from simtlab.labs.catalogue import Lab
from simtlab.labs.description import LabDescription, describe
from simtlab.release.check import LeakSearch
from simtlab.release.solutions import Solutions
from simtlab.sandbox.sandbox import UNPROTECTED
from simtlab.score.points import grade_from_facts
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.text import points_text
from simtlab.verdict import Verdict
from simtlab.verify.check import (
    EQUIVALENT,
    FEWEST_VARIANTS,
    KILLED,
    MOST_OFF_TOPIC,
    STILLBORN,
    SURVIVED,
    Check,
    LabReport,
    Mutation,
    Subject,
)
from simtlab.verify.criteria import criteria_check, scores_check
from simtlab.verify.expectation import Expectation, differences
from simtlab.verify.handout import FAST, handout_checks
from simtlab.verify.ladder import ladder_check
from simtlab.verify.markdown import Section, sections_of
from simtlab.verify.mutants import FEWEST, Mutant
from simtlab.verify.predictions import prediction_checks
from simtlab.verify.solution import NEXT, solution_faults
from simtlab.verify.specimen import FULL_MARKS, NOT_SOLVED, Specimen, Specimens

_NOT_RUN = "was not run: stopped"


def verify(
    labs: Sequence[Specimens],
    solutions: Solutions,
    conditions: Conditions,
    store: ResultStore,
    listener: PoolListener,
    *,
    workers: int,
    stop: threading.Event,
) -> list[LabReport]:
    """Checks every specimen of the labs, and what the labs say. Stub and solution go first: of a lab whose
    specification contradicts itself, or whose solution does not pass, nothing else is run."""
    faults: dict[str, list[str]] = {}
    described: dict[str, LabDescription] = {}
    for specimens in labs:
        try:
            described[specimens.lab.name] = describe(specimens.lab)
        except (LabError, GraderError) as fault:
            faults[specimens.lab.name] = [f"lab.cpp: {fault}", NEXT]
    planned = [
        (specimen, plan_of(specimen, conditions, store))
        for specimens in labs
        if specimens.lab.name in described
        for specimen in specimens.to_grade
    ]
    mutants = {one.parts.key for specimen, one in planned if isinstance(specimen.expected, Mutant)}
    # Stub and solution run as submissions do. The rest is the course's own code, too: without the sandbox, as on a
    # student's machine, the same compiler and judge take three quarters of the time.
    sandboxed = {one.parts.key for specimen, one in planned if specimen.expected in (NOT_SOLVED, FULL_MARKS)}
    results: dict[str, Result] = {}

    def grade(one: PlannedGrade, asked_to_stop: threading.Event) -> Result:
        key = one.parts.key
        sandbox = conditions.sandbox if key in sandboxed else UNPROTECTED
        under = replace(conditions, until_failure=key in mutants, sandbox=sandbox)
        lab = _without_front_end(one.lab) if key in mutants else one.lab
        result = grade_submission(one.submission, lab, one.parts, under, store, asked_to_stop)
        results[result.key] = result
        return result

    def run(part: list[PlannedGrade]) -> None:
        run_pool(part, grade, listener, workers=workers, stop=stop)

    run([one for _, one in planned if one.parts.key in sandboxed])
    for specimen, one in planned:
        name, result = specimen.lab.name, results.get(one.parts.key)
        if specimen.expected is FULL_MARKS and result and (told := solution_faults(name, described[name], result)):
            faults[name] = told
    run([one for _, one in planned if one.parts.key not in sandboxed and one.lab.name not in faults])
    found = {id(specimen): results.get(one.parts.key) for specimen, one in planned}
    leaks = LeakSearch(solutions)
    return [
        _faulty_report(specimens, found, faults[specimens.lab.name])
        if specimens.lab.name in faults
        else _report(specimens, found, solutions, leaks)
        for specimens in labs
    ]


def _without_front_end(lab: Lab) -> Lab:
    """A mutant differs from the solution in a few tokens, and a CUDA front end takes as long as all the rest of it."""
    backends = {name: one.model_copy(update={"front_ends": []}) for name, one in lab.build.backends.items()}
    return replace(lab, build=lab.build.model_copy(update={"backends": backends}))


def _faulty_report(specimens: Specimens, found: dict[int, Result | None], problems: list[str]) -> LabReport:
    """One check: the solution's, with what is wrong between it and lab.cpp."""
    lab = specimens.lab.name
    solution = next((one for one in specimens.to_grade if one.expected is FULL_MARKS), None)
    result = found.get(id(solution)) if solution else None
    ends = (result.verdict.value, *_ended(result.facts)) if result else ("", "", "", "")
    check = Check(lab, "solution", str(FULL_MARKS), *ends, problems=problems)
    return LabReport(lab, [*specimens.broken, check], specimens.mutants)


def _report(
    specimens: Specimens, found: dict[int, Result | None], solutions: Solutions, leaks: LeakSearch
) -> LabReport:
    lab = specimens.lab
    ends = [(specimen, found[id(specimen)]) for specimen in specimens.to_grade]
    checks = list(specimens.broken)
    mutations: list[Mutation] = []
    for specimen, result in ends:
        if isinstance(specimen.expected, Mutant):
            mutations.append(_mutation(specimen, specimen.expected, result))
        else:
            checks.append(_check(specimen, specimen.expected, result))
    checks += mutations
    killed = sum(one.end == KILLED for one in mutations)
    if mutations and killed < FEWEST and all(one.passed for one in mutations):
        enough = f"only {killed} mutants were run and killed, a lab needs {FEWEST}: run with --all-mutants"
        checks.append(Check(lab.name, "mutants", problems=[enough]))
    checks.append(_variants_check(lab.name, ends))
    scores = _fast_scores(ends)
    checks.append(ladder_check(lab, scores))
    checks.append(scores_check(lab.name, _fast_section(lab), scores))
    checks.append(criteria_check(lab.name, [result.facts for _, result in ends if result and result.facts]))
    rules = {
        finding.rule: specimen.name
        for specimen, result in reversed(ends)
        if result and result.facts and not isinstance(specimen.expected, Mutant)
        for finding in result.facts.safe.findings
        if finding.severity == "error"
    }
    return LabReport(
        lab.name,
        checks + handout_checks(lab, rules, leaks, solutions.stubs) + prediction_checks(lab),
        specimens.mutants,
    )


def _variants_check(lab: str, ends: Sequence[tuple[Specimen, Result | None]]) -> Check:
    """Enough variants, and by measurement one that is right, does not use the topic and does not earn too much."""
    variants = [(one, result) for one, result in ends if one.name.startswith("variants/")]
    problems: list[str] = []
    if len(variants) < FEWEST_VARIANTS:
        problems.append(f"{len(variants)} variants; a lab needs {FEWEST_VARIANTS}, textbook steps and mistakes")
    shares = {one.name: _share(one, result) for one, result in variants if result and _is_right(result)}
    if all(share > MOST_OFF_TOPIC for share in shares.values()):
        least = min(shares, key=shares.__getitem__, default="")
        found = f"the least is {least} with {shares[least]:.0f} %" if least else "there is no variant that is right"
        problems.append(
            f"a right kernel that does not use the topic may earn {MOST_OFF_TOPIC} % of the points; {found}. Add such "
            "a variant, or weigh the criteria that tell it more"
        )
    return Check(lab, "variants", problems=problems, subject=Subject.HANDOUT)


def _fast_section(lab: Lab) -> Section | None:
    """What the handout says of speed; None where it does not or cannot be read, which its own checks tell."""
    try:
        return sections_of((lab.folder / "README.md").read_text(encoding="utf-8")).get(FAST)
    except (OSError, UnicodeDecodeError):
        return None


def _fast_scores(ends: Sequence[tuple[Specimen, Result | None]]) -> dict[str, float]:
    """The points of `fast` of the solution and of the variants that are correct and safe."""
    return {
        specimen.name.removeprefix("variants/").removesuffix(".cu"): result.facts.fast.score
        for specimen, result in ends
        if isinstance(specimen.expected, Expectation) and result and result.facts and result.verdict is Verdict.PASS
    }


def _is_right(result: Result) -> bool:
    """Whether a variant is right and safe; a host that computes the answers itself uses no topic either."""
    return result.verdict in {Verdict.PASS, Verdict.FORBIDDEN}


def _share(specimen: Specimen, result: Result) -> float:
    """Percent of the lab's points that a specimen earns, if all its predictions are right."""
    table = specimen.lab.specification.points
    grade = grade_from_facts(result.facts, table) if result.facts else None
    earned = (grade.points or 0 if grade else 0) if result.verdict is not Verdict.FORBIDDEN else 0
    return 100 * (earned + table.predict) / table.total


def plan_of(specimen: Specimen, conditions: Conditions, store: ResultStore) -> PlannedGrade:
    """What a worker grades; the specimen's files are in the store then."""
    files = {name: store.keep_file(content) for name, content in specimen.files.items()}
    submission = Submission(specimen.name, specimen.lab.name, files)
    parts = conditions.key_parts(submission, specimen.lab)
    return PlannedGrade(submission, specimen.lab, parts)


def _check(specimen: Specimen, declared: Expectation, result: Result | None) -> Check:
    expected = str(declared)
    if result is None:
        return Check(specimen.lab.name, specimen.name, expected, problems=[_NOT_RUN])
    problems = differences(declared, result.verdict, result.facts)
    if result.verdict is Verdict.INTERNAL_ERROR:
        problems.append(result.message)
    elif declared is FULL_MARKS and result.facts is not None:
        points = specimen.lab.specification.points.model_copy(update={"predict": 0})  # the questions are checked apart
        grade = grade_from_facts(result.facts, points)
        if grade.points != grade.possible:
            problems.append(f"earns {points_text(grade.points or 0)} of {points_text(grade.possible)} points")
    if problems and result.message and result.message not in problems:
        problems.append(result.message.strip().splitlines()[0])
    correct, safe, fast = _ended(result.facts)
    return Check(specimen.lab.name, specimen.name, expected, result.verdict.value, correct, safe, fast, problems)


def _mutation(specimen: Specimen, mutant: Mutant, result: Result | None) -> Mutation:
    expected = f"fails {' or '.join(part for part in ('correct', 'safe', 'fast') if part in mutant.operator.shows_in)}"
    lab, name, place = specimen.lab.name, specimen.name, mutant.place
    if result is None:
        return Mutation(lab, name, expected, problems=[_NOT_RUN], place=place)
    verdict, (correct, safe, fast) = result.verdict.value, _ended(result.facts)
    problems: list[str] = []
    told_by = ""
    if result.verdict is Verdict.INTERNAL_ERROR:
        end, problems = "", [result.message]
    elif result.facts is None:
        end = STILLBORN
    else:
        told_by = _told_by(result.facts)
        end = KILLED if told_by in mutant.operator.shows_in else EQUIVALENT if specimen.argument else SURVIVED
        if end == SURVIVED:
            how = f"fails {told_by} only" if told_by else "earns full marks"
            problems.append(
                f"survived: {how}, expected that it {expected}; {place}. Add a case or a criterion that tells it, or "
                f"argue in solutions/{lab}/equivalent.toml that it is no mistake"
            )
        elif end == KILLED and specimen.argument:
            problems.append(
                f"solutions/{lab}/equivalent.toml argues that it is no mistake, and it fails {told_by}; {place}. Take "
                "the argument out"
            )
    return Mutation(lab, name, expected, verdict, correct, safe, fast, problems, end=end, told_by=told_by, place=place)


def _told_by(facts: Facts) -> str:
    """The first part of the judgement that a submission does not earn in full; empty when it earns all."""
    if facts.correct.status is not Status.PASS:
        return "correct"
    if facts.safe.status is not Status.PASS:
        return "safe"
    return "" if facts.fast.status is Status.NOT_MEASURED or facts.fast.score >= 100 else "fast"


def _ended(facts: Facts | None) -> tuple[str, str, str]:
    """How the three parts ended; the score stands for `fast` where there is one."""
    if facts is None:
        return "", "", ""
    score = facts.fast.status.value if facts.fast.status is Status.NOT_MEASURED else f"{facts.fast.score:.1f}"
    return facts.correct.status.value, facts.safe.status.value, score
