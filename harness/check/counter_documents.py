"""What is written from `harness/emulator/core/counters.def` for readers that are no C++: both schemas, the grader's
model, the table of the documentation, and the results that cheats forge.

`PYTHONPATH=harness python -m check.counter_documents --write` renews them; without `--write` it names those that are
out of date. A test holds them up to date, so that a counter is spelled once.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from check.command import ROOT

DEFINITION = "harness/emulator/core/counters.def"
NSIGHT = "harness/judge/gpu/nsight_names.def"
RENEW = "PYTHONPATH=harness .venv/bin/python -m check.counter_documents --write"
_LINE = re.compile(
    r"^SIMTLAB_(?P<record>REQUEST|LAUNCH|HOST)_COUNTER\((?P<name>\w+), \"(?P<unit>[^\"]+)\", "
    r"(?P<addition>sum|maximum), (?P<memory>any|global|shared|constant|local|atomic|none), "
    r"(?P<exactness>exact|model), \"(?P<meaning>[^\"]+)\"\)$"
)
_RECORDS = {
    "REQUEST": ("request_counters", "RequestCounters", "Of the requests of one place in the source."),
    "LAUNCH": ("launch_totals", "LaunchTotals", "Of a launch, beside its accesses."),
    "HOST": ("host_counters", "HostCounters", "Of a program's host side."),
}
_LONGEST_LINE = 120


@dataclass(frozen=True)
class Counter:
    """One line of the definition."""

    record: str
    name: str
    unit: str
    addition: str
    memory: str
    exactness: str
    meaning: str


class DefinitionError(Exception):
    """A line of the definition that cannot be read."""


def read_definition(text: str) -> list[Counter]:
    """The counters in their order."""
    counters: list[Counter] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not re.match(r"^SIMTLAB_\w+_COUNTER\(", line):  # comments and preprocessor lines
            continue
        match = _LINE.match(line)
        if match is None:
            raise DefinitionError(
                f'{DEFINITION}:{number}: this is no counter. Write SIMTLAB_REQUEST_COUNTER(name, "unit", sum|maximum, '
                'any|global|shared|constant|local|atomic|none, exact|model, "meaning") in one line. '
                f"Found: {line}"
            )
        if any(one.name == match["name"] for one in counters):
            raise DefinitionError(f"{DEFINITION}:{number}: {match['name']} is defined twice. Give one another name.")
        counters.append(Counter(**match.groupdict()))
    return counters


def _of(counters: Iterable[Counter], record: str) -> list[Counter]:
    return [one for one in counters if one.record == record]


def schema_text(counters: list[Counter], before: str) -> str:
    """A schema with its `$defs` of counters renewed: from the line that opens one to the one that closes it."""
    text = before
    for record, (name, _, about) in _RECORDS.items():
        own = _of(counters, record)
        required = json.dumps([one.name for one in own])
        lines = [
            f'    "{name}": {{',
            f'      "$comment": "written from {DEFINITION}",',
            f'      "description": "{about}",',
        ]
        lines += _wrapped(f'      "required": {required},', "                   ")
        lines += ['      "properties": {']
        lines += [
            f'        "{one.name}": {{"$ref": "#/$defs/count", "fidelity": "{one.exactness}", '
            f'"description": {json.dumps(_description(one))}}}' + ("," if one is not own[-1] else "")
            for one in own
        ]
        lines += ["      }", "    }"]
        block = re.compile(rf'^    "{name}": \{{\n.*?^    \}}', re.MULTILINE | re.DOTALL)
        text, found = block.subn(lambda _, made="\n".join(lines): made, text)  # type: ignore[misc]
        if found != 1:
            raise DefinitionError(f'the schema has {found} members "{name}" in its $defs; it needs one')
    return text


def _description(one: Counter) -> str:
    words = one.meaning
    if one.addition == "maximum":
        words += "; the maximum, no sum"
    return words


def _wrapped(line: str, indent: str) -> list[str]:
    lines = [line]
    while len(lines[-1]) > _LONGEST_LINE:
        cut = lines[-1].rindex(" ", 0, _LONGEST_LINE)
        lines[-1:] = [lines[-1][:cut], indent + lines[-1][cut + 1 :]]
    return lines


def model_text(counters: list[Counter], _before: str) -> str:
    """The grader's model: a class for each record, and how two become one."""
    lines = [
        f'"""The counters of a result, written from {DEFINITION}.',
        "",
        f"To change one, change its line there, then `{RENEW}`.",
        '"""',
        "",
        "from typing import Annotated, Literal, Self",
        "",
        "from pydantic import Field",
        "",
        "from simtlab.record import Record",
        "",
        "Count = Annotated[int, Field(ge=0)]",
    ]
    for record, (_, name, about) in _RECORDS.items():
        own = _of(counters, record)
        lines += ["", "", f"class {name}(Record):", f'    """{about}"""', ""]
        for one in own:
            lines += [f"    {one.name}: Count", f'    """{_description(one)[0].upper()}{_description(one)[1:]}."""']
        if record == "HOST":
            continue
        lines += ["", "    def plus(self, other: Self) -> Self:"]
        lines += ['        """These counters with those of `other`; all else stays as it is here."""']
        lines += ["        return self.model_copy(", "            update={"]
        for one in own:
            added = f"self.{one.name} + other.{one.name}"
            if one.addition == "maximum":
                added = f"max(self.{one.name}, other.{one.name})"
            lines.append(f'                "{one.name}": {added},')
        lines += ["            }", "        )"]
    lines += ["", "", 'FIDELITY: dict[str, Literal["exact", "model"]] = {']
    lines += [f'    "{one.name}": "{one.exactness}",' for one in counters]
    lines += ["}", '"""How far each counter of the emulator may be believed."""']
    return "\n".join(lines) + "\n"


def table_text(counters: list[Counter], before: str) -> str:
    """The page with its tables renewed, one after each line `<!-- counters: RECORD -->`."""
    text = before
    for record in _RECORDS:
        rows = ["| counter | unit | counted in | is | meaning |", "|---|---|---|---|---|"]
        if record != "REQUEST":
            rows = ["| counter | unit | is | meaning |", "|---|---|---|---|"]
        for one in _of(counters, record):
            memory = f" {_MEMORY.get(one.memory, f'{one.memory} memory')} |" if record == "REQUEST" else ""
            meaning = one.meaning + (" (maximum)" if one.addition == "maximum" else "")
            rows.append(f"| `{one.name}` | {one.unit} |{memory} {one.exactness} | {meaning} |")
        block = re.compile(rf"(<!-- counters: {record.lower()} -->\n).*?(\n<!-- end -->)", re.DOTALL)
        text, found = block.subn(lambda m, made="\n".join(rows): m[1] + made + m[2], text)  # type: ignore[misc]
        if found != 1:
            raise DefinitionError(f"the page has {found} tables `<!-- counters: {record.lower()} -->`; it needs one")
    return _nsight_text(text)


def _nsight_text(before: str) -> str:
    """The page with the tables of Nsight Compute's names renewed."""
    names = (ROOT / NSIGHT).read_text(encoding="utf-8")
    counted = re.findall(r'^SIMTLAB_NSIGHT_NAME\((\w+), (\w+), (\w+), "([^"]+)"\)$', names, re.MULTILINE)
    absent = re.findall(r'^SIMTLAB_NSIGHT_NOT_MODELLED\("([^"]+)", "([^"]+)"\)$', names, re.MULTILINE)
    rows = ["| counter | of | in Nsight Compute |", "|---|---|---|"]
    rows += [f"| `{counter}` | {memory} memory, {access} | `{name}` |" for memory, access, counter, name in counted]
    rows += [f"| not modelled | {what} | `{name}` |" for name, what in absent]
    block = re.compile(r"(<!-- counters: nsight -->\n).*?(\n<!-- end -->)", re.DOTALL)
    text, found = block.subn(lambda m: m[1] + "\n".join(rows) + m[2], before)
    if found != 1:
        raise DefinitionError(f"the page has {found} tables `<!-- counters: nsight -->`; it needs one")
    return text


_MEMORY = {"any": "all memory", "atomic": "atomic requests"}
_FORGED = re.compile(r"^#define FORGED_(REQUEST|LAUNCH|HOST)_COUNTERS .*$", re.MULTILINE)


def forged_text(counters: list[Counter], before: str) -> str:
    """A program that forges a result, with every counter in it: 1 of what kernels do, 0 of what the host does."""

    def members(match: re.Match[str]) -> str:
        value = 0 if match[1] == "HOST" else 1
        text = ", ".join(f'"{one.name}": {value}' for one in _of(counters, match[1]))
        return f'#define FORGED_{match[1]}_COUNTERS R"({text})"'

    return _FORGED.sub(members, before)


Writer = Callable[[list[Counter], str], str]
DOCUMENTS: dict[str, Writer] = {
    "harness/emulator/report/report.schema.json": schema_text,
    "harness/judge/facts.schema.json": schema_text,
    "grading/simtlab/facts/counters.py": model_text,
    "docs/counters.md": table_text,
    "harness/tests/labs/scale/emulated/forges_a_result.cu": forged_text,
    "solutions/cheats/forges-the-benchmark/kernel.cu": forged_text,
    "solutions/cheats/reaches-the-systems-entry/kernel.cu": forged_text,
}


def out_of_date(root: Path = ROOT, *, write: bool = False) -> list[str]:
    """The documents that say something else than the definition; `write` renews them."""
    counters = read_definition((root / DEFINITION).read_text(encoding="utf-8"))
    found: list[str] = []
    for name, writer in DOCUMENTS.items():
        path = root / name
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        after = writer(counters, before)
        if after != before:
            found.append(name)
            if write:
                path.write_text(after, encoding="utf-8")
    return found


def main() -> int:
    """Exit code 1 where a document was or is out of date and was not renewed."""
    write = sys.argv[1:] == ["--write"]
    try:
        found = out_of_date(write=write)
    except DefinitionError as error:
        print(error, file=sys.stderr)
        return 2
    for name in found:
        print(f"{name}: {'renewed' if write else f'says something else than {DEFINITION}. Renew it: {RENEW}'}")
    return 1 if found and not write else 0


if __name__ == "__main__":
    sys.exit(main())
