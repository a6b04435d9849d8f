"""What the wheel carries beside the Python code: simtcc with the emulator, the labs' judges, the sandbox's launcher,
the verifier, and the labs themselves. `make wheel` makes it (harness/wheels). A checkout has a build tree instead.

    installed/bin/simtcc                       installed/share/simtlab/labs/NN-name/         what students get
    installed/lib/simtlab/grader/labs/NN-name/ installed/share/simtlab/solutions/NN-name/    hidden cases; sample-class/
"""

import os
import sys
from pathlib import Path

from simtlab.errors import UsageError

_TREE = Path(__file__).resolve().parent / "installed"


def installed_tree() -> Path | None:
    """The folder that the wheel unpacked; None where the package runs from a checkout."""
    return _TREE if (_TREE / "bin" / "simtcc").is_file() else None


def installed_labs() -> Path | None:
    """The folder with the `labs` and `solutions` of the wheel."""
    tree = installed_tree()
    return tree / "share" / "simtlab" if tree else None


def installed_build() -> Path | None:
    """The part of the wheel that looks like a build tree: build descriptions, judges, launcher, verifier."""
    tree = installed_tree()
    return tree / "lib" / "simtlab" / "grader" if tree else None


def simtcc_of_package() -> Path:
    """The simtcc to use: the wheel's, else that of the checkout's build tree. Raises `UsageError` where none is."""
    tree, build = installed_tree(), os.environ.get("SIMTLAB_BUILD")
    candidates = [tree / "bin" / "simtcc"] if tree else []
    candidates += [Path(build) / "bin" / "simtcc"] if build else []
    candidates += [folder / "build" / "default" / "bin" / "simtcc" for folder in Path(__file__).resolve().parents]
    for path in candidates:
        if os.access(path, os.X_OK):
            return path
    raise UsageError("simtcc is not built here: install simtlab's wheel, or in a checkout run make test once")


def run_simtcc() -> None:
    """The command `simtcc`: becomes the real one."""
    try:
        program = simtcc_of_package()
    except UsageError as error:
        sys.exit(f"simtcc: {error}")
    os.execv(program, [str(program), *sys.argv[1:]])  # noqa: S606 - to start a compiler is the purpose
