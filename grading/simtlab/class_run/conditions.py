"""Under what conditions submissions are graded: the same for everybody in a run."""

from dataclasses import dataclass, field, replace

from simtlab.compiler.compile import CompilerBounds
from simtlab.device.device_class import gpu_name
from simtlab.errors import UsageError
from simtlab.intake.submission import Submission
from simtlab.judge.run import CaseLimits
from simtlab.labs.build_description import SASS
from simtlab.labs.catalogue import Lab
from simtlab.sandbox.sandbox import UNPROTECTED, Sandbox
from simtlab.store.key import KeyParts, key_parts, specification_hash

DEFAULT_SEED = 1
BACKENDS = ("emulator", SASS, "cuda")


@dataclass(frozen=True)
class Conditions:
    """Backend, seed, limits, sandbox, and the words before every runner."""

    backend: str = "emulator"
    backend_reason: str = ""
    gpu: str = ""
    """The device class; empty for the emulator."""
    seed: int = DEFAULT_SEED
    limits: CaseLimits = field(default_factory=CaseLimits)
    runner_prefix: tuple[str, ...] = ()
    sandbox: Sandbox = UNPROTECTED
    compiler_bounds: CompilerBounds = field(default_factory=CompilerBounds)
    without: tuple[str, ...] = ()
    """Layers of defence that a test switches off to see that the others hold: `audit`, and those of the judge."""
    until_failure: bool = False
    """Run nothing after the first case that does not pass: enough for a mutant, never for a student."""
    only_times: bool = False
    """Run the benchmark and no case: for calibrating what has passed its cases, never for a grade."""
    judge_seconds: float = 600
    """The wall clock of one whole judgement, all cases together; reaching it is our fault."""

    def for_backend(self, backend: str) -> "Conditions":
        """The same conditions on another backend."""
        return replace(self, backend=backend)

    def specification_of(self, lab: Lab) -> str:
        """Hash of all that decides facts in this lab besides the submission. It reads every file of the lab's build."""
        return specification_hash(lab, self.backend, self.without)

    def key_parts(self, submission: Submission, lab: Lab, specification: str | None = None) -> KeyParts:
        """What the submission's result depends on under these conditions, for the first attempt. `specification`: the
        lab's, where it is known already."""
        return key_parts(
            submission,
            specification or self.specification_of(lab),
            backend=self.backend,
            gpu=self.gpu,
            seed=self.seed,
            limits=self.limits,
            runner_prefix=list(self.runner_prefix),
            sandbox=self.sandbox.layers,
        )


def choose_backend(wish: str, device_class: str = "", *, elsewhere: bool = False) -> tuple[str, str, str]:
    """Backend, the reason for it, and the GPU's device class, from `auto`, `emulator` or `cuda`. The course may ask for
    one class; where others grade (`elsewhere`), this machine needs no such GPU."""
    if wish == "auto":
        return "emulator", "points come from the emulator, so that everyone is graded alike", ""
    if wish == "emulator":
        return "emulator", "asked for", ""
    if wish == SASS:
        return SASS, "asked for: kernels run as nvcc compiles them", ""
    if wish == "cuda":
        gpu = device_class if device_class and elsewhere else gpu_name()
        if gpu is None:
            raise UsageError(
                "--backend cuda: no usable GPU here (nvidia-smi lists none); use --backend emulator, or let nodes with "
                "a GPU grade: --executor slurm, with device_class in [executor] of course.toml"
            )
        if device_class not in ("", gpu):
            raise UsageError(
                f"--backend cuda: [executor] asks for the device class {device_class!r}, and the GPU here is {gpu!r}: "
                "grade on such a GPU, or change device_class in course.toml to what `simtlab canary` prints"
            )
        return "cuda", "asked for", gpu
    raise UsageError(f"--backend {wish}: expected auto, emulator or cuda")
