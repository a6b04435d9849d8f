"""simtlab: the grader of the GPU programming labs.

A submission's way through the package: intake → build → judge → store → score → report. Student code never runs in this
process; what comes back from it are facts, and points are worked out from facts alone.
"""

from importlib.metadata import version

__version__ = version("simtlab")
