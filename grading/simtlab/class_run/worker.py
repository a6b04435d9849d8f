"""Grades one submission: files out of the store, build, judge, result. The same worker serves every executor."""

import contextlib
import threading
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path

from simtlab.class_run.build import build_submission
from simtlab.class_run.conditions import Conditions
from simtlab.class_run.own_stub import require_compiling_stub
from simtlab.compiler.compile import Compilation
from simtlab.errors import GraderError, GradingStopped
from simtlab.facts.model import Facts
from simtlab.full_disk import disk_sentence
from simtlab.intake.submission import Submission
from simtlab.judge.run import KilledJudgeError, judge_submission
from simtlab.labs.catalogue import Lab
from simtlab.predict.model import ANSWERS_FILE, Predictions
from simtlab.predict.run import judge_predictions
from simtlab.process.workplace import workplace
from simtlab.store.key import KeyParts
from simtlab.store.result import CompilerReport, Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict

_JUDGES = 3
"""How often a submission is judged whose judge was killed: by whom is not known, and the next may fare better."""


def grade_submission(
    submission: Submission,
    lab: Lab,
    parts: KeyParts,
    conditions: Conditions,
    store: ResultStore,
    stop: threading.Event | None = None,
) -> Result:
    """The submission's result, not yet stored. Whatever goes wrong on our side becomes `internal_error`; only
    `GradingStopped` comes out, and then there is no result."""
    started = time.monotonic()
    compilation: Compilation | None = None
    facts: Facts | None = None
    predictions: Predictions | None = None
    try:
        predictions = _predictions(submission, lab, store, stop)
        with workplace() as place:
            compilation = build_submission(submission, lab, place, conditions, store, stop)
            if compilation.verdict is Verdict.COMPILE_ERROR:
                require_compiling_stub(lab, conditions, stop)
            if compilation.verdict is None:
                facts = _judge(submission, lab, place, conditions, store, stop)
    except GradingStopped:
        raise
    except GraderError as fault:
        verdict, message = Verdict.INTERNAL_ERROR, str(fault)
    except OSError as error:
        verdict, message = Verdict.INTERNAL_ERROR, disk_sentence(error) or traceback.format_exc(limit=-4)
    except Exception:  # noqa: BLE001 - a bug of ours must cost this student nothing, and nobody else a result
        verdict, message = Verdict.INTERNAL_ERROR, traceback.format_exc(limit=-4)
    else:
        verdict, message = compilation.verdict or Verdict.INTERNAL_ERROR, compilation.message
        if facts is not None:
            verdict, message = facts.verdict, facts.message
    return Result(
        key=parts.key,
        parts=parts,
        verdict=verdict,
        message=message,
        compiler=CompilerReport(stderr=compilation.stderr, seconds=compilation.seconds) if compilation else None,
        audit=compilation.findings if compilation else [],
        facts=facts,
        predictions=predictions,
        graded_at=datetime.now(UTC),
        seconds=time.monotonic() - started,
    )


def _predictions(
    submission: Submission, lab: Lab, store: ResultStore, stop: threading.Event | None
) -> Predictions | None:
    digest = submission.files.get(ANSWERS_FILE)
    if lab.build.predict is None or digest is None:
        return None
    return judge_predictions(lab.build.predict, store.file(digest), stop)


def _judge(
    submission: Submission,
    lab: Lab,
    place: Path,
    conditions: Conditions,
    store: ResultStore,
    stop: threading.Event | None,
) -> Facts:
    folders = [place / f"judgement-{number}" for number in range(_JUDGES)]
    for folder in folders[1:]:
        with contextlib.suppress(KilledJudgeError):
            return _judge_in(folder, submission, lab, place, conditions, store, stop)
    return _judge_in(folders[0], submission, lab, place, conditions, store, stop)


def _judge_in(
    judgement: Path,
    submission: Submission,
    lab: Lab,
    place: Path,
    conditions: Conditions,
    store: ResultStore,
    stop: threading.Event | None,
) -> Facts:
    judgement.mkdir()
    return judge_submission(
        lab,
        place / "runner",
        judgement,
        submission=submission.label,
        source=place / "submission" / lab.specification.files[0],
        backend=conditions.backend,
        seed=conditions.seed,
        limits=conditions.limits,
        runner_prefix=conditions.runner_prefix,
        sandbox=conditions.sandbox,
        wall_seconds=conditions.judge_seconds,
        without=[layer for layer in conditions.without if layer != "audit"],
        until_failure=conditions.until_failure,
        only_times=conditions.only_times,
        timing_session=store.timing_folder,
        stop=stop,
    )
