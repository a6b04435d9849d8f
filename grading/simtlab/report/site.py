"""Writes the report: `index.html` for the class, a page a lab and one a submission, each a single file without a
network. Pages are written by as many processes as there are cores, for a class of 300 in 17 labs has 5,100 of them."""

import math
import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.report.class_page import attention, lab_overviews, totals_chart
from simtlab.report.lab_page import lab_view
from simtlab.report.leaderboard import leaderboard_page
from simtlab.report.pages import replace_file, site_environment
from simtlab.report.submission_page import SubmissionView, submission_text, submission_view
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.store.results import ResultStore
from simtlab.text import slug

_FEWEST_FOR_PROCESSES = 200


def write_site(book: Gradebook, store: ResultStore, folder: Path) -> Path:
    """Writes the pages into `folder` and returns the path of `index.html`. Pages of an earlier report that no longer
    belong to the class are removed; nothing else in the folder is touched. Raises `UsageError` where another
    `index.html` stands there."""
    if _is_of_others(folder / "index.html"):
        raise UsageError(f"{folder / 'index.html'} is no page of a report: choose another folder for the report")
    places = {name: folder / name for name in ("submissions", "labs")}
    try:
        for place in places.values():
            place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the report {folder} cannot be written: {error.strerror}; choose another folder for it"
        ) from error
    writing = _Writing(book, store, places["submissions"])
    writing.write_all()
    overviews = lab_overviews(book)
    site = site_environment()
    for overview in overviews:
        view = lab_view(book, overview, store, lambda one: f"../submissions/{page_name(one)}")
        text = site.get_template("lab.html").render(view=view, class_name=book.run.class_name, names=writing.names)
        replace_file(places["labs"] / lab_page_name(overview.lab), text)
    _remove_others(places["submissions"], set(writing.names.values()))
    _remove_others(places["labs"], {lab_page_name(overview.lab) for overview in overviews})
    board = leaderboard_page(book, "index.html")
    if board:
        replace_file(folder / "leaderboard.html", board)
    else:
        (folder / "leaderboard.html").unlink(missing_ok=True)
    index = folder / "index.html"
    text = site.get_template("class.html").render(
        book=book,
        overviews=overviews,
        names=writing.names,
        attention=attention(book),
        lab_page_name=lab_page_name,
        totals_chart=totals_chart(book),
        has_leaderboard=bool(board),
    )
    replace_file(index, text)
    return index


def _is_of_others(page: Path) -> bool:
    """Whether the page is there and has not the policy that all of ours begin with."""
    try:
        return b"Content-Security-Policy\" content=\"default-src 'none'" not in page.read_bytes()[:2000]
    except OSError:
        return False


class _Writing:
    """The submissions' pages, in slices that processes share."""

    def __init__(self, book: Gradebook, store: ResultStore, folder: Path) -> None:
        self.book, self.store, self.folder = book, store, folder
        self.shown = [one for one in book.submissions.values() if one.lab in book.specifications]
        self.names = {(one.student, one.lab): page_name(one) for one in self.shown}

    def _view(self, one: GradedSubmission, brief: bool) -> SubmissionView:
        return submission_view(one, self.book.specifications[one.lab], self.store, brief=brief)

    def write_all(self) -> None:
        """All pages; a class of some size with every core."""
        cores = len(os.sched_getaffinity(0))
        if len(self.shown) < _FEWEST_FOR_PROCESSES or cores < 2:
            self.write(range(len(self.shown)))
            return
        global _writing
        _writing = self
        step = math.ceil(len(self.shown) / (4 * cores))
        slices = [range(first, min(first + step, len(self.shown))) for first in range(0, len(self.shown), step)]
        with ProcessPoolExecutor(cores, mp_context=multiprocessing.get_context("fork")) as pool:
            list(pool.map(_write_slice, slices))
        _writing = None

    def write(self, positions: Sequence[int]) -> None:
        """The pages at these positions."""
        for position in positions:
            one = self.shown[position]
            text = submission_text(
                partial(self._view, one),
                class_name=self.book.run.class_name,
                home="../index.html",
                lab_page=f"../labs/{lab_page_name(one.lab)}",
                facts=one.facts,
                previous=self.shown[position - 1] if position else None,
                following=self.shown[position + 1] if position + 1 < len(self.shown) else None,
                names=self.names,
                points_shown=True,
            )
            replace_file(self.folder / self.names[one.student, one.lab], text)


_writing: _Writing | None = None


def _write_slice(positions: Sequence[int]) -> None:
    if _writing is not None:
        _writing.write(positions)


def _remove_others(folder: Path, names: set[str]) -> None:
    for stale in set(folder.glob("*.html")) - {folder / name for name in names}:
        stale.unlink()


def page_name(submission: GradedSubmission) -> str:
    """The file name of a submission's page."""
    return f"{slug(submission.student)}.{slug(submission.lab)}.html"


def lab_page_name(lab: str) -> str:
    """The file name of a lab's page."""
    return f"{slug(lab)}.html"
