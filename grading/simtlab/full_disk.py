"""What is said where a file cannot be written: a full disk is a sentence with the next step, never a traceback."""

import errno

_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG, errno.EIO, errno.EACCES, errno.EPERM}


def disk_sentence(error: OSError) -> str | None:
    """The sentence for an error of the disk or of its rights; None for any other, which is a mistake of ours."""
    if error.errno not in _OF_THE_DISK:
        return None
    what = f"{error.filename} cannot be written" if error.filename else "a file cannot be written"
    return (
        f"{what}: {error.strerror}. Make room there, or name other places (--store, --report, TMPDIR); then the same "
        "command continues, for what is graded is kept"
    )
