"""Attacks on the machine that grades: each ends in its declared verdict, as root and as an ordinary user, and leaves
nothing behind.

`harness/tests/sandbox/attack.cpp` is the submission, of a small test lab whose runner needs neither emulator nor GPU;
the judge, the launcher and the words between them are the real ones. An attack on something held back gives the right
answer when it gets it: `pass` would mean that a layer failed.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from simtlab.compiler.compile import CompilerBounds, compile_submission
from simtlab.errors import UsageError
from simtlab.labs.build_description import BackendBuild
from simtlab.labs.catalogue import default_build, find_root
from simtlab.sandbox.layers import CODE_VERIFIER, LAYERS, is_weak
from simtlab.sandbox.sandbox import Sandbox, launcher_of, probe_sandbox, require_sandbox
from simtlab.verdict import Verdict

ROOT = find_root(Path(__file__))
BUILD = default_build(ROOT)
ATTACK = BUILD / "sandbox" / "sandbox-attack"
JUDGE = BUILD / "harness" / "tests" / "test-judge-scale"
USER = 54321
IS_ROOT = os.geteuid() == 0
SANDBOX = probe_sandbox(BUILD, ROOT)

pytestmark = [
    pytest.mark.build_tree,
    pytest.mark.skipif(not ATTACK.exists(), reason=f"no sandbox is built in {BUILD}: needs libseccomp-dev"),
    pytest.mark.skipif(is_weak(SANDBOX.layers), reason="no user namespaces here: the sandbox cannot be tried"),
]
only_root = pytest.mark.skipif(not IS_ROOT, reason="only root can become another user")

# Verdict, and a part of the first case's message or of what it printed.
DECLARED = {
    "none": ("pass", ""),
    "fork_bomb": ("timeout", "It asked for more than 16 processes"),
    "memory_bomb": ("memory_limit", "more host memory"),
    "children_with_memory": ("memory_limit", "used more memory than the 256 MB"),
    "shared_memory": ("wrong_answer", "shared memory: Operation not permitted"),
    "memory_file": ("wrong_answer", "memory file: Operation not permitted"),
    "shared_zeros": ("wrong_answer", "/dev/zero shared: "),
    "endless_loop": ("timeout", "did not finish"),
    "ignores_the_clock": ("timeout", "did not finish"),
    "sleeps": ("timeout", "did not finish"),
    "spinning_children": ("timeout", "did not finish"),
    "floods_output": ("output_limit", "printed more than 16 KB"),
    "fills_the_disk": ("output_limit", "wrote more files, or larger ones"),
    "one_large_file": ("output_limit", "wrote a file larger"),
    "many_files": ("output_limit", "wrote more files, or larger ones"),
    "fills_temporary": ("wrong_answer", "No space left on device"),
    "fills_shared": ("wrong_answer", "No space left on device"),
    "reaches_the_network": ("wrong_answer", "internet socket: Operation not permitted"),
    "reads_what_is_hidden": ("wrong_answer", "/etc/passwd: No such file"),
    "reads_the_environment": ("wrong_answer", "environment: "),
    "writes_outside": ("wrong_answer", "/usr/bin/attack: Read-only file system"),
    "kills_others": ("wrong_answer", ""),
    "traces": ("wrong_answer", "ptrace: Operation not permitted"),
    "reads_memory_of_others": ("wrong_answer", "process_vm_readv: Operation not permitted"),
    "makes_namespaces": ("wrong_answer", "unshare: Operation not permitted"),
    "mounts": ("wrong_answer", "mount: Operation not permitted"),
    "kernel_doors": ("wrong_answer", "bpf: Operation not permitted"),
    "types_into_the_terminal": ("wrong_answer", "terminal: "),
    "raises_limits": ("wrong_answer", "more processes: Operation not permitted"),
    "leaves_a_daemon": ("pass", ""),
    "exits_like_a_kill": ("crash", "was ended by"),
}


@dataclass(frozen=True)
class Arena:
    """Copies of the programs, where every user can reach them, and the words that make one that user."""

    folder: Path
    become: tuple[str, ...] = ()

    def sandbox(self) -> Sandbox:
        """What this user has."""
        launcher = self.folder / "simtlab-sandbox"
        probed = subprocess.run(
            [*self.become, launcher, "--probe", "--json"], capture_output=True, text=True, check=False
        )
        found = json.loads(probed.stdout)
        if found["layers"]:
            return Sandbox(launcher, tuple(found["layers"]))
        return Sandbox(launcher, tuple(found["without_namespaces"]), namespaces=False, problem=found["problem"])

    def facts(self, attack: str, sandbox: Sandbox) -> dict[str, Any]:
        """The judge's facts about an attack."""
        runner = self.folder / f"attack-{attack}"
        if not runner.exists():
            runner.hardlink_to(self.folder / "attack")
        place = Path(tempfile.mkdtemp(dir=self.folder / "places"))
        place.chmod(0o711)  # as the grader's own folder is where there are no namespaces
        if self.become:
            os.chown(place, USER, USER)
        facts = place / "facts.json"
        seconds = "0.6" if DECLARED[attack][0] == "timeout" else "5"
        done = subprocess.run(
            [
                *self.become,
                self.folder / "judge",
                *("--runner", runner, "--facts", facts, "--submission", "attacker", "--limit-seconds", seconds),
                "--until-failure",  # one case of an attack that spins for its time tells as much as three
                *("--runner-prefix", json.dumps(sandbox.runner_words(runner, "emulator"))),
                *("--sandbox-layers", ",".join(sandbox.layers)),
            ],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={"PATH": os.environ["PATH"], "TMPDIR": str(place), "ATTACKED_SECRET": "hidden"},
        )
        assert done.returncode == 0, done.stderr
        assert {path.name for path in place.iterdir()} == {"facts.json"}, "the judge's folders are gone"
        document: dict[str, Any] = json.loads(facts.read_text(encoding="utf-8"))
        shutil.rmtree(place)
        return document


@pytest.fixture(scope="module")
def arena() -> Iterator[Arena]:
    """As whoever runs the tests; on root's machine that is root."""
    folder = Path(tempfile.mkdtemp(prefix="simtlab-attacks-"))
    folder.chmod(0o755)
    (folder / "places").mkdir()
    (folder / "places").chmod(0o1777)
    for name, program in (("simtlab-sandbox", launcher_of(BUILD)), ("judge", JUDGE), ("attack", ATTACK)):
        shutil.copy(program, folder / name)
        (folder / name).chmod(0o755)
    yield Arena(folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def as_user(arena: Arena) -> Arena:
    return replace(arena, become=("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--"))


def check(arena: Arena, sandbox: Sandbox, attack: str) -> None:
    verdict, words = DECLARED[attack]
    facts = arena.facts(attack, sandbox)
    first = facts["cases"][0]
    assert facts["verdict"] == verdict, first
    assert words in first["message"] + first["printed"], first
    assert "SUCCEEDED" not in first["printed"]
    assert facts["environment"]["sandbox_layers"] == list(sandbox.layers)


@pytest.mark.parametrize("attack", DECLARED)
def test_attack_has_its_declared_verdict(arena: Arena, attack: str) -> None:
    needs_groups = attack in ("fork_bomb", "children_with_memory")
    if needs_groups and not {"cgroup-memory", "cgroup-processes"} <= set(SANDBOX.layers):
        pytest.skip("no control groups here: nothing counts what all processes take together")
    check(arena, SANDBOX_IN(arena), attack)


def SANDBOX_IN(arena: Arena) -> Sandbox:  # noqa: N802 - stands for the constant, in the arena's copy
    return replace(SANDBOX, launcher=arena.folder / "simtlab-sandbox")


@only_root
@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(name, marks=[pytest.mark.long] if verdict == "timeout" else [])
        for name, (verdict, _) in DECLARED.items()
        if name not in ("fork_bomb", "children_with_memory")  # what needs control groups
    ],
)
def test_attack_has_its_declared_verdict_when_an_ordinary_user_grades(as_user: Arena, attack: str) -> None:
    sandbox = ordinary(as_user)
    check(as_user, sandbox, attack)


def ordinary(as_user: Arena) -> Sandbox:
    """An ordinary user's sandbox has every layer that grading insists on; control groups are root's here."""
    sandbox = as_user.sandbox()
    assert not is_weak(sandbox.layers), sandbox.problem
    return sandbox


@only_root
def test_without_control_groups_the_processes_of_a_submission_are_still_bounded(arena: Arena) -> None:
    hide = 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"'
    hidden = replace(arena, become=("unshare", "--mount", "sh", "-c", hide, "sh"))
    sandbox = hidden.sandbox()
    assert {layer.name for layer in LAYERS} - {*sandbox.layers, CODE_VERIFIER} == {"cgroup-memory", "cgroup-processes"}
    assert hidden.facts("fork_bomb", sandbox)["verdict"] == "timeout"
    assert hidden.facts("children_with_memory", sandbox)["verdict"] != "pass"


@only_root
def test_without_user_namespaces_grading_is_refused_or_weak_and_says_so(as_user: Arena) -> None:
    none = ("bwrap", "--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--")
    bare = replace(as_user, become=(*as_user.become, *none))
    weak = bare.sandbox()
    assert not weak.namespaces
    assert weak.problem
    assert {"seccomp", "rlimits", "unprivileged-user"} <= set(weak.layers)
    assert is_weak(weak.layers)
    # Weak, what is left works: right programs pass, and the filter of system calls holds.
    check(bare, weak, "none")
    for attack in ("endless_loop", "reaches_the_network", "traces", "mounts", "makes_namespaces", "memory_bomb"):
        check(bare, weak, attack)


@only_root
def test_without_namespaces_root_still_runs_student_code_as_another_user(arena: Arena) -> None:
    active = [name for name in SANDBOX.layers if not name.endswith("namespace")]
    weak = Sandbox(arena.folder / "simtlab-sandbox", tuple(active), namespaces=False)
    for attack in ("none", "reaches_the_network", "traces", "raises_limits", "memory_bomb", "many_files"):
        check(arena, weak, attack)
    assert "SUCCEEDED" not in arena.facts("writes_outside", weak)["cases"][0]["printed"]


def test_grading_without_a_launcher_is_refused_with_the_package_to_install(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="libseccomp-dev") as refusal:
        require_sandbox(tmp_path, ROOT, allow_weak=False)
    for words in ("mount-namespace: without it student code can read", "--allow-weak", "ALLOW_WEAK=1"):
        assert words in str(refusal.value)
    assert require_sandbox(tmp_path, ROOT, allow_weak=True).runner_words(Path("/runner"), "emulator") == []


# ---- The launcher itself ---------------------------------------------------------------------------------------------


def launched(*words: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([launcher_of(BUILD), *words], capture_output=True, text=True, check=False, timeout=60, **more)


def status_after(folder: Path, *words: str) -> tuple[int, dict[str, Any]]:
    done = launched("--status", str(folder / "status.json"), *words)
    return done.returncode, json.loads((folder / "status.json").read_text(encoding="utf-8"))


def test_exit_codes_and_signals_come_through(tmp_path: Path) -> None:
    assert status_after(tmp_path, "--", "sh", "-c", "exit 7")[0] == 7
    code, status = status_after(tmp_path, "--", "sh", "-c", "kill -SEGV $$")
    assert (code, status["signal"], status["started"]) == (139, signal.SIGSEGV, True)


def test_what_cannot_be_shown_is_our_fault_and_named(tmp_path: Path) -> None:
    code, status = status_after(tmp_path, "--read", "/no/such/file", "--", "true")
    assert (code, status["started"]) == (125, False)
    assert status["why"] == "/no/such/file cannot be shown to the sandbox: No such file or directory"


def test_a_layer_that_was_asked_for_and_is_missing_starts_nothing(tmp_path: Path) -> None:
    code, status = status_after(tmp_path, "--require", "seccomp,moat", "--", "true")
    assert (code, status["started"]) == (125, False)
    assert "the layer moat" in status["why"]


def test_what_lies_in_usr_is_shown_anyway_also_behind_a_link(tmp_path: Path) -> None:
    code, status = status_after(tmp_path, "--read", "/usr/bin/env", "--read", "/usr/no/such/file", "--", "env", "true")
    assert (code, status["started"]) == (0, True)


@only_root
def test_roots_closed_folders_are_shown_to_the_unprivileged_user_and_what_he_writes_is_his(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    for name in ("in", "out"):
        (closed / name).mkdir(parents=True)
    (closed / "in" / "word").write_text("hello", encoding="utf-8")
    closed.chmod(0o700)
    show = ["--read", str(closed / "in"), "--write", str(closed / "out")]
    done = launched(*show, "--", "sh", "-c", f"cat {closed}/in/word > {closed}/out/copy; echo > {closed}/in/word")
    assert "Read-only file system" in done.stderr
    assert (closed / "out" / "copy").read_text(encoding="utf-8") == "hello"
    assert (closed / "out" / "copy").stat().st_uid == 65534


def processes_named(name: str) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text(encoding="utf-8").strip() == name:
                found.append(folder.name)
        except OSError:
            continue
    return found


def wait_until(gone: Any) -> bool:
    for _ in range(200):
        if gone():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_when_the_launcher_is_ended_everything_ends(tmp_path: Path, by: signal.Signals) -> None:
    unique = f"sleep{os.getpid()}"
    before = abandoned_groups()
    program = tmp_path / unique
    shutil.copy("/usr/bin/sleep", program)
    words = [str(launcher_of(BUILD)), "--memory-mb", "64", "--read", str(program), "--", "sh", "-c"]
    process = subprocess.Popen([*words, f"setsid {program} 300 & exec {program} 300"], stderr=subprocess.DEVNULL)
    assert wait_until(lambda: len(processes_named(unique[:15])) == 2)
    process.send_signal(by)
    process.wait(20)
    assert wait_until(lambda: not processes_named(unique[:15]))
    launched("--sweep")
    assert set(abandoned_groups()) <= set(before)


def abandoned_groups() -> list[Path]:
    """Control groups whose launcher is gone; those of a grading beside this test have one."""
    return [path for path in groups() if not Path("/proc", path.name.split("-")[2]).exists()]


def groups() -> list[Path]:
    return [Path(folder) for folder, _, _ in os.walk("/sys/fs/cgroup") if Path(folder).name.startswith("simtlab-")]


def traces_left(folder: Path) -> dict[str, Any]:
    """What hostile programs could leave on the machine."""
    return {
        "processes": processes_named("left-behind"),
        "mounts": Path("/proc/self/mountinfo").read_text(encoding="utf-8"),
        "groups": abandoned_groups(),
        "temporary": sorted(path.name for path in folder.iterdir()),
        "shared": sorted(path.name for path in Path("/dev/shm").iterdir()),
        "queues": Path("/proc/sysvipc/shm").read_text(encoding="utf-8"),
    }


@pytest.mark.long
def test_two_hundred_hostile_runs_leave_nothing_behind(arena: Arena) -> None:
    sandbox = SANDBOX_IN(arena)
    attacks = (
        "leaves_a_daemon",
        "kills_others",
        "fills_shared",
        "exits_like_a_kill",
        "many_files",
        "floods_output",
        "traces",
    )
    for attack in attacks:
        arena.facts(attack, sandbox)
    before, memory = traces_left(arena.folder / "places"), _resident_kb()
    for number in range(200):
        arena.facts(attacks[number % len(attacks)], sandbox)
    assert traces_left(arena.folder / "places") == before
    assert _resident_kb() - memory < 8 * 1024


def _resident_kb() -> int:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmRSS:")[1].split()[0])


# ---- The compile step ------------------------------------------------------------------------------------------------

SIMTCC = BUILD / "bin" / "simtcc"
HIDDEN = ROOT / "solutions" / "01-vector-add" / "kernel.cu"
COMPILE_ATTACKS = {
    "passwords": ('#include "/etc/passwd"\n', Verdict.COMPILE_ERROR, "No such file"),
    "a_solution": (f'#include "{HIDDEN}"\n', Verdict.COMPILE_ERROR, "No such file"),
    "a_neighbour": ('#include "../../hidden.json"\n', Verdict.COMPILE_ERROR, "No such file"),
    "endless_file": ('#include "/dev/zero"\n', None, ""),
    "templates": (
        "template <int N> struct bomb { static const int value = bomb<N * 2>::value + bomb<N * 2 + 1>::value; };\n"
        "int f() { return bomb<1>::value; }\n",
        None,
        "",
    ),
    "macros": (
        "#define A(x) x x x x x x x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\nint f() { return B(B(1 +)) 0; }\n",
        Verdict.COMPILER_LIMIT,
        "needed more than it may use",
    ),
    "many_errors": ("int f() { " + "x; " * 20_000 + "}\n", Verdict.COMPILE_ERROR, ""),
    "huge_array": ("char a[1 << 30] = {1};\n", Verdict.COMPILER_LIMIT, "needed more than it may use"),
    # Pasted words are refused in a submission alone: simtcc is told that this is one.
    "pasting": (
        '#define JOIN(a, b) a##b\nvoid f() { JOIN(as, m)("nop"); }\n',
        Verdict.COMPILE_ERROR,
        "may paste any word",
    ),
    "incbin": ('asm(".incbin \\"/etc/passwd\\"");\n', Verdict.FORBIDDEN, "not allowed: assembly"),
}


def compiled(folder: Path, text: str, sandbox: Sandbox = SANDBOX) -> Any:
    sources = folder / "submission"
    sources.mkdir()
    (sources / "kernel.cu").write_text(text, encoding="utf-8")
    lab = json.loads((BUILD / "labs" / "01-vector-add" / "lab.json").read_text(encoding="utf-8"))
    build = BackendBuild.model_validate_json(json.dumps(lab["backends"]["emulator"]))
    bounds = CompilerBounds(seconds=3, memory_mb=300, file_mb=64)
    return compile_submission(build, ["kernel.cu"], sources, folder / "runner", sandbox=sandbox, bounds=bounds)


@pytest.mark.skipif(not SIMTCC.exists(), reason="the emulator's compiler is not built")
@pytest.mark.parametrize("attack", COMPILE_ATTACKS)
def test_attack_on_the_compile_step_has_its_declared_verdict(tmp_path: Path, attack: str) -> None:
    text, verdict, words = COMPILE_ATTACKS[attack]
    compilation = compiled(tmp_path, text)
    if verdict is None:
        assert compilation.verdict in (Verdict.COMPILER_LIMIT, Verdict.COMPILE_ERROR)
    else:
        assert compilation.verdict is verdict, compilation
    assert words in compilation.message
    assert "root:" not in compilation.stderr
    assert "__global__" not in compilation.stderr


@pytest.mark.skipif(not SIMTCC.exists(), reason="the emulator's compiler is not built")
def test_a_right_program_compiles_in_the_sandbox_as_outside(tmp_path: Path) -> None:
    if not HIDDEN.exists():
        pytest.skip("a students' copy: there is no folder solutions")
    compilation = compiled(tmp_path, HIDDEN.read_text(encoding="utf-8"))
    assert compilation.verdict is None, compilation
    runner = tmp_path / "runner"
    assert runner.stat().st_uid == os.geteuid()
    assert sys.platform == "linux"
