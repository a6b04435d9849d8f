"""The audit of one submission: first its source, then its object file. Nothing of it has run by then."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from simtlab.audit.allowed import Allowed, allowed_for
from simtlab.audit.finding import AuditFinding
from simtlab.audit.object_file import ObjectFile, Position
from simtlab.audit.object_rules import object_findings
from simtlab.audit.preprocessed import PreprocessedSource, read_preprocessed
from simtlab.audit.source_rules import preprocessed_findings, written_findings
from simtlab.errors import GraderFault
from simtlab.labs.specification import LabSpecification

_MOST_FINDINGS = 20  # more of them teach nobody more
_NO_LINE = 1 << 30


@dataclass(frozen=True)
class Audit:
    """Knows one submission's files and its lab's lists."""

    files: dict[str, str]
    """The submitted files by name."""
    allowed: Allowed
    header_folders: Sequence[str] = ()
    """Where the compiler's own headers lie, besides the system's folders."""

    def written(self) -> list[AuditFinding]:
        """What the files say as they are."""
        return list(written_findings(self.files))

    def preprocessed(self, text: str) -> list[AuditFinding]:
        """What `-E` made of one of the files."""
        own = read_preprocessed(text, list(self.files))
        return list(preprocessed_findings(own, self.allowed, self.files, self.header_folders))

    def compiled(self, path: Path, source: str, preprocessed: str) -> list[AuditFinding]:
        """What the object file of `source` says."""
        try:
            return list(self._object_findings(ObjectFile(path), source, preprocessed))
        except Exception as error:  # elftools raises whatever its parsers stumble over
            raise GraderFault(f"{path.name} cannot be audited: {type(error).__name__} {error}") from error

    def _object_findings(self, program: ObjectFile, source: str, preprocessed: str) -> Iterator[AuditFinding]:
        own: PreprocessedSource | None = None

        def locate(positions: list[Position], words: list[str]) -> tuple[str, int]:
            nonlocal own
            lines = (program.line_of(position, list(self.files)) for position in positions)
            found = next((line for line in lines if line), None)
            if found is None:
                own = own or read_preprocessed(preprocessed, list(self.files))
                found = own.first_line_of(words)
            return found or (source, 0)

        return object_findings(program, self.allowed, locate)


def audit_of(files: dict[str, str], specification: LabSpecification, header_folders: Sequence[str]) -> Audit:
    """The audit of a submission to a lab."""
    return Audit(files, allowed_for(specification), header_folders)


def in_order(findings: list[AuditFinding]) -> list[AuditFinding]:
    """By file and line, each subject at its first place only."""
    ordered = sorted(findings, key=lambda one: (one.file, one.line or _NO_LINE, one.rule))
    unique: dict[tuple[str, str], AuditFinding] = {}
    for one in ordered:
        unique.setdefault((one.rule, one.subject), one)
    return list(unique.values())[:_MOST_FINDINGS]
