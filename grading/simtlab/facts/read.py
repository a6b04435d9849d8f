"""Reading the judge's document: anything unexpected in it is our fault, and the message names the member."""

from pathlib import Path

from pydantic import ValidationError

from simtlab.errors import GraderError
from simtlab.facts.model import Facts

LARGEST_FACTS_BYTES = 64 * 1024 * 1024


def read_facts(path: Path, *, lab: str, submission: str) -> Facts:
    """The facts in `path`, checked to be about this lab and this submission."""
    if not path.is_file():
        raise GraderError(f"the judge of {lab} exited with 0 but wrote no facts to {path.name}")
    size = path.stat().st_size
    if size > LARGEST_FACTS_BYTES:
        raise GraderError(f"the facts of {lab} have {size} bytes; at most {LARGEST_FACTS_BYTES} are read")
    try:
        facts = Facts.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise GraderError(f"the facts of {lab} do not follow the schema: {first_problem(error)}") from error
    if (facts.lab, facts.submission) != (lab, submission):
        raise GraderError(
            f"the judge was asked about {submission} in {lab} and wrote facts about {facts.submission} in {facts.lab}"
        )
    return facts


_IN_OUR_WORDS = {
    "extra_forbidden": "nothing of this name belongs here",
    "timezone_aware": "a time needs its zone, as in 2026-10-01T23:59:00+02:00",
}
"""For what people run into who write such files by hand."""


def first_problem(error: ValidationError) -> str:
    """The first complaint of pydantic as one line: where, what, what was found, and how many more there are."""
    problems = error.errors(include_url=False)
    first = problems[0]
    where = ".".join(str(step) for step in first["loc"]) or "the document"
    found = repr(first["input"])
    what = _IN_OUR_WORDS.get(first["type"], first["msg"])
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{where}: {what}, found {found if len(found) <= 80 else found[:79] + '…'}{more}"
