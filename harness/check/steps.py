"""The steps of `make check`: each runs its programs and says what every test came to."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from check.command import CORES, LOGS, ROOT, Finished, run
from check.each_alone import check_each_alone
from check.outcome import Outcome, Status, UnreadableResultsError, after_another_try, read_ctest, read_pytest
from check.retired_names import check_retired_names
from check.sources import cpp_sources, llvm_tool
from check.tidy import examine_sources

LLVM = 14  # of Debian 12, the reference
_PYTHON_FOLDERS = ("grading", "harness")
_PYTEST_SUITES = {
    "spaces": "harness/spaces",
    "wheels": "harness/wheels",
    "install": "harness/install",
    "hardware": "harness/hardware",
    "mistakes": "harness/mistakes",
    "check": "harness/check",
    "bench": "harness/bench",
    "api": "harness/api",
}
"""Suites of one process each, the long ones first; they run one after the other beside the grader's."""
_HOUSE_ROOMS = ("check", "bench", "hardware", "install", "spaces", "gallery", "mistakes", "wheels", "api")
_MOST_AGAIN = 5  # failed tests of a suite that run again, alone; where more fail, it is not the machine
_OUR_PATH = {"PYTHONPATH": str(ROOT / "harness"), "MYPYPATH": str(ROOT / "harness")}


@dataclass(frozen=True)
class Options:
    """What the caller asked for."""

    full: bool = False
    """Run what is marked long, too."""
    fix: bool = False
    """Let the formatters and ruff change the files."""

    @property
    def suite_seconds(self) -> float:
        """After what time a suite of tests hangs: a slow machine takes 40 minutes, what is long an hour when busy."""
        return 7200 if self.full else 3000


Step = Callable[[Options], list[Outcome]]


def _said(name: str, finished: Finished) -> Outcome:
    """A program that is one test: its exit code decides."""
    if finished.ended_well:
        return Outcome(name, Status.PASSED)
    return Outcome(name, Status.FAILED, finished.tail())


def _tool_missing(name: str) -> Outcome:
    return Outcome(name, Status.SKIPPED, f"{name} {LLVM} not found")


def check_format(options: Options) -> list[Outcome]:
    """clang-format over our C++ and CUDA sources, ruff over our Python."""
    program = llvm_tool("clang-format", LLVM)
    if program is None:
        cpp = _tool_missing("clang-format")
    else:
        mode = ["-i"] if options.fix else ["--dry-run", "-Werror"]
        cpp = _unformatted(run("clang-format", [program, *mode, *cpp_sources()]))
    ruff_mode = [] if options.fix else ["--check", "--diff"]
    ruff = run("ruff-format", [_venv("ruff"), "format", *ruff_mode, *_PYTHON_FOLDERS])
    return [cpp, _said("ruff-format", ruff)]


def _unformatted(finished: Finished) -> Outcome:
    """clang-format's complaints, one line a file; where in the file is in the log."""
    if finished.ended_well:
        return Outcome("clang-format", Status.PASSED)
    places = re.findall(r"^(.+?):\d+:\d+: error: code should be clang-formatted", finished.output, re.MULTILINE)
    if not places:
        return _said("clang-format", finished)
    files = [f"{Path(name).relative_to(ROOT)}: {count} places" for name, count in Counter(places).items()]
    return Outcome("clang-format", Status.FAILED, "\n".join([*files, "`make format` repairs them"]))


def check_lint(options: Options) -> list[Outcome]:
    """Retired names; ruff; mypy; what batches hide of a source."""
    fix = ["--fix"] if options.fix else []
    house = [word for room in _HOUSE_ROOMS for word in ("-p", room)]
    of_house: list[str | Path] = [_venv("mypy"), "--config-file", "grading/pyproject.toml", *house]
    of_grader = partial(run, "mypy", [_venv("mypy")], folder=ROOT / "grading")
    ruff = _said("ruff", run("ruff", [_venv("ruff"), "check", *fix, *_PYTHON_FOLDERS]))
    with ThreadPoolExecutor(CORES) as pool:  # mypy takes as long as all else, and one processor
        graders = pool.submit(of_grader)
        return [
            check_retired_names(),
            check_each_alone(ROOT / "build" / "default"),
            ruff,
            _said("mypy-house", run("mypy-house", of_house, environment=_OUR_PATH)),
            _said("mypy", graders.result()),
        ]


def check_tidy(options: Options) -> list[Outcome]:
    """clang-tidy over our .cpp files, each alone in build/default; the tests and the analyzer in a full check only."""
    program = llvm_tool("clang-tidy", LLVM)
    if program is None:
        return [_tool_missing("clang-tidy")]
    return [examine_sources(program, ROOT / "build" / "default", options.full)]


_PROJECT, _LONG, _LAB, _UNTRUSTED = "project", "long", "lab", "untrusted"
"""The labels of all tests that a check runs, of those that only a full one runs, of a student's own, and of the readers
of bytes that others wrote (harness/cmake/AddTest.cmake)."""


def build(options: Options) -> list[Outcome]:
    """The product and its tests, warnings as errors; the benchmarks in a full check."""
    benchmarks = ["simtlab_benchmarks"] if options.full else []
    return _build("default", "all", "simtlab_judges", *benchmarks)


def run_ctest(options: Options) -> list[Outcome]:
    """The C++ tests of the project, and that a check runs each.

    A student's labs are not among them: an untouched stub fails by intent."""
    return [*_ctest("default", options), run_nowhere(_listed("default"))]


def run_pytest(options: Options) -> list[Outcome]:
    """The tests of the grader, and those of this program."""
    selection = [] if options.full else ["-m", "not long"]

    def outcomes_of(name: str, folder: Path, *beside: str) -> list[Outcome]:
        first = pytest_suite(f"pytest-{name}", folder, options, [*selection, *beside])
        again = partial(pytest_suite, f"pytest-{name}-again", folder, options, ["--last-failed"])
        return with_another_try(first, again)

    # A file's fixtures are dear, so a file stays with one process. Tests of attacks and kills mostly wait, so there is
    # one process more than processors, and the other suites run beside them, one at a time.
    processes = ("--numprocesses", str(CORES + 1), "--dist", "loadfile", "--no-loadscope-reorder")
    with ThreadPoolExecutor(1) as beside:
        others = [beside.submit(outcomes_of, name, ROOT / folder) for name, folder in _PYTEST_SUITES.items()]
        try:
            outcomes = outcomes_of("grading", ROOT / "grading", *processes)
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)
            raise
        return [*outcomes, *(outcome for other in others for outcome in other.result())]


def pytest_suite(name: str, folder: Path, options: Options, words: list[str]) -> list[Outcome]:
    """One suite, or of it those tests that failed."""
    results = LOGS / f"{name}.xml"
    results.unlink(missing_ok=True)
    program: list[str | Path] = [_venv("python"), "-m", "pytest", "-q", f"--junitxml={results}", *words, "tests"]
    finished = run(name, program, folder=folder, environment=_OUR_PATH, limit_seconds=options.suite_seconds)
    return _read(read_pytest, results, finished, name)


def sanitizer(preset: str) -> Step:
    """Builds and runs the C++ tests of one sanitizer, but for the long ones, which a full check runs in `default`.

    A check that is not full takes the readers of untrusted bytes alone."""

    def step(options: Options) -> list[Outcome]:
        if options.full:
            return _build(preset, "all") + _ctest(preset, options, with_long=False)
        return _build(preset, "simtlab_untrusted_tests") + _ctest(preset, options, label=_UNTRUSTED)

    return step


def _listed(preset: str) -> dict[str, set[str]]:
    """The tests of a tree, each with its labels."""
    words = ["ctest", "--preset", preset, "--show-only=json-v1"]
    finished = run(f"tests-{preset}", words)
    return read_labels(finished.output) if finished.ended_well else {}


def read_labels(listing: str) -> dict[str, set[str]]:
    """What `ctest --show-only=json-v1` says, behind the line of its command: every test with its labels."""
    labels: dict[str, set[str]] = {}
    for test in json.loads(listing[listing.index("{") :])["tests"]:
        properties = {one["name"]: one["value"] for one in test.get("properties", [])}
        labels[test["name"]] = set(properties.get("LABELS", []))
    return labels


def run_nowhere(labels: dict[str, set[str]]) -> Outcome:
    """Whether a check runs each test of a tree: those of the project, and a student's own by the grader's tests."""
    name = "every test runs"
    if not labels:
        return Outcome(name, Status.FAILED, "CTest listed no tests, see build/check/tests-*.log")
    lost = sorted(test for test, its in labels.items() if not its & {_PROJECT, _LAB})
    told = [f"{test}: no check runs it; give it the label `{_PROJECT}`" for test in lost]
    return Outcome(name, Status.FAILED if told else Status.PASSED, "\n".join(told))


_ARM64_PROGRAMS = {"g++-aarch64-linux-gnu": "aarch64-linux-gnu-g++", "qemu-user": "qemu-aarch64"}
_ARM64_TARGETS = (
    *(f"claims_{topic}" for topic in ("global_memory", "shared_memory", "tiling", "execution")),
    "clean_kernels",
    "ordered_kernels",
    *(f"test_emulator_{part}" for part in ("bugs", "bugs_schedules", "bugs_killed")),
)
_ARM64_TESTS = r"^emulator[.](claims[.].*|clean_kernels|ordered_kernels|bugs(_[a-z]+)?)$"
_ARM64_LIBRARIES = ("libdw", "libelf", "libboost_context", "libfmt")


def check_arm64(options: Options) -> list[Outcome]:
    """The emulator cross-compiled for arm64, under qemu-user: counters and findings must be those of x86-64."""
    missing = [package for package, program in _ARM64_PROGRAMS.items() if shutil.which(program) is None]
    folder = Path("/usr/lib/aarch64-linux-gnu")
    missing += [f"{name.replace('_', '-')}-dev:arm64" for name in _ARM64_LIBRARIES if not any(folder.glob(f"{name}.*"))]
    if missing:
        return [Outcome("arm64", Status.SKIPPED, f"cross tools not found: {' '.join(missing)}")]
    return _build("arm64", *_ARM64_TARGETS) + _ctest("arm64", options, _ARM64_TESTS)


def _build(preset: str, *targets: str) -> list[Outcome]:
    configured = run(f"configure-{preset}", ["harness/setup/configure.sh", preset])
    if not configured.ended_well:
        return [_said(f"configure-{preset}", configured)]
    # Keep going after a failure: one broken file then costs its own tests, not everyone's.
    words: list[str | Path] = ["cmake", "--build", f"build/{preset}", "--target", *targets, "--", "-k", "0"]
    return [_said(f"build-{preset}", run(f"build-{preset}", words, limit_seconds=1500))]


def _ctest(preset: str, options: Options, names: str = "", label: str = "", with_long: bool = True) -> list[Outcome]:
    selection = ["-L", f"^{_PROJECT}$", "--parallel", str(CORES)]
    selection += [] if options.full and with_long else ["-LE", f"^{_LONG}$"]
    selection += ["-R", names] if names else []
    selection += ["-L", f"^{label}$"] if label else []

    def selected(name: str, words: list[str]) -> list[Outcome]:
        results = LOGS / f"{name}.xml"
        results.unlink(missing_ok=True)
        program: list[str | Path] = ["ctest", "--preset", preset, "--output-junit", results, *words]
        return _read(read_ctest, results, run(name, program, limit_seconds=options.suite_seconds), name)

    first = selected(f"ctest-{preset}", selection)
    return with_another_try(first, lambda: selected(f"ctest-{preset}-again", ["--rerun-failed"]))


def with_another_try(first: list[Outcome], again: Callable[[], list[Outcome]]) -> list[Outcome]:
    """The outcomes of a suite, a few failed tests having run once more, alone. A busy machine is no reason to fail."""
    failed = sum(outcome.status is Status.FAILED for outcome in first)
    return after_another_try(first, again()) if 0 < failed <= _MOST_AGAIN else first


def _read(reader: Callable[[Path], list[Outcome]], results: Path, finished: Finished, name: str) -> list[Outcome]:
    """The outcomes in a result file; a program that failed although no test did is a failure of its own."""
    try:
        outcomes = reader(results)
    except UnreadableResultsError as problem:
        return [Outcome(name, Status.FAILED, f"{problem}\n{finished.tail()}")]
    if not outcomes:
        return [Outcome(name, Status.FAILED, f"ran no test\n{finished.tail()}")]
    if not finished.ended_well and all(outcome.status is not Status.FAILED for outcome in outcomes):
        outcomes.append(Outcome(name, Status.FAILED, finished.tail()))
    return outcomes


def _venv(program: str) -> Path:
    """A program beside the interpreter that runs us."""
    return Path(sys.executable).parent / program


STEPS: dict[str, Step] = {
    "format": check_format,
    "build": build,
    "lint": check_lint,
    "ctest": run_ctest,
    "pytest": run_pytest,
    "asan": sanitizer("asan"),
    "tidy": check_tidy,
    "ubsan": sanitizer("ubsan"),
    "tsan": sanitizer("tsan"),
    "arm64": check_arm64,
}
ONLY_FULL = frozenset({"tidy", "ubsan", "tsan", "arm64"})
"""`asan` has both of the other two: `ubsan` alone shows what only an unpadded build does, and may wait."""
