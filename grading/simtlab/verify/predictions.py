"""Checks a lab's questions: they can be answered, by the numbers that a student has, and by nothing else."""

from collections.abc import Iterator, Sequence

from simtlab.errors import GraderError
from simtlab.labs.catalogue import Lab
from simtlab.predict.model import ANSWERS_FILE
from simtlab.predict.run import judge_predictions, questions_for
from simtlab.verify.check import Check, Subject

_STUDENTS = ("", *(f"student {number}" for number in range(1, 8)))
_FEWEST, _MOST = 3, 5


def prediction_checks(lab: Lab) -> list[Check]:
    """The check of a lab's questions; none where it has no questions and no points for them."""
    if lab.build.predict is None and not lab.specification.points.predict:
        return []
    try:
        problems = list(_problems(lab))
    except (GraderError, OSError) as error:
        problems = [str(error)]
    return [Check(lab.name, "predictions", problems=problems, subject=Subject.HANDOUT)]


def keys_too_alike(keys: Sequence[tuple[float | None, ...]]) -> Iterator[str]:
    """A complaint where students could copy their neighbours' answers: the keys are fewer than half of the students."""
    if 2 * len(set(keys)) < len(keys):
        yield (
            f"predict.cu: {len(keys)} students have {len(set(keys))} different sets of answers among them: give the "
            "questions more .numbers to draw from, such as change the answer"
        )


def _problems(lab: Lab) -> Iterator[str]:
    program, points = lab.build.predict, lab.specification.points.predict
    if program is None:
        yield f"lab.toml: predict = {points:g} under [points], and there is no predict.cu"
        return
    if not points:
        yield "lab.toml: the lab has a predict.cu, and `predict = 5` is missing under [points]"
    asked = {student: questions_for(program, student) for student in _STUDENTS}
    names = [question.name for question in asked[""]]
    if not _FEWEST <= len(names) <= _MOST:
        yield f"predict.cu: {len(names)} questions; a lab has {_FEWEST} to {_MOST}"
    if all(questions == asked[""] for questions in asked.values()):
        yield "predict.cu: everybody gets the same questions: give one of them .numbers to draw from"
    yield from keys_too_alike([tuple(one.answer for one in questions) for questions in asked.values()])
    for at, name in enumerate(names):
        texts = {questions[at].text for questions in asked.values()}
        answers = {questions[at].answer for questions in asked.values()}
        if len(texts) > 1 and len(answers) == 1:
            yield f"predict.cu: the answer of {name!r} is {answers.pop():g} whatever its numbers are"
        if left := [text for text in texts if "{" in text]:
            yield f"predict.cu: the text of {name!r} names a number that is not in .numbers: {left[0]}"
    for student, questions in asked.items():
        key = {question.name: question.answer or 0.0 for question in questions}
        if not all(one.right for one in questions_for(program, student, key)):
            yield f"predict.cu: the answers measured for {student!r} do not count as right: does the snippet vary?"
        if any(one.right for one in questions_for(program, student, dict.fromkeys(names, -1.0))):
            yield f"predict.cu: -1 counts as a right answer for {student!r}"
    path = lab.folder / ANSWERS_FILE
    given = judge_predictions(program, path.read_bytes() if path.is_file() else None)
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if given is None:
        yield f"there is no {ANSWERS_FILE}: students fill it in"
    elif given.message or given.answered or given.student:
        yield f"{ANSWERS_FILE}: expected student and every answer left open, {given.message or 'found some given'}"
    for name in ["student", *names]:
        if not any(line.split("=")[0].strip() == name for line in text.splitlines()):
            yield f'{ANSWERS_FILE}: the line `{name} = ""` is missing'
    number = lab.name.split("-")[0]
    handout = lab.folder / "README.md"
    if f"make predict LAB={number}" not in (handout.read_text(encoding="utf-8") if handout.is_file() else ""):
        yield f"README.md (Your task): says nothing of `make predict LAB={number}`"
