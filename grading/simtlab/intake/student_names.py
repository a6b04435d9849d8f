"""Which student a word means: their name in the table, or whatever else the download or the roster calls them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from simtlab.text import printable, shortened

_MOST_TOLD = 20
_TEST_STUDENT = {"student, test", "test student", "studenttest"}
"""As Canvas calls the student whom a teacher can act as: in its gradebook, and in the files of its download."""


class StudentNames:
    """Finds students by the table's names, logins, addresses, Canvas's numbers and full names, in any case."""

    def __init__(
        self, students: Iterable[str], names: Mapping[str, Sequence[str]], canvas_ids: Mapping[str, str]
    ) -> None:
        self._students = list(students)
        known = set(self._students)
        self._folders: dict[str, set[str]] = {}
        self._aliases: dict[str, set[str]] = {}
        for student in self._students:
            self._folders.setdefault(student.casefold(), set()).add(student)
            for name in [*names.get(student, []), canvas_ids.get(student, "")]:
                if name and student in known:
                    self._aliases.setdefault(name.casefold(), set()).add(student)

    def find(self, word: str) -> set[str]:
        """Everybody whom the word may mean: one student where it is unambiguous, nobody where it is unknown. The
        table's name goes before any other, and another before what stands before an address's @."""
        if word in self._students:
            return {word}
        folded = word.strip().casefold()
        return (
            self._folders.get(folded) or self._aliases.get(folded) or self._folders.get(folded.partition("@")[0], set())
        )

    def one(self, word: str) -> str:
        """The table's name of the one student whom the word means, else the word itself."""
        found = self.find(word)
        return next(iter(found)) if len(found) == 1 else word

    def listed(self) -> str:
        """The table's names for an error message, not too many."""
        some = ", ".join(shortened(printable(name), 30) for name in self._students[:_MOST_TOLD])
        more = len(self._students) - _MOST_TOLD
        return some + (f" and {more} more" if more > 0 else "")


def canvas_test_students(
    students: Collection[str], names: Mapping[str, Sequence[str]], canvas_ids: Mapping[str, str]
) -> list[str]:
    """Canvas's own test student, whom a teacher hands in as: nobody of the class. A class that is no download of Canvas
    and has no roster of Canvas has none, whatever a student is called."""
    return [
        student
        for student in students
        if student in canvas_ids and _TEST_STUDENT & {name.casefold() for name in [student, *names.get(student, [])]}
    ]
