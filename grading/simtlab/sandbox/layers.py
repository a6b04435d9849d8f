"""The layers of the sandbox, named as in `harness/sandbox/layers.h`: what is open without each, and the way to it."""

from collections.abc import Iterable
from dataclasses import dataclass

_USER_NAMESPACES = (
    "allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1, user.max_user_namespaces=10000; on"
    " Ubuntu 24.04 and later also kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap;"
    " on a cluster ask its administrators, or grade on another machine"
)
_CONTROL_GROUPS = (
    "grade as root, or in a delegated control group (systemd-run --user --scope -p Delegate=yes make grade); in a"
    " container mount /sys/fs/cgroup writable"
)


@dataclass(frozen=True)
class Layer:
    """One layer: whether grading insists on it, what is not protected without it, and the way to it."""

    name: str
    required: bool
    without: str
    remedy: str


CODE_VERIFIER = "code-verifier"
"""No layer around the program: its code is read before it runs (`audit/verified_code.py`)."""

LAYERS = (
    Layer(
        "user-namespace",
        True,
        "student code could use a hole in the kernel that only privileged calls reach",
        _USER_NAMESPACES,
    ),
    Layer(
        "mount-namespace",
        True,
        "student code can read whatever the grader's user can: hidden cases, solutions, other submissions",
        _USER_NAMESPACES,
    ),
    Layer(
        "pid-namespace",
        True,
        "student code can see the machine's processes, and end those of the user that it runs as",
        _USER_NAMESPACES,
    ),
    Layer(
        "network-namespace",
        True,
        "only the filter of system calls keeps student code from the network",
        _USER_NAMESPACES,
    ),
    Layer(
        "seccomp",
        True,
        "student code can call every part of the kernel",
        "install libseccomp-dev and build again; the kernel needs CONFIG_SECCOMP_FILTER",
    ),
    Layer(
        "rlimits",
        True,
        "student code can start processes without end",
        "install util-linux, which has prlimit",
    ),
    Layer(
        "unprivileged-user",
        True,
        "student code runs as root",
        "grade as an ordinary user, or as a root that may change its user",
    ),
    Layer(
        CODE_VERIFIER,
        False,
        "nothing looks at the instructions that a submission's finished code consists of",
        "install libcapstone-dev and build again, for x86-64 with g++ as the kernels' compiler",
    ),
    Layer(
        "cgroup-memory",
        False,
        "memory is bounded per process only: together a submission's processes may take the number of processes times"
        " the limit of one",
        _CONTROL_GROUPS,
    ),
    Layer(
        "cgroup-processes",
        False,
        "the number of processes is bounded by the user's limit alone, and what was refused is not counted",
        _CONTROL_GROUPS,
    ),
)


def missing_layers(active: Iterable[str]) -> list[Layer]:
    """The layers that are not among `active`, required ones first."""
    present = set(active)
    return [layer for layer in LAYERS if layer.name not in present]


def is_weak(active: Iterable[str]) -> bool:
    """Whether a required layer is missing."""
    return any(layer.required for layer in missing_layers(active))


def weakness(active: Iterable[str], backend: str = "emulator") -> str:
    """One sentence for table and report, empty when nothing is missing that the backend can have."""
    missing = [layer for layer in missing_layers(active) if backend != "cuda" or layer.name != CODE_VERIFIER]
    if not missing:
        return ""
    names = ", ".join(layer.name for layer in missing)
    if any(layer.required for layer in missing):
        return f"weak sandbox: graded without {names}; docs/security.md says what that leaves open"
    return f"sandbox without {names}: {missing[0].without}"
