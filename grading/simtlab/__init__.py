"""simtlab: the grader of the GPU programming labs.

A submission's way through the package: intake → build → judge → store → score → report. Student code never runs in this
process; what comes back from it are facts, and points are worked out from facts alone.
"""

__version__: str


def __getattr__(name: str) -> str:
    """`__version__`, looked up when somebody asks: the audit of each submission is a process that never does."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    return version("simtlab")
