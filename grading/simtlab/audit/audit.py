"""The audit of one submission: first its source, then its object file. Nothing of it has run by then."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError

from simtlab.audit.allowed import Allowed, allowed_for
from simtlab.audit.finding import AuditFinding
from simtlab.audit.object_file import ObjectFile, Position
from simtlab.audit.object_rules import object_findings
from simtlab.audit.preprocessed import PreprocessedSource, read_preprocessed
from simtlab.audit.source_rules import preprocessed_findings, written_findings
from simtlab.errors import GraderFault
from simtlab.labs.specification import LabSpecification

_MOST_FINDINGS = 20  # more of them teach nobody more


@dataclass(frozen=True)
class Audit:
    """Knows one submission's files and its lab's lists."""

    files: dict[str, str]
    """The submitted files by name."""
    allowed: Allowed
    header_folders: Sequence[str] = ()
    """Where the compiler's own headers lie, besides the system's folders."""

    def source(self, preprocessed: dict[str, str]) -> list[AuditFinding]:
        """What the source says; `preprocessed` holds what `-E` wrote for each compiled file."""
        found = list(written_findings(self.files))
        for text in preprocessed.values():
            own = read_preprocessed(text, list(self.files))
            found += preprocessed_findings(own, self.allowed, self.files, self.header_folders)
        return _each_once(found)

    def object(self, path: Path, compiled: str, preprocessed: str) -> list[AuditFinding]:
        """What the object file of the source `compiled` says."""
        try:
            program = ObjectFile(path)
        except (ELFError, ValueError, KeyError) as error:
            raise GraderFault(f"{path.name} cannot be audited: {error}") from error
        own: PreprocessedSource | None = None

        def locate(positions: list[Position], words: list[str]) -> tuple[str, int]:
            nonlocal own
            lines = (program.line_of(position, list(self.files)) for position in positions)
            found = next((line for line in lines if line), None)
            if found is None:
                own = own or read_preprocessed(preprocessed, list(self.files))
                found = own.first_line_of(words)
            return found or (compiled, 0)

        return _each_once(list(object_findings(program, self.allowed, locate)))


def audit_of(files: dict[str, str], specification: LabSpecification, header_folders: Sequence[str]) -> Audit:
    """The audit of a submission to a lab."""
    return Audit(files, allowed_for(specification), header_folders)


def _each_once(findings: list[AuditFinding]) -> list[AuditFinding]:
    """In the order of the lines, each place and subject once."""
    unique = {(one.rule, one.subject, one.file, one.line): one for one in findings}
    return sorted(unique.values(), key=lambda one: (one.file, one.line or 1 << 30, one.rule))[:_MOST_FINDINGS]
