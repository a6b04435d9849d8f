"""Checks what students read against what lab.cpp says: every threshold, tolerance and case size stands in the handout
and equals the specification's; figures, links and hints are there; nothing of the solution is.

The conventions stand in docs/lab-author.md. A message says which line is missing in which section.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import PurePosixPath

from simtlab.errors import LabError
from simtlab.labs.catalogue import Lab
from simtlab.labs.description import Anchor, DescribedCase, DescribedCriterion, LabDescription, Size, describe
from simtlab.release.check import LeakSearch
from simtlab.verdict import Verdict
from simtlab.verify.cases import missing_cases
from simtlab.verify.check import Check, Subject
from simtlab.verify.markdown import (
    Section,
    first_heading,
    links_of,
    missing_target,
    numbers_in,
    sections_of,
    states,
    tables_of,
)

TASK, CHECKED, FAST, PROFILE, HINTS = (
    "Your task",
    "How it is checked",
    'What "fast" means',
    "Reading the profile",
    "Hints",
)
SECTIONS = ("What and why", "The idea", TASK, CHECKED, FAST, PROFILE, HINTS, "Going further")
FEWEST_HINTS = 3
_ALWAYS_HINTED = ("unsolved", "wrong_answer")
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()

Problems = Iterator[str]


def handout_checks(
    lab: Lab, rules: Mapping[str, str], leaks: LeakSearch, stubs: Mapping[PurePosixPath, str]
) -> list[Check]:
    """The checks of a lab's handout, lab.toml and stub. `rules` are the rules of findings that the lab's specimens
    break, each with one that does; `stubs` are the stubs as the solutions give them."""
    try:
        text = (lab.folder / "README.md").read_text(encoding="utf-8")
        described = describe(lab)
    except (OSError, UnicodeDecodeError, LabError) as error:
        return [Check(lab.name, "handout", problems=[str(error)], subject=Subject.HANDOUT)]
    sections = sections_of(text)
    parts: dict[str, Callable[[], Problems]] = {
        "filled in": lambda: _filled_in(lab),
        "sections": lambda: _sections(lab, text, sections),
        "cases": lambda: _cases(lab, described, sections.get(CHECKED)),
        "tolerance": lambda: _tolerances(described, text),
        "thresholds": lambda: _thresholds(described, sections.get(FAST)),
        "figures and links": lambda: _links(lab, text),
        "hints": lambda: _hints(lab, described, sections.get(HINTS), rules),
        "stub": lambda: _stub(lab, stubs),
        "nothing of the solution": lambda: _leaks(lab, leaks),
    }
    return [
        Check(lab.name, f"handout: {name}", problems=list(problems()), subject=Subject.HANDOUT)
        for name, problems in parts.items()
    ]


def _filled_in(lab: Lab) -> Problems:
    """What `simtlab new-lab` has left to the author."""
    for folder in (lab.folder, lab.solution_folder):
        for path in sorted(one for one in folder.rglob("*") if one.is_file()):
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                if "FILL IN" in line:
                    yield f"{path.relative_to(folder.parents[1])}:{number}: is still to be filled in"


def _sections(lab: Lab, text: str, sections: Mapping[str, Section]) -> Problems:
    number = lab.name.split("-")[0]
    if not first_heading(text).startswith(f"Lab {number}: "):
        yield f"README.md:1: the first line is `# Lab {number}: title`, found {text.splitlines()[:1]}"
    for title in SECTIONS:
        if title not in sections:
            yield f"README.md: there is no section `## {title}`"
    for title, target in ((TASK, "test"), (PROFILE, "profile")):
        command = f"make {target} LAB={number}"
        if title in sections and command not in " ".join(sections[title].text.split()):
            yield f"{_in(sections[title])}: says nothing of `{command}`"


def _cases(lab: Lab, described: LabDescription, section: Section | None) -> Problems:
    yield from missing_cases(lab, described.cases)
    if section is None:
        return
    for case in described.cases:
        if case.fails_call:
            ordinal = _ORDINALS[case.fails_call - 1] if case.fails_call <= len(_ORDINALS) else str(case.fails_call)
            if ordinal not in section.text:
                yield f"{_in(section)}: says nothing of the case {case.name!r}: the word `{ordinal}` is missing"
        elif not states(section.text, *_values(case.sizes)):
            yield (
                f"{_in(section)}: the sizes of the case {case.name!r} are missing: `{_sizes(case.sizes)}` "
                f"({', '.join(size.name for size in case.sizes)}), these numbers in a row"
            )


def _tolerances(described: LabDescription, text: str) -> Problems:
    for wanted, case in {_tolerance_words(case): case for case in described.cases}.items():
        if wanted == "exact":
            if not any(word in text for word in ("exact", "every bit")):
                yield f"README.md: the tolerance is exact (case {case.name!r}), and the word `exact` is missing"
        elif missing := [word for word in wanted.split("; ") if not _says(text, word)]:
            yield f"README.md: of the tolerance of the case {case.name!r} there is missing: {', '.join(missing)}"


def _tolerance_words(case: DescribedCase) -> str:
    """What a handout has to say of a tolerance, `; ` between."""
    bound = case.tolerance
    if bound.condition:  # sum_of_products: 4·√n·2⁻²⁴·Σ|aᵢ·bᵢ|
        return "2⁻²⁴; Σ"
    words = [f"{part:g}" for part in (bound.absolute, bound.relative, bound.ulps) if part]
    return "; ".join(words) or "exact"


def _says(text: str, word: str) -> bool:
    numbers = numbers_in(word)
    return states(text, *numbers) if numbers else word in text


def _thresholds(described: LabDescription, section: Section | None) -> Problems:
    if section is None:
        return
    rows = [row for row in tables_of(section.text) if len(row) >= 4]
    used: set[int] = set()
    for criterion in described.criteria:
        if criterion.emulator:
            fitting = {at for at, row in enumerate(rows) if _is_row_of(row, criterion)}
            used |= fitting
            if not any(_agrees(rows[at], criterion) for at in fitting):
                found = f"; found `| {' | '.join(rows[min(fitting)][:4])} |`" if fitting else ""
                yield f"{_in(section)}: the table has no row {_row(criterion)}, which {criterion} asks for{found}"
        elif criterion.anchors:
            for anchor in criterion.anchors:
                if not _places(section.text, anchor):
                    mark = f"{100 * anchor.mark:g} %"
                    yield f"{_in(section)}: what the anchor {anchor.name} of {criterion} earns is missing: `{mark}`"
        elif not (states(section.text, criterion.full_at) and states(section.text, criterion.none_at)):
            thresholds = f"{criterion.full_at:g} and {criterion.none_at:g}"
            yield f"{_in(section)}: {thresholds} are missing, the thresholds of {criterion} on a GPU"
    yield from (
        f"{_in(section)}: the row `| {' | '.join(row[:4])} |` belongs to no criterion of lab.cpp"
        for at, row in enumerate(rows)
        if at not in used
    )
    sizes = [("the emulator", described.benchmark.emulator)]
    if any(criterion.gpu for criterion in described.criteria):
        sizes.append(("a GPU", described.benchmark.gpu))
    for where, size in sizes:
        if not states(section.text, *_values(size)):
            yield f"{_in(section)}: the benchmark's sizes on {where} are missing, numbers in a row: `{_sizes(size)}`"
    if not states(section.text, described.pass_at):
        yield f"{_in(section)}: `passes from {described.pass_at:g} of 100 points` is missing"


def _places(text: str, anchor: Anchor) -> bool:
    """Whether a text names an anchor, in backticks unless it is the solution, and what it earns."""
    name = "solution" if anchor.name == "solution" else f"`{anchor.name}`"
    return name in text and states(text, anchor.mark)


def _is_row_of(row: list[str], criterion: DescribedCriterion) -> bool:
    """Whether a row speaks of a criterion: of its metric's first word, and of its argument or variable in backticks."""
    first = row[0].lower()
    return criterion.says.split()[0] in first and (not criterion.of or f"`{criterion.of}`".lower() in first)


def _agrees(row: list[str], criterion: DescribedCriterion) -> bool:
    return (
        states(row[1], criterion.full_at)
        and states(row[2], criterion.none_at)
        and any(states(share, criterion.weight) for share in row[3].split("+"))
    )


def _row(criterion: DescribedCriterion) -> str:
    of = f" of `{criterion.of}`" if criterion.of else ""
    return f"`| {criterion.says}{of} | {criterion.full_at:g} | {criterion.none_at:g} | {criterion.weight:g} | why |`"


def _links(lab: Lab, text: str) -> Problems:
    document = lab.folder / "README.md"
    links = links_of(text)
    for link in links:
        if missing := missing_target(document, link.target):
            yield f"README.md:{link.line}: [{link.text}]({link.target}) leads nowhere: {missing}"
        if link.is_figure and not link.text.strip():
            yield f"README.md:{link.line}: say for those who cannot see it what the figure shows: ![…]({link.target})"
    figures = {link.target for link in links if link.is_figure}
    if not figures:
        yield "README.md: there is no figure: draw one as SVG and show it, ![what it shows](figures/name.svg)"
    for path in sorted((lab.folder / "figures").glob("*")):
        if f"figures/{path.name}" not in figures:
            yield f"README.md: figures/{path.name} is not shown"
        if path.suffix == ".svg":
            yield from (f"figures/{path.name}: {what}" for what in _unreadable(path.read_text(encoding="utf-8")))


def _unreadable(figure: str) -> Problems:
    """What keeps readers from a figure: those who hear it, and those whose page is dark."""
    if not re.search(r"<title[^>]*>[^<]*\w", figure):
        yield "has no <title>, which is read to those who cannot see it"
    sides = re.search(r'viewBox="0 0 (\S+) (\S+)"', figure)
    if not sides or not re.search(rf'<rect width="{sides[1]}" height="{sides[2]}"[^>]* fill="#', figure):
        yield (
            "has no background of its own, and its dark lines are lost on a dark page: begin with "
            '<rect width="…" height="…" fill="#ffffff"/> of the size that viewBox="0 0 … …" names'
        )


def _hints(lab: Lab, described: LabDescription, section: Section | None, rules: Mapping[str, str]) -> Problems:
    if section is not None:
        for number in range(1, FEWEST_HINTS + 1):
            if f"<details><summary>Hint {number}:" not in section.text:
                yield f"{_in(section)}: `<details><summary>Hint {number}: …</summary>` is missing"
        if section.text.count("<details>") != section.text.count("</details>"):
            yield f"{_in(section)}: a <details> is not closed"
    situations = dict.fromkeys(_ALWAYS_HINTED, "every lab needs it")
    situations |= {one.metric: f"the criterion {one} is graded" for one in described.criteria if one.emulator}
    situations |= {rule: f"{specimen} breaks this rule" for rule, specimen in rules.items()}
    hinted = {hint.when for hint in lab.specification.hints}
    for situation, why in situations.items():
        if situation not in hinted:
            yield f'lab.toml: there is no [[hints]] with when = "{situation}": {why}'
    yield from _unknown_metrics(lab, described)


def _unknown_metrics(lab: Lab, described: LabDescription) -> Problems:
    """Hints for a metric that no criterion has: a finding's rule is in kebab case, so a name with `_` is a verdict or a
    metric."""
    known = [*(one.metric for one in described.criteria), *Verdict]
    lines = (lab.folder / "lab.toml").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        said = re.match(r'when\s*=\s*"(\w*_\w*)"', line)
        if said and said[1] not in known:
            close = get_close_matches(said[1], known, 1)
            step = f'write "{close[0]}"' if close else f"write one of {', '.join(dict.fromkeys(known))}"
            yield f'lab.toml:{number}: when = "{said[1]}" is no verdict and no metric of this lab\'s criteria: {step}'


def _stub(lab: Lab, stubs: Mapping[PurePosixPath, str]) -> Problems:
    for path, text in stubs.items():
        if path.parts[1] == lab.name and (lab.folder / path.name).read_text(encoding="utf-8") != text:
            yield f"{path} is not the solution without its marked regions: run python3 solutions/stubs.py --write"


def _leaks(lab: Lab, leaks: LeakSearch) -> Problems:
    for path in sorted(lab.folder.rglob("*")):
        if path.is_file() and path.name != "lab.toml":
            place = PurePosixPath("labs", lab.name, *path.relative_to(lab.folder).parts)
            text = path.read_text(encoding="utf-8", errors="replace")
            for leak in leaks.leaks_in(str(place), text):
                yield f"{leak.place}: {leak.what}: {leak.next_step}"


def _in(section: Section) -> str:
    return f"README.md:{section.line} ({section.title})"


def _values(sizes: list[Size]) -> list[float]:
    return [size.value for size in sizes]


def _sizes(sizes: list[Size]) -> str:
    return " × ".join(f"{size.value:,}" if size.value >= 10000 else str(size.value) for size in sizes)
