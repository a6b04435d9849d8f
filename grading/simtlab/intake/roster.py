"""Who is in the course: a roster as Canvas, Gradescope, Moodle or GitHub Classroom exports it, or a list of names, so
that whoever handed in nothing stands in the table, too."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.intake.moodle import moodle_file_name
from simtlab.intake.submission import ClassIntake, Refusal
from simtlab.text import counted, printable, shortened
from simtlab.verdict import Verdict

_ADDRESSES = ("email", "email address")
_NAMES = (
    *("sis login id", "github_username", "username", *_ADDRESSES, "sis user id", "sid", "id", "id number"),
    *("identifier", "student", "name", "full name"),
)
"""Columns that may hold what a folder is called, the likeliest first."""
_MOODLES_ADDRESS = "email address"
_ROLE = "role"
_MOST_NAMED = 5


@dataclass(frozen=True)
class RosterEntry:
    """One student: what a folder of theirs may be called, the name they go by first."""

    names: tuple[str, ...]
    canvas_id: str = ""
    """The number in a Canvas gradebook, by which a download of Canvas names its files."""
    address: str = ""
    """The whole address, where the roster has it: logins can be alike, addresses cannot."""
    full_name: str = ""

    @property
    def all_names(self) -> list[str]:
        """Everything that the roster calls the student."""
        return [name for name in dict.fromkeys([*self.names, self.address, self.full_name]) if name]


def read_roster(path: Path) -> list[RosterEntry]:
    """The students of a CSV with one of the known columns, or of a file with a name a line. Raises `UsageError`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the roster {path} cannot be read: {error}") from error
    table = list(csv.reader(io.StringIO(text)))
    head = [cell.strip().lower() for cell in table[0]] if table else []
    if not set(head) & set(_NAMES):
        if any(len(row) > 1 for row in table):
            known = ", ".join(_NAMES)
            raise UsageError(f"the roster {path} has none of the columns {known}: export it again, or list names alone")
        return [RosterEntry((row[0].strip(),)) for row in table if row and row[0].strip()]
    rows = [dict(zip(head, (cell.strip() for cell in row), strict=False)) for row in table[1:]]
    return [entry for cells in rows if (entry := roster_entry(cells)) is not None]


def is_address(text: str) -> bool:
    """Whether the text is an e-mail address: one word with something on both sides of its @. A name may have one."""
    before, sign, behind = text.partition("@")
    return bool(before and sign and behind) and not any(letter.isspace() for letter in text)


def roster_entry(cells: Mapping[str, str]) -> RosterEntry | None:
    """The student of a row, by lower-case columns; None where the row is nobody's, or of the staff."""
    names = [_folder_name(column, cells[column]) for column in _NAMES if cells.get(column)]
    is_student = cells.get(_ROLE, "student").lower() in ("", "student")
    if not names or not is_student or cells.get("student", "").lower() == "points possible":
        return None
    canvas_id = cells.get("id", "") if "student" in cells else ""
    address = next((cells[column] for column in _NAMES if is_address(cells.get(column, ""))), "")
    full_name = full_name_of(cells)
    if _MOODLES_ADDRESS in cells and full_name:
        names.append(moodle_file_name(full_name))
    return RosterEntry(tuple(dict.fromkeys(names)), canvas_id, address, full_name)


def full_name_of(cells: Mapping[str, str]) -> str:
    """The name in a row, by lower-case columns: whole, or made of its parts."""
    last = cells.get("last name") or cells.get("surname", "")
    return cells.get("full name") or f"{cells.get('first name', '')} {last}".strip()


def _folder_name(column: str, cell: str) -> str:
    return cell.partition("@")[0] if column in _ADDRESSES else cell


def match_roster(
    roster: Sequence[RosterEntry],
    students: Sequence[str],
    names: Mapping[str, Sequence[str]],
    canvas_ids: Mapping[str, str],
) -> dict[int, str]:
    """Which student each entry of the roster is, by its position; no student is two. By Canvas's number first, then by
    the whole address, then by the first of the entry's names that one student has; a name that nobody else of the
    roster has goes first, so that of two students with one full name the number tells whose a submission is. Two whose
    addresses differ are two, whatever else is alike; where several could be meant, nobody is."""
    called = {student: {one.casefold() for one in [student, *names.get(student, [])]} for student in students}
    addresses = {student: {one for one in all_of if is_address(one)} for student, all_of in called.items()}
    matched: dict[int, str] = {}

    def take(words_of: Callable[[RosterEntry], Sequence[str]], fits: Callable[[RosterEntry, str, str], bool]) -> None:
        free = [student for student in students if student not in matched.values()]
        wishes: dict[int, list[str]] = {}
        for position, entry in enumerate(roster):
            if position in matched:
                continue
            for word in words_of(entry):
                wishes[position] = [student for student in free if fits(entry, word, student)]
                if wishes[position]:
                    break
        counts = Counter(student for found in wishes.values() for student in found)
        for position, found in wishes.items():
            if len(found) == 1 and counts[found[0]] == 1:
                matched[position] = found[0]

    def numbered(_: RosterEntry, word: str, student: str) -> bool:
        return canvas_ids.get(student) == word

    def addressed(_: RosterEntry, word: str, student: str) -> bool:
        return word.casefold() in addresses[student]

    def named(entry: RosterEntry, word: str, student: str) -> bool:
        apart = entry.address and addresses[student] and entry.address.casefold() not in addresses[student]
        numbers_differ = entry.canvas_id and student in canvas_ids
        return not apart and not numbers_differ and word.casefold() in called[student]

    def folder(entry: RosterEntry, word: str, student: str) -> bool:
        return word.casefold() == student.casefold() and named(entry, word, student)

    take(lambda entry: [entry.canvas_id] if entry.canvas_id else [], numbered)
    take(lambda entry: [entry.address] if entry.address else [], addressed)
    bearers = Counter(word for entry in roster for word in {one.casefold() for one in entry.all_names})
    take(lambda entry: entry.names, folder)
    take(lambda entry: [word for word in entry.all_names if bearers[word.casefold()] == 1], named)
    take(lambda entry: entry.all_names, named)
    return matched


def with_roster(intake: ClassIntake, roster: Sequence[RosterEntry]) -> ClassIntake:
    """The intake with everybody of the roster, and with what it calls them; who handed in nothing gets `not_submitted`
    in every lab. Students whom the roster does not know are graded and told of."""
    matched = match_roster(roster, intake.students, intake.names, intake.canvas_ids)
    names = {student: list(known) for student, known in intake.names.items()}
    canvas_ids = dict(intake.canvas_ids)
    used = {student.casefold() for student in intake.students}
    absent = []
    for position, entry in enumerate(roster):
        student = matched.get(position)
        if student is None:
            student = _unused(entry, used)
            used.add(student.casefold())
            absent.append(student)
        names[student] = list(dict.fromkeys([*names.get(student, []), *entry.all_names]))
        if entry.canvas_id:
            canvas_ids[student] = entry.canvas_id
    strangers = [name for name in intake.students if name not in matched.values()]
    problems = list(intake.problems)
    if strangers:
        some = ", ".join(shortened(printable(name), 30) for name in strangers[:_MOST_NAMED])
        more = f" and {len(strangers) - _MOST_NAMED} more" if len(strangers) > _MOST_NAMED else ""
        problems.append(f"{counted(len(strangers), 'student')} not in the roster, graded all the same: {some}{more}")
    refusals = [
        Refusal(name, lab, Verdict.NOT_SUBMITTED, "nothing was handed in: there is no folder of this student")
        for name in absent
        for lab in intake.labs
    ]
    return replace(
        intake,
        students=sorted([*intake.students, *absent]),
        refusals=[*intake.refusals, *refusals],
        problems=problems,
        names=names,
        canvas_ids=canvas_ids,
    )


def _unused(entry: RosterEntry, used: Collection[str]) -> str:
    """A name for a student without a folder that nobody in the class has: the first that is free."""
    free = next((name for name in entry.all_names if name.casefold() not in used), "")
    number = 2
    while not free:
        wish = f"{entry.names[0]}-{number}"
        free, number = ("" if wish.casefold() in used else wish), number + 1
    return free
