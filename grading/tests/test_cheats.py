"""Every cheat gets its declared verdict, with the audit and without it; no honest control is accused. A check tries one
in sixteen, drawn as drawn.py says, and a full check all.

Where another layer than the audit holds a cheat, that layer is switched off, too, and the cheat then passes: so it was
this layer. With the audit and all of its layers off every cheat is let through, or stands in a list that says why
nothing can let it through; a check tries one in twenty. Needs a build tree with the target `simtlab_judges`, as
test_build_tree.py does.
"""

import dataclasses
import os
import re
import subprocess
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from simtlab.audit.audit import audit_of
from simtlab.class_run.conditions import DEFAULT_SEED
from simtlab.compiler.compile import Compilation, compile_submission
from simtlab.facts.model import Facts
from simtlab.judge.run import CaseLimits, judge_submission
from simtlab.labs.catalogue import Lab, read_catalogue
from simtlab.sandbox.layers import CODE_VERIFIER
from simtlab.verdict import Verdict
from tests.cheat import Cheat, read_cheats
from tests.drawn import drawn, is_drawn
from tests.test_build_tree import BUILD, ROOT, SOLUTIONS, pytestmark  # noqa: F401 - needs what that needs

CHEATS = read_cheats(SOLUTIONS / "cheats")
OF_FRONT_ENDS = {
    "hides-in-a-raw-string",
    "shows-a-front-end-comments",
    "shows-clang-another-program",
    "shows-nvcc-another-program",
    "tells-compilers-by-their-text",
}
"""Cheats that a CUDA front end refuses, and simtcc alone does not."""
if not (BUILD / "verifier" / "simtlab-verifier").exists():  # no capstone here: nothing else holds these
    CHEATS = [one for one in CHEATS if one.caught_by != CODE_VERIFIER]
if not any("front_ends" in file.read_text(encoding="utf-8") for file in (BUILD / "labs").glob("*/lab.json")):
    CHEATS = [one for one in CHEATS if one.name not in OF_FRONT_ENDS]  # simtcc alone reads CUDA here
CONTROLS = read_cheats(SOLUTIONS / "controls")
ONE_IN = 16
SECRET_SEED = 7042026112187
OF_THE_JUDGE = {
    "rounds",
    "kernel_writes",
    "host_accesses",
    "closed_memory",
    "inputs_hash",
    "poison",
    "system_calls",
    "whole_work",
    "local_memory",
}
"""Layers that the judge's `--without` switches off. The layer `seed` is switched off by grading with the public one."""
OF_THE_BUILD = {CODE_VERIFIER, "translator", "closed-names"}
"""Layers that a build without them switches off."""
OUTPUTS = "outputs"
"""The comparison with the reference: the judge's, too, but a cheat that it alone catches has no other layer to lose."""
_NO_RESULT = "it leaves no result: what is not there cannot be right, whatever is switched off"
_NOT_THERE = "what it asks for does not lie where its path leads; test_attacks.py has the sandbox's mounts"
NEVER_RIGHT = {
    "calls-a-host-function": "a kernel gets to no host function, whatever is switched off",
    "calls-by-an-address-of-the-host": "a kernel gets to no host function, whatever is switched off",
    "calls-the-kernel-directly": _NO_RESULT,
    "copies-an-object-of-the-host": "a kernel gets to no host function, whatever is switched off",
    "passes-an-object-of-the-host": "a launch takes no object with virtual functions, whatever is switched off",
    "sends-values-by-a-host-function": "a kernel gets to no host function, whatever is switched off",
    "embeds-the-solution": _NOT_THERE,
    "exits-before-main": _NO_RESULT,
    "exits-from-a-constructor-function": _NO_RESULT,
    "exits-in-the-entry": _NO_RESULT,
    "fails-its-launch": "nothing ran, and the failed launch is told whatever is compared",
    "launches-beyond-its-bounds": "nothing ran, and the failed launch is told whatever is compared",
    "forges-the-result": "the result's form is fixed, and only the runner's own code writes it",
    "includes-the-solution": _NOT_THERE,
    "looks-for-hidden-cases": _NOT_THERE,
    "places-code-by-hand": "what lies in that section is the emulator's table of variables, and the program ends",
    "renames-a-function": _NO_RESULT,
    "replaces-memcpy": "its functions then stand in for the runner's, and it ends where they read device memory",
    "replaces-the-timer": "two functions of one name do not link",
    "saves-its-registers": "what it overwrites is its own caller's, and the program ends",
    **dict.fromkeys(OF_FRONT_ENDS, "no option of the grader leaves the front end out, which refuses the kernel"),
    "unguarded-when-it-counts": "its answers are right, and the checks of accesses are no layer to switch off",
    "writes-a-verdict": _NO_RESULT,
    "writes-an-empty-result": _NO_RESULT,
}
"""Cheats that no layer's absence makes right, each with the reason."""
NOT_TRIED = {
    "forks": "without the audit it runs until its time is over in every case",
    "leaves-a-thread-behind": "what its thread finds depends on when it runs",
}
ROWS_ASKED_FOR = {8, 9, 10, 13, 15, 19, 22, 25, 26, 27, 28, 32, 35, 36, 37, 38, 41}


@dataclasses.dataclass(frozen=True)
class Trial:
    """What became of a cheat. Verdicts are None where there was nothing to try."""

    audited: Compilation
    verdict: Verdict
    message: str
    without_audit: Verdict | None = None
    without_layer: Verdict | None = None
    score: float = 0
    """Points of `fast`."""
    score_without_layer: float = 0


class Workshop:
    """Builds and judges submissions, each in a folder of its own."""

    def __init__(self, folder: Path, backend: str = "emulator") -> None:
        self._folder = folder
        self._backend = backend
        self._labs = read_catalogue(ROOT, BUILD).labs

    def try_out(self, cheat: Cheat) -> Trial:
        """With the audit, without it, and without the layer that then holds."""
        place = self._folder / cheat.name
        lab = self._lab_of(cheat)
        cheat = self._placed(cheat, lab)
        audited = self._build(cheat, lab, place / "audited", audit=True)
        runner, built = place / "audited", audited
        if audited.findings and cheat.without_audit:
            runner = place / "unaudited"
            built = self._build(cheat, lab, runner, audit=False)
        facts = None
        if built.verdict is None:
            facts = self._judge(cheat, lab, runner)
        without_audit = facts.verdict if facts else built.verdict
        verdict = audited.verdict or without_audit or Verdict.INTERNAL_ERROR
        message = audited.message or (facts.message if facts else "")
        without_layer: Verdict | None = None
        score_without_layer = 0.0
        if facts and cheat.layers <= OF_THE_JUDGE:
            unlayered = self._judge(cheat, lab, runner, without=sorted(cheat.layers))
            without_layer, score_without_layer = unlayered.verdict, unlayered.fast.score
        elif facts and cheat.caught_by == "seed":
            without_layer = self._judge(cheat, lab, runner, seed=DEFAULT_SEED).verdict
        elif built.findings and cheat.caught_by == CODE_VERIFIER:
            runner = place / "unverified"
            unverified = self._build(cheat, lab, runner, audit=False, verify=False)
            guards = ["host_accesses"]  # what is computed is looked at once more where it is called
            without_layer = unverified.verdict or self._judge(cheat, lab, runner, without=guards).verdict
        score = facts.fast.score if facts else 0.0
        return Trial(audited, verdict, message, without_audit, without_layer, score, score_without_layer)

    def compiler_of(self, cheat: Cheat) -> list[str]:
        """The words that compile it."""
        return self._lab_of(cheat).build.backends[self._backend].compiler

    def unaudited(self, cheat: Cheat) -> tuple[Verdict, str, float]:
        """Its verdict without the audit, all other layers on, the message, and the points of `fast`."""
        lab = self._lab_of(cheat)
        cheat = self._placed(cheat, lab)
        place = self._folder / f"{cheat.name}-unaudited"
        built = self._build(cheat, lab, place, audit=False)
        if built.verdict is not None:
            return built.verdict, built.message, 0
        facts = self._judge(cheat, lab, place)
        return facts.verdict, facts.message, facts.fast.score

    def let_through(self, cheat: Cheat) -> tuple[Verdict, str]:
        """Its verdict with the audit and all of its layers off, and the message."""
        lab = self._lab_of(cheat)
        cheat = self._placed(cheat, lab)
        place = self._folder / f"{cheat.name}-let-through"
        off = cheat.layers & (OF_THE_JUDGE | {OUTPUTS})
        if CODE_VERIFIER in cheat.layers:
            off.add("host_accesses")  # what is computed is looked at once more where it is called
        build = lab.build.backends["emulator"]
        changes: dict[str, object] = {}
        if CODE_VERIFIER in cheat.layers:
            changes["verifier"] = None
        if "translator" in cheat.layers:
            changes["compiler"] = [*build.compiler, "--unrestricted"]
        if "closed-names" in cheat.layers:
            changes |= {"join": [], "close": []}
        open_lab = dataclasses.replace(
            lab, build=lab.build.model_copy(update={"backends": {"emulator": build.model_copy(update=changes)}})
        )
        built = self._build(cheat, open_lab, place, audit=False)
        if built.verdict is not None:
            return built.verdict, built.message
        seed = DEFAULT_SEED if "seed" in cheat.layers else SECRET_SEED
        facts = self._judge(cheat, lab, place, without=sorted(off), seed=seed)
        return facts.verdict, facts.message

    def _lab_of(self, cheat: Cheat) -> Lab:
        return dataclasses.replace(self._labs[cheat.lab], hidden=None)  # visible cases suffice

    def _placed(self, cheat: Cheat, lab: Lab) -> Cheat:
        """The cheat with the place of its number, which depends on what the compiler put in front of it."""
        if cheat.number is None:
            return cheat
        function, number = cheat.number
        folder = self._folder / f"{cheat.name}-number"
        folder.mkdir(exist_ok=True)
        (folder / "kernel.cu").write_text(cheat.text, encoding="utf-8")
        words = [*lab.build.backends["emulator"].compiler, "-c", "kernel.cu", "-o", "kernel.o"]
        subprocess.run(words, cwd=folder, check=True)
        at = offset_in_function(folder / "kernel.o", function, number)
        text, count = re.subn(r"\bnumber_at = \w+;", f"number_at = {at:#x};", cheat.text)
        assert count == 1, f"{cheat.name}: expected one definition `number_at = …;`"
        return dataclasses.replace(cheat, text=text)

    def _build(self, cheat: Cheat, lab: Lab, place: Path, *, audit: bool, verify: bool = True) -> Compilation:
        sources = place / "submission"
        sources.mkdir(parents=True)
        (sources / "kernel.cu").write_text(cheat.text, encoding="utf-8")
        build = lab.build.backends[self._backend]
        if not verify:
            build = build.model_copy(update={"verifier": None})
        headers = [str(path) for path in build.depends if path.is_dir()]
        audit_or_none = audit_of({"kernel.cu": cheat.text}, lab.specification, headers) if audit else None
        return compile_submission(build, ["kernel.cu"], sources, place / "runner", audit=audit_or_none)

    def _judge(
        self, cheat: Cheat, lab: Lab, place: Path, *, without: Sequence[str] = (), seed: int = SECRET_SEED
    ) -> Facts:
        folder = place / f"judgement-{'-'.join(without)}-{seed}"
        folder.mkdir()
        return judge_submission(
            lab,
            place / "runner",
            folder,
            submission=cheat.name,
            source=place / "submission" / "kernel.cu",
            backend=self._backend,
            seed=seed,
            limits=CaseLimits(),
            runner_prefix=("env",),  # as behind a sandbox: one program gets all cases
            wall_seconds=300,
            without=without,
        )


def offset_in_function(object_file: Path, function: str, wanted: bytes) -> int:
    """Where `wanted` first stands in the code of the function whose name, mangled or not, holds `function`."""
    with object_file.open("rb") as file:
        elf = ELFFile(file)
        symbols = elf.get_section_by_name(".symtab")
        assert isinstance(symbols, SymbolTableSection)
        for symbol in symbols.iter_symbols():
            if function in symbol.name and symbol["st_info"]["type"] == "STT_FUNC":
                begin, size = symbol["st_value"], symbol["st_size"]
                code = elf.get_section(symbol["st_shndx"]).data()[begin : begin + size]
                if wanted in code:
                    return int(code.index(wanted))
    raise AssertionError(f"{object_file}: {function} has no bytes {wanted.hex()}")


@pytest.fixture(scope="session")
def trials(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Trial]:
    """Every cheat and control that a chosen test asks for, tried out, as many at once as there are cores."""
    workshop = Workshop(tmp_path_factory.mktemp("cheats"))
    own = [one for one in request.session.items if one.path == Path(__file__)]  # timing/ has cheats of the same names
    parameters = [one.callspec.params for one in own if hasattr(one, "callspec")]
    wanted = {one["cheat"].name: one["cheat"] for one in parameters if "cheat" in one}
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        return dict(zip(wanted, pool.map(workshop.try_out, wanted.values()), strict=True))


def by_name(cheats: list[Cheat]) -> pytest.MarkDecorator:
    """A share of the cheats, and always those that forge a result: these follow its format, which changes."""
    forging = [pytest.param(one, id=one.name) for one in cheats if "FORGED_" in one.text]
    others = [(one.name, one) for one in cheats if "FORGED_" not in one.text]
    return pytest.mark.parametrize("cheat", forging + drawn(others, ONE_IN))


@by_name(CHEATS)
def test_a_cheat_gets_its_declared_verdict(cheat: Cheat, trials: dict[str, Trial]) -> None:
    trial = trials[cheat.name]
    rules = {finding.rule for finding in trial.audited.findings}
    assert rules >= {cheat.rule} if cheat.rule else not rules, trial.audited.findings
    assert trial.verdict is cheat.expect, trial.message


@by_name([one for one in CHEATS if one.without_audit])
def test_without_the_audit_another_layer_holds(cheat: Cheat, trials: dict[str, Trial]) -> None:
    assert trials[cheat.name].without_audit is cheat.without_audit


@by_name([one for one in CHEATS if one.layers <= OF_THE_JUDGE | {"seed", CODE_VERIFIER}])
def test_without_that_layer_the_cheat_passes(cheat: Cheat, trials: dict[str, Trial]) -> None:
    assert trials[cheat.name].without_layer is cheat.let_through


def problem_of(workshop: Workshop, cheat: Cheat) -> str | None:
    """None where switching the cheat's layers off lets it through."""
    verdict, message = workshop.let_through(cheat)
    if verdict is cheat.let_through:
        return None
    off = ["audit", *sorted(cheat.layers - {"audit"})]
    return f"{cheat.name} without {', '.join(off)}: expected {cheat.let_through}, found {verdict}: {message}"


def problems_of(cheats: Sequence[Cheat], folder: Path) -> list[str]:
    """What is wrong with the layers that the cheats declare."""
    workshop = Workshop(folder)
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        return [one for one in pool.map(lambda cheat: problem_of(workshop, cheat), cheats) if one]


TRIED = [one for one in CHEATS if one.name not in NOT_TRIED]
_DRAWN = [one for one in TRIED if is_drawn(f"layers of {one.name}", 20)]


def test_every_cheat_names_layers_that_a_test_can_switch_off() -> None:
    for one in CHEATS:
        known = OF_THE_JUDGE | OF_THE_BUILD | {"audit", "seed", OUTPUTS}
        assert one.layers <= known, f"{one.name}: caught-by {sorted(one.layers - known)}"
    reasoned = {one.name for one in CHEATS if one.let_through is not Verdict.PASS}
    assert reasoned == NEVER_RIGHT.keys() & {one.name for one in CHEATS}


def test_without_its_layers_a_cheat_is_let_through(tmp_path: Path) -> None:
    problems = problems_of(_DRAWN, tmp_path)
    assert not problems, "\n".join(problems)


@pytest.mark.long
def test_without_its_layers_every_cheat_is_let_through(tmp_path: Path) -> None:
    problems = problems_of(TRIED, tmp_path)
    assert not problems, "\n".join(problems)


@by_name([one for one in CHEATS if one.earns])
def test_a_right_cheat_earns_what_it_deserves(cheat: Cheat, trials: dict[str, Trial]) -> None:
    trial = trials[cheat.name]
    assert cheat.earns
    assert cheat.else_earns
    assert cheat.earns[0] <= trial.score <= cheat.earns[1]
    assert cheat.else_earns[0] <= trial.score_without_layer <= cheat.else_earns[1]


@by_name([one for one in CONTROLS if one.earns])
def test_an_honest_control_keeps_its_points(cheat: Cheat, trials: dict[str, Trial]) -> None:
    assert cheat.earns
    assert cheat.earns[0] <= trials[cheat.name].score <= cheat.earns[1]


@by_name(CONTROLS)
def test_an_honest_control_is_accused_of_nothing(cheat: Cheat, trials: dict[str, Trial]) -> None:
    trial = trials[cheat.name]
    assert trial.audited.findings == []
    assert trial.verdict is Verdict.PASS, trial.message


@by_name([one for one in CHEATS if one.rule])
def test_a_finding_names_rule_place_and_what_to_do_and_accuses_nobody(cheat: Cheat, trials: dict[str, Trial]) -> None:
    lines = len(cheat.text.splitlines())
    told = [one for one in trials[cheat.name].audited.findings if one.rule == cheat.rule]
    for finding in told:
        assert 1 <= finding.line <= lines, finding
        assert f"kernel.cu:{finding.line}" in finding.message
        assert finding.subject.strip("~#") in finding.message
        words = set(finding.message.lower().split())
        assert not words & {"cheat", "cheating", "forged", "malicious", "illegal", "attack", "dishonest"}


def test_the_corpus_is_as_large_as_it_should_be() -> None:
    rows = Counter(cheat.row for cheat in CHEATS)
    assert len(rows) >= 20
    assert rows.keys() >= ROWS_ASKED_FOR
    assert len(CHEATS) >= 75
    assert len(CONTROLS) >= 40
    switched = [one for one in CHEATS if one.without_audit and one.layers <= OF_THE_JUDGE | {"seed"}]
    assert len(switched) >= 12
