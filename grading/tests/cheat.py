"""A submission of `solutions/cheats` or `solutions/controls` and what its first lines declare.

// lab: 08-bank-conflicts       the lab it is handed in for
// row: 26                      of the catalogue in docs/internals/cheats.md; cheats only
// expect: forbidden            its verdict
// rule: initialiser            a rule that the audit tells; without this line the audit tells nothing
// without-audit: crash         its verdict with the audit switched off; left out where nothing else may hold it
// caught-by: outputs           the layer that gives that verdict; of several each would do
// earns: 0..20                 points of `fast`, where a cheat is right and only earns what it deserves
// else-earns: 90..100          points without that layer
// else: crash                  its verdict with the audit and its layers off, where that is not `pass`
// number: f 0f05c3             `number_at` in the text is where these bytes stand in the code of `f`

Of what is tried on a GPU only:

// also: timeout crash          verdicts that are as good, where chance decides between them
// gains: nothing               it is right, and takes no less time than the solution
// of: 3                        of so many gradings one must end so: a check by lot may miss it
// says: rows 8192              words of the message
"""

import re
from dataclasses import dataclass
from pathlib import Path

from simtlab.audit.finding import Rule
from simtlab.verdict import Verdict

_LINE = re.compile(
    r"// (lab|row|expect|rule|without-audit|caught-by|earns|else-earns|else|number|also|gains|of|says): (\S.*)"
)


@dataclass(frozen=True)
class Cheat:
    """One submission that is known to cheat, or known not to."""

    name: str
    text: str
    lab: str
    row: int
    expect: Verdict
    rule: Rule | None
    without_audit: Verdict | None
    caught_by: str
    earns: tuple[float, float] | None = None
    else_earns: tuple[float, float] | None = None
    let_through: Verdict = Verdict.PASS
    number: tuple[str, bytes] | None = None
    also: frozenset[Verdict] = frozenset()
    gains_nothing: bool = False
    gradings: int = 1
    says: str = ""

    @property
    def layers(self) -> set[str]:
        return set(self.caught_by.split())


def read_cheat(folder: Path) -> Cheat:
    """Reads `folder/kernel.cu`; a `ValueError` names what it declares wrongly."""
    text = (folder / "kernel.cu").read_text(encoding="utf-8")
    said: dict[str, str] = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if not match:
            break
        said[match[1]] = match[2]
    if "lab" not in said or "expect" not in said or ("without-audit" in said and "caught-by" not in said):
        raise ValueError(f"{folder.name}: expected lab, expect, and caught-by where there is without-audit")
    return Cheat(
        name=folder.name,
        text=text,
        lab=said["lab"],
        row=int(said.get("row", 0)),
        expect=Verdict(said["expect"]),
        rule=Rule(said["rule"]) if "rule" in said else None,
        without_audit=Verdict(said["without-audit"]) if "without-audit" in said else None,
        caught_by=said.get("caught-by", "audit"),
        earns=_band(said.get("earns")),
        else_earns=_band(said.get("else-earns")),
        let_through=Verdict(said.get("else", "pass")),
        number=_number(said.get("number")),
        also=frozenset(Verdict(word) for word in said.get("also", "").split()),
        gains_nothing=said.get("gains") == "nothing",
        gradings=int(said.get("of", 1)),
        says=said.get("says", ""),
    )


def _band(said: str | None) -> tuple[float, float] | None:
    if said is None:
        return None
    low, _, high = said.partition("..")
    return float(low), float(high)


def _number(said: str | None) -> tuple[str, bytes] | None:
    if said is None:
        return None
    function, digits = said.split()
    return function, bytes.fromhex(digits)


def read_cheats(folder: Path) -> list[Cheat]:
    """Every submission in a folder, by name."""
    return [read_cheat(path.parent) for path in sorted(folder.glob("*/kernel.cu"))]
