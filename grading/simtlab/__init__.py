"""simtlab: the grader of the GPU programming labs.

A submission's way through the package: intake → build → judge → store → score → report. Student code never runs in this
process; what comes back from it are facts, and points are worked out from facts alone.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__version__: str


def __getattr__(name: str) -> str:
    """`__version__`, looked up when somebody asks: the audit of each submission is a process that never does."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("simtlab")
    except PackageNotFoundError:
        return version("simtlab-student")  # the same package without what is the instructors' alone


def load_ipython_extension(shell: "InteractiveShell") -> None:
    """`%load_ext simtlab` in a notebook: the magic `%%simt`."""
    from simtlab.notebook.magic import load

    load(shell)
