"""The names in the course's policy: labs as people write them made whole, and students whom the class does not have."""

from collections.abc import Iterable
from pathlib import Path

from simtlab.course.course import Course, Leaderboard, read_course
from simtlab.errors import UsageError
from simtlab.intake.student_names import StudentNames
from simtlab.labs.catalogue import Catalogue
from simtlab.text import printable


def course_of(catalogue: Catalogue, policy: Path | None) -> Course:
    """The policy by which points are made: the file of `--policy`, else the checkout's `course.toml`, with every lab by
    its folder's name."""
    return with_whole_names(read_course(catalogue.root, policy), catalogue)


def course_of_one_lab(catalogue: Catalogue, policy: Path | None) -> Course:
    """The same in a checkout that holds one lab of the course, as an autograder does: what the policy says of others is
    left out. `course_of` has refused slips where the whole course was at hand."""
    course = read_course(catalogue.root, policy)

    def here(word: str) -> bool:
        try:
            catalogue.resolve(word)
        except UsageError:
            return False
        return True

    board = course.leaderboard
    boards = [name for name in board.labs if here(name)]
    groups = [one.model_copy(update={"labs": [name for name in one.labs if here(name)]}) for one in course.group]
    kept = {
        "labs": {name: policy for name, policy in course.labs.items() if here(name)},
        "extension": [one for one in course.extension if not one.lab or here(one.lab)],
        "override": [one for one in course.override if here(one.lab)],
        "group": [now for now, before in zip(groups, course.group, strict=True) if now.labs or not before.labs],
        "leaderboard": Leaderboard() if board.labs and not boards else board.model_copy(update={"labs": boards}),
    }
    return with_whole_names(course.model_copy(update=kept), catalogue)


def with_whole_names(course: Course, catalogue: Catalogue) -> Course:
    """The course with every lab by its folder's name, so that `08` means what it says. Raises `UsageError` for a lab
    that there is not: a policy that silently does nothing would cost somebody points."""

    def whole(word: str, where: str) -> str:
        try:
            return catalogue.resolve(word)
        except UsageError as fault:
            raise UsageError(f"{course.file}: {where}: {fault}") from fault

    labs = {whole(name, f"[labs.{name}]"): policy for name, policy in course.labs.items()}
    if len(labs) != len(course.labs):
        raise UsageError(f"{course.file}: two tables [labs.…] mean the same lab: join them into one")
    return course.model_copy(
        update={
            "labs": labs,
            "extension": [
                one.model_copy(update={"lab": whole(one.lab, "[[extension]]") if one.lab else ""})
                for one in course.extension
            ],
            "override": [one.model_copy(update={"lab": whole(one.lab, "[[override]]")}) for one in course.override],
            "group": [
                one.model_copy(update={"labs": [whole(name, "[[group]]") for name in one.labs]}) for one in course.group
            ],
            "leaderboard": course.leaderboard.model_copy(
                update={"labs": [whole(name, "[leaderboard]") for name in course.leaderboard.labs]}
            ),
        }
    )


def with_table_names(course: Course, students: StudentNames) -> Course:
    """The course with every student by the table's name, whatever the policy calls them: login, address, Canvas's
    number. Whom the class does not have, or has twice, stays as written, and `course_notes` tells."""
    one = students.one
    pseudonyms = {one(name): pseudonym for name, pseudonym in course.leaderboard.pseudonyms.items()}
    return course.model_copy(
        update={
            "extension": [each.model_copy(update={"student": one(each.student)}) for each in course.extension],
            "override": [each.model_copy(update={"student": one(each.student)}) for each in course.override],
            "group": [
                each.model_copy(update={"members": [one(name) for name in each.members]}) for each in course.group
            ],
            "sections": {name: [one(word) for word in members] for name, members in course.sections.items()},
            "leaderboard": course.leaderboard.model_copy(update={"pseudonyms": pseudonyms}),
        }
    )


def course_notes(course: Course, students: Iterable[str]) -> list[str]:
    """A sentence for each student whom the policy names and the class does not have, and for each extension of a lab
    that has no date: perhaps a slip of the pen."""
    students = list(students)
    known = set(students)
    named = {
        "[[extension]]": [one.student for one in course.extension],
        "[[override]]": [one.student for one in course.override],
        "[[group]]": [name for one in course.group for name in one.members],
        "[sections]": [name for members in course.sections.values() for name in members],
        "[leaderboard]": list(course.leaderboard.pseudonyms),
    }
    strangers = [
        f"{course.file}: {where} names {printable(name)}, whom this class does not have"
        for where, names in named.items()
        for name in dict.fromkeys(names)
        if name not in known
    ]
    if strangers:
        strangers[-1] += f". The class has: {StudentNames(students, {}, {}).listed()}"
    return strangers + [
        f"{course.file}: [[extension]] gives {printable(one.student)} more time for {one.lab}, which has no `due`"
        for one in course.extension
        if one.lab and course.lab(one.lab).due is None
    ]
