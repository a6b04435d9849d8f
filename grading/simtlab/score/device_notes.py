"""Whether the times of a class are of one device class; where they are not, the instructor reads so."""

from collections.abc import Iterable

from simtlab.store.result import Result
from simtlab.text import counted, printable, shortened

_MOST_NAMED = 5


def device_notes(results: Iterable[Result]) -> list[str]:
    """Of results with times: a sentence for each lab that was timed on several classes, and one where different labs
    were: a student's labs then have times that do not compare."""
    found: dict[str, dict[str, list[str]]] = {}
    for one in results:
        if one.parts.gpu:
            found.setdefault(one.parts.lab, {}).setdefault(one.parts.gpu, []).append(one.parts.student)
    notes = [_of_lab(lab, classes) for lab, classes in sorted(found.items()) if len(classes) > 1]
    of_whole_labs: dict[str, list[str]] = {}
    for lab, classes in sorted(found.items()):
        if len(classes) == 1:
            of_whole_labs.setdefault(next(iter(classes)), []).append(lab.partition("-")[0])
    if len(of_whole_labs) > 1:
        listed = "; ".join(f"{name}: labs {', '.join(labs)}" for name, labs in of_whole_labs.items())
        notes.append(f"labs were timed on {len(of_whole_labs)} device classes, and students' labs with them: {listed}")
    return notes


def _of_lab(lab: str, classes: dict[str, list[str]]) -> str:
    ordered = sorted(classes.items(), key=lambda item: (-len(item[1]), item[0]))
    parts = [f"{counted(len(ordered[0][1]), 'submission')} on {ordered[0][0]}"]
    for name, students in ordered[1:]:
        some = ", ".join(shortened(printable(student), 30) for student in students[:_MOST_NAMED])
        more = f" and {len(students) - _MOST_NAMED} more" if len(students) > _MOST_NAMED else ""
        parts.append(f"{len(students)} on {name} ({some}{more})")
    return (
        f"{lab} was timed on {len(classes)} device classes, which do not compare: {'; '.join(parts)}. Grade it again "
        "on one class: `simtlab grade` there, or with device_class in [executor] of course.toml"
    )
