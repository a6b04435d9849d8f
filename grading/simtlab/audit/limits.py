"""What the audit of one submission may take. The counts end it long before the clock does, so that the same submission
always ends alike, however loaded the machine is."""

from dataclasses import dataclass


class AuditLimit(Exception):
    """A submission is larger than is audited; the text is a sentence for the student. It accuses nobody."""


@dataclass(frozen=True)
class AuditBounds:
    """Bounds of the process that audits, and of what it reads."""

    cpu_seconds: int = 40
    memory_mb: int = 1024
    tokens: int = 500_000
    """Of the submission's own, macros replaced. A lab's solution has two thousand, a file of 1 MB seldom 400,000."""
    sections: int = 20_000
    symbols: int = 200_000
    """A lab's solution has a few hundred; a file full of the standard library's templates a few thousand."""
    references: int = 1_000_000
    line_table_bytes: int = 4 * 1024 * 1024
    """Of a longer table no line is looked up; a finding then names the line where its word stands."""

    def check(self, what: str, found: int, most: int, look_for: str) -> None:
        """Raises `AuditLimit` where more was found than is read."""
        if found > most:
            raise AuditLimit(
                f"the submission is too large to be checked: {what.format(f'{most:,}')}. "
                f"A lab needs a small part of that: look for {look_for}"
            )


DEFAULT_BOUNDS = AuditBounds()
