"""The audit of one submission: first its source, then its object file. Nothing of it has run by then."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from simtlab.audit.allowed import Allowed, allowed_for
from simtlab.audit.finding import AuditFinding
from simtlab.audit.limits import DEFAULT_BOUNDS, AuditBounds, AuditLimit
from simtlab.audit.preprocessed import PreprocessedSource, read_preprocessed
from simtlab.audit.source_rules import preprocessed_findings, written_findings
from simtlab.errors import GraderError
from simtlab.text import shortened

if TYPE_CHECKING:
    from simtlab.audit.object_file import ObjectFile, Position
    from simtlab.labs.specification import LabSpecification

_MOST_FINDINGS = 20  # more of them teach nobody more
_LONGEST_SUBJECT, _LONGEST_MESSAGE = 120, 600
_NO_LINE = 1 << 30


@dataclass(frozen=True)
class Audit:
    """Knows one submission's files and its lab's lists. Each step raises `AuditLimit` for what is too large."""

    files: dict[str, str]
    """The submitted files by name."""
    allowed: Allowed
    header_folders: Sequence[str] = ()
    """Where the compiler's own headers lie, besides the system's folders."""
    bounds: AuditBounds = DEFAULT_BOUNDS
    objects: bool = True
    """Whether object files are read, too. A grader always reads them; at home they may be of another processor."""

    def written(self) -> list[AuditFinding]:
        """What the files say as they are."""
        return list(written_findings(self.files))

    def read(self, text: str) -> PreprocessedSource:
        """The submission's own part of what `-E` made of one of the files."""
        return read_preprocessed(text, list(self.files), self.bounds)

    def preprocessed(self, own: PreprocessedSource) -> list[AuditFinding]:
        """What the submission's own lines come to when macros are replaced."""
        return list(preprocessed_findings(own, self.allowed, self.files, self.header_folders))

    def compiled(self, path: Path, source: str, own: PreprocessedSource) -> list[AuditFinding]:
        """What the object file of `source` says. Needs pyelftools, which the steps before do without."""
        from simtlab.audit.object_file import ObjectFile

        try:
            return list(self._object_findings(ObjectFile(path, self.bounds), source, own))
        except (AuditLimit, MemoryError):
            raise
        except Exception as error:  # elftools raises whatever its parsers stumble over
            raise GraderError(f"{path.name} cannot be audited: {type(error).__name__} {error}") from error

    def _object_findings(self, program: "ObjectFile", source: str, own: PreprocessedSource) -> Iterator[AuditFinding]:
        from simtlab.audit.object_rules import object_findings

        def locate(positions: "list[Position]", words: list[str]) -> tuple[str, int]:
            lines = (program.line_of(position, list(self.files)) for position in positions)
            found = next((line for line in lines if line), None)
            return found or own.first_line_of(words) or (source, 0)

        return object_findings(program, self.allowed, locate)


def audit_of(files: dict[str, str], specification: "LabSpecification", header_folders: Sequence[str]) -> Audit:
    """The audit of a submission to a lab."""
    return Audit(files, allowed_for(specification), header_folders)


def in_order(findings: list[AuditFinding]) -> list[AuditFinding]:
    """By file and line, each subject at its first place only."""
    ordered = sorted(findings, key=lambda one: (one.file, one.line or _NO_LINE, one.rule))
    unique: dict[tuple[str, str], AuditFinding] = {}
    for one in ordered:
        unique.setdefault((one.rule, one.subject), one)
    return [_short(one) for one in list(unique.values())[:_MOST_FINDINGS]]


def _short(finding: AuditFinding) -> AuditFinding:
    """A name may be as long as a file; a sentence is for people."""
    if len(finding.message) <= _LONGEST_MESSAGE:
        return finding
    message = finding.message.replace(finding.subject, shortened(finding.subject, _LONGEST_SUBJECT))
    subject = shortened(finding.subject, _LONGEST_SUBJECT)
    return replace(finding, subject=subject, message=shortened(message, _LONGEST_MESSAGE))
