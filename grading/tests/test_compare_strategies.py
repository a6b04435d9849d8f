"""A class groups by what its counters look like: names, lines and text are nothing, access patterns are all."""

from simtlab.compare.measurement import Measurement
from simtlab.compare.strategies import fingerprint, strategies_of
from simtlab.facts.model import Launch
from simtlab.verdict import Verdict
from tests.example_launches import argument, launch, shared


def of(
    student: str, launches: list[Launch], score: float | None = 50.0, verdict: Verdict = Verdict.PASS
) -> Measurement:
    return Measurement(
        student=student,
        lab="08-bank-conflicts",
        files={},
        verdict=verdict,
        score=score,
        backend="emulator",
        machine="",
        sizes={},
        runs=[],
        launches=launches,
    )


def naive(kernel: str = "k", *, line: int = 3, requests: int = 1000) -> list[Launch]:
    return [
        launch(
            kernel,
            argument("input", line=line, requests=requests),
            argument("output", "write", line=line, sectors=32, requests=requests),
        )
    ]


def tiled(tile: str) -> list[Launch]:
    stored = [argument("output", "write"), shared(tile, "write"), shared(tile)]
    return [launch("k", argument("input"), *stored, barriers=8)]


def test_names_and_lines_make_no_other_strategy_but_patterns_do() -> None:
    found = strategies_of(
        [of("a", naive()), of("b", naive("q", line=70), 60.0), of("c", tiled("t"), 95.0), of("d", tiled("u"), 90.0)]
    )
    assert [[one.student for one in each.members] for each in found] == [["b", "a"], ["c", "d"]]
    assert [each.scores_text for each in found] == ["50 to 60", "90 to 95"]
    assert found[0].words == "writes `output` with 32 sectors a request; reads `input` with 4 sectors a request"
    assert found[1].words.endswith("barriers")


def test_a_little_more_of_the_same_is_the_same_strategy() -> None:
    assert fingerprint(naive()).alike(fingerprint(naive(requests=1100)))
    assert not fingerprint(naive()).alike(fingerprint(naive(requests=2000)))


def test_whoever_has_no_counters_stands_with_those_who_ended_alike() -> None:
    failed = of("e", [], None, Verdict.COMPILE_ERROR), of("f", [], None, Verdict.WRONG_ANSWER)
    found = strategies_of([*failed, of("a", naive())])
    words = [each.words for each in found]
    assert words[1:] == ["no counters: did not compile", "no counters: ended as wrong answer"]
    assert [each.scores_text for each in found] == ["50", "–", "–"]


def test_a_kernel_of_one_thread_and_one_without_memory_have_words() -> None:
    assert fingerprint([launch("k")]).words == "no access to memory that all threads share"
    one = [launch("k", argument("input", lanes=1, sectors=1))]
    assert fingerprint(one).words == "reads `input` with 1 sector a request"
