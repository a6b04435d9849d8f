"""The leaderboard: those who asked to be on it, by the name they chose, and nobody else."""

from dataclasses import dataclass
from statistics import median

from simtlab.facts.model import Status
from simtlab.report.pages import site_environment
from simtlab.score.gradebook import Gradebook, GradedSubmission


@dataclass(frozen=True)
class Entry:
    """One row. Equal scores and times share a rank."""

    rank: int
    name: str
    score: float
    milliseconds: float | None


def leaderboard(book: Gradebook, lab: str) -> list[Entry]:
    """Who solved the lab: by the score of its criteria, then by time where it was measured."""
    rows = []
    for student, name in book.course.leaderboard.pseudonyms.items():
        one = book.submissions.get((student, lab))
        if one and not one.held and (standing := _standing(one)):
            rows.append((*standing, name))
    rows.sort(key=lambda row: (-row[0], row[1] is None, row[1] or 0, row[2]))
    entries: list[Entry] = []
    for position, (score, time, name) in enumerate(rows, 1):
        shared = bool(entries) and (entries[-1].score, entries[-1].milliseconds) == (score, time)
        entries.append(Entry(entries[-1].rank if shared else position, name, score, time))
    return entries


def _standing(one: GradedSubmission) -> tuple[float, float | None] | None:
    facts = one.facts
    if facts is None or facts.correct.status is not Status.PASS or facts.fast.status is Status.NOT_MEASURED:
        return None
    return facts.fast.score, median(facts.timing.samples) if facts.timing.samples else None


def leaderboard_page(book: Gradebook, home: str) -> str:
    """The page; empty where no lab of the grading has a leaderboard."""
    labs = [
        (lab, specification.title, leaderboard(book, lab))
        for lab, specification in book.specifications.items()
        if book.course.leaderboard.is_on(lab)
    ]
    if not labs:
        return ""
    template = site_environment().get_template("leaderboard.html")
    return template.render(labs=labs, class_name=book.run.class_name, home=home)
