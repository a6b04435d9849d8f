"""Whether a process of this machine still runs: for what gradings leave behind, which carries its owner's number."""

import os
from pathlib import Path


def is_running(process: int) -> bool:
    """Also where it is another user's; not where it has ended and nobody has collected it yet, as a container's first
    process may leave it for long. A number may have been given to another process meanwhile."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return not _is_over(process)


def _is_over(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return False  # it may be hidden from us
    return stat.rpartition(b")")[2].split()[:1] in ([b"Z"], [b"X"])
