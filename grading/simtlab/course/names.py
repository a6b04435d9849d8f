"""The names in `course.toml`: labs as people write them made whole, and students whom the class does not have."""

from collections.abc import Iterable

from simtlab.course.course import COURSE_FILE, Course
from simtlab.errors import UsageFault
from simtlab.labs.catalogue import Catalogue
from simtlab.text import printable


def with_whole_names(course: Course, catalogue: Catalogue) -> Course:
    """The course with every lab by its folder's name, so that `08` means what it says. Raises `UsageFault` for a lab
    that there is not: a policy that silently does nothing would cost somebody points."""

    def whole(word: str, where: str) -> str:
        try:
            return catalogue.resolve(word)
        except UsageFault as fault:
            raise UsageFault(f"{COURSE_FILE}: {where}: {fault}") from fault

    labs = {whole(name, f"[labs.{name}]"): policy for name, policy in course.labs.items()}
    if len(labs) != len(course.labs):
        raise UsageFault(f"{COURSE_FILE}: two tables [labs.…] mean the same lab: join them into one")
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
        }
    )


def course_notes(course: Course, students: Iterable[str]) -> list[str]:
    """A sentence for each student whom `course.toml` names and the class does not have: perhaps a slip of the pen."""
    known = set(students)
    named = {
        "[[extension]]": [one.student for one in course.extension],
        "[[override]]": [one.student for one in course.override],
        "[[group]]": [name for one in course.group for name in one.members],
        "[leaderboard]": list(course.leaderboard.pseudonyms),
    }
    return [
        f"{COURSE_FILE}: {where} names {printable(name)}, whom this class does not have"
        for where, names in named.items()
        for name in dict.fromkeys(names)
        if name not in known
    ]
