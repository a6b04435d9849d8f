"""The options that several subcommands share, and what they stand for."""

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from simtlab.class_run.conditions import DEFAULT_SEED, Conditions, choose_backend
from simtlab.doctor.checks import require_compiler, require_gpu_tools
from simtlab.errors import UsageError
from simtlab.executors.settings import ExecutorSettings
from simtlab.installed import installed_tree
from simtlab.labs.build_description import SASS
from simtlab.labs.catalogue import Catalogue, default_build, find_root, is_checkout, read_catalogue
from simtlab.new_course.pin import refuse_other_version
from simtlab.sandbox.sandbox import require_sandbox
from simtlab.store.results import ResultStore

DEFAULT_STORE = "results"
DEFAULT_REPORT = "report"

BuildOption = Annotated[
    Path | None,
    typer.Option(
        "--build",
        help="The build tree of the labs.",
        show_default="$SIMTLAB_BUILD, build/default of a checkout, or the wheel's",
    ),
]
StoreOption = Annotated[Path, typer.Option("--store", help="Where results are kept, for good.")]
PolicyOption = Annotated[
    Path | None,
    typer.Option(
        "--policy",
        metavar="FILE",
        help="The course's policy: due dates, late days, weights.",
        show_default="course.toml of the checkout or course",
    ),
]
LabsOption = Annotated[str, typer.Option("--labs", help="Only these labs: 07,08.")]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, max=256, help="Submissions at a time.", show_default="one per core")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else.")]
EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        help="g++, or sass: the emulator runs kernels as nvcc compiles them.",
        show_default="g++, or engine of the policy",
    ),
]
BackendOption = Annotated[str, typer.Option("--backend", help="auto, emulator or cuda.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="Seed of the random inputs.")]
SecretSeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        max=2**63 - 1,
        help="Seed of the random inputs.",
        show_default="a secret one, drawn once and kept in the store",
    ),
]
RunnerPrefixOption = Annotated[
    str,
    typer.Option(
        "--runner-prefix", envvar="SIMTLAB_RUNNER_PREFIX", help='Words before every runner: "srun --gres=gpu:1".'
    ),
]
AllowWeakOption = Annotated[
    bool,
    typer.Option(
        "--allow-weak",
        envvar="SIMTLAB_ALLOW_WEAK",
        help="Grade although layers of the sandbox are missing; every report says so.",
    ),
]
LimitSecondsOption = Annotated[
    float | None, typer.Option("--limit-seconds", min=0.1, help="Processor time of one case.", show_default="the lab's")
]
LimitMemoryOption = Annotated[
    int | None, typer.Option("--limit-memory-mb", min=16, help="Memory of one case.", show_default="the lab's")
]


def stored_results(store: Path, part: str = "runs") -> ResultStore:
    """The store that was asked for. Raises `UsageError` where the folder has not that part of a store."""
    if not (store / part).is_dir():
        raise UsageError(f"{store} is no store of results: run `simtlab grade DIR` first, or name one with --store")
    return ResultStore(store)


def catalogue_of(build: Path | None) -> Catalogue:
    """The labs of the checkout or course we are in, with the build tree that was asked for. Raises `UsageError` in a
    course that another version of simtlab grades."""
    root = find_root()
    if not is_checkout(root):
        refuse_other_version(root)
    tree = (build or default_build(root)).absolute()
    return read_catalogue(root, tree)


def selected_labs(catalogue: Catalogue, words: str) -> list[str] | None:
    """The labs named by `--labs`, None when the option was not given."""
    names = [catalogue.resolve(word.strip()) for word in words.split(",") if word.strip()]
    if words.strip() and not names:
        raise UsageError(f"--labs {words!r} names no lab: expected numbers or names like 07,08")
    return names or None


def worker_count(wish: int | None) -> int:
    """How many submissions at a time: as asked for, else one per core we may use."""
    return wish or len(os.sched_getaffinity(0))


def conditions_of(
    catalogue: Catalogue,
    backend: str,
    runner_prefix: str,
    *,
    seed: int = DEFAULT_SEED,
    allow_weak: bool,
    executor: ExecutorSettings | None = None,
) -> Conditions:
    """What the options say of how submissions are run, and where. Refuses a backend or a sandbox that is not to be
    had."""
    if installed_tree():
        require_compiler()
    where = executor or ExecutorSettings()
    chosen, reason, gpu = choose_backend(backend, where.device_class, elsewhere=where.kind != "local")
    if chosen == SASS:
        require_gpu_tools(catalogue)
    return Conditions(
        backend=chosen,
        backend_reason=reason,
        gpu=gpu,
        seed=seed,
        runner_prefix=_prefix_words(runner_prefix),
        sandbox=require_sandbox(catalogue.build, catalogue.root, allow_weak=allow_weak),
    )


def backend_of(backend: str, engine: str) -> str:
    """The backend that `--backend` and `--engine` name together."""
    if engine not in ("", "g++", SASS):
        raise UsageError(f"--engine {engine}: expected g++ or sass")
    if engine != SASS:
        return backend
    if backend == "cuda":
        raise UsageError("--engine sass is the emulator's: leave --backend cuda away, or --engine")
    return SASS


def _prefix_words(prefix: str) -> tuple[str, ...]:
    """The words of a command prefix, split as a shell would."""
    try:
        return tuple(shlex.split(prefix))
    except ValueError as error:
        raise UsageError(f"--runner-prefix {prefix!r}: {error}") from error
