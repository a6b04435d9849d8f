"""What the audit tells: a rule of the lab, the place it is about, and a sentence that says what to do."""

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """The rules of the audit. Each is explained in docs/security.md."""

    HEADER = "header"
    DIRECTIVE = "directive"
    ASSEMBLY = "assembly"
    ATTRIBUTE = "attribute"
    PRAGMA = "pragma"
    INTERNAL_NAME = "internal-name"
    BUILTIN = "builtin"
    FUNCTION = "function"
    DEFINITION = "definition"
    INITIALISER = "initialiser"
    DESTRUCTOR = "destructor"
    SECTION = "section"
    CODE = "code"


@dataclass(frozen=True)
class AuditFinding:
    """One thing in a submission that the lab does without. It stands in results, and is no pydantic model only so that
    the process that audits starts in a tenth of a second."""

    __pydantic_config__ = {"extra": "forbid", "strict": True}

    rule: Rule
    subject: str
    """The function, header, attribute or section it is about."""
    file: str
    line: int
    """Counts from 1; 0 where the place is not known."""
    message: str


def place(file: str, line: int) -> str:
    """`kernel.cu:12`, or the file alone where the line is not known."""
    return f"{file}:{line}" if line else file


def summary(findings: list[AuditFinding]) -> str:
    """The findings in one sentence for tables: the first, how many more there are, and every other rule by its name, so
    that a harmless first one hides nothing."""
    first, more = findings[0], len(findings) - 1
    others = list(dict.fromkeys(str(one.rule) for one in findings if one.rule != first.rule))
    named = f": {', '.join(others)}" if others else ""
    return f"{first.rule}: {first.message}" + (f" (and {more} more{named})" if more else "")
