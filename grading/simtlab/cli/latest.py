"""The latest grading's points, as every command shows them."""

from pathlib import Path

from simtlab.course.names import course_of
from simtlab.errors import UsageError
from simtlab.labs.catalogue import Catalogue
from simtlab.score.gradebook import Gradebook, read_gradebook
from simtlab.store.class_run import latest_run
from simtlab.store.results import ResultStore


def latest_gradebook(store: ResultStore, catalogue: Catalogue, policy: Path | None) -> Gradebook:
    """The gradebook of the newest grading, by the file of `--policy`; where none is named, by the grading's own, so
    that what leaves for another system is what the class table showed."""
    run = latest_run(store)
    if policy is None and run.policy:
        policy = Path(run.policy)
        if not policy.exists():
            raise UsageError(
                f"the grading made its points by the policy {run.policy}, which is not here: name that file, "
                "or another, with --policy"
            )
    return read_gradebook(run, store, catalogue, course_of(catalogue, policy))
