"""Whether a process of this machine still runs: for what gradings leave behind, which carries its owner's number."""

import os


def is_running(process: int) -> bool:
    """Also where it is another user's. A number may have been given to another process meanwhile."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
