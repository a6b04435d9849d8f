"""A small class with every kind of end, graded once for all tests that look at its report."""

from dataclasses import dataclass
from pathlib import Path

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.grading import grade_class
from simtlab.class_run.plan import make_plan
from simtlab.class_run.progress import Quiet
from simtlab.course.course import Course
from simtlab.intake.class_folder import read_class
from simtlab.labs.catalogue import read_catalogue
from simtlab.score.gradebook import Gradebook, read_gradebook
from simtlab.store.results import ResultStore
from tests.fake_checkout import KERNEL, FakeCheckout

TILING = "07-shared-tiling"
HOSTILE = "<img src=x onerror=alert(1)>\x1b[31m\n'\"&"
SOURCE = KERNEL * 3 + "// </td></table><script>alert(2)</script>\n"
_WISHES = {
    "alice": "// fake judge: unsafe",
    "bob": "// fake judge: wrong_answer",
    "carol": "// fake judge: full",
    "dave": "// fake compiler: error",
    "erin": "// fake judge: exit 7",
    HOSTILE: "// fake judge: pass",
}


@dataclass(frozen=True)
class GradedClass:
    """The gradebook and the store it was read from."""

    book: Gradebook
    store: ResultStore


def graded_class_in(folder: Path) -> GradedClass:
    """Grades the class in an empty folder."""
    checkout = FakeCheckout(folder / "checkout")
    catalogue = read_catalogue(checkout.root, checkout.build)
    store = ResultStore(folder / "store")
    for student, wish in _WISHES.items():
        checkout.submit(student, TILING, f"{SOURCE}{wish}\n")
    checkout.submit("alice", "08-bank-conflicts")
    intake = read_class(checkout.class_folder, catalogue, store.keep_file)
    plan = make_plan("the class", intake, catalogue, Conditions(), store)
    grade_class(plan, Conditions(), store, Quiet(), workers=2)
    return GradedClass(read_gradebook(plan.run, store, catalogue, Course()), store)
