"""`simtlab test`: a lab's kernel as a student tests it, where no build tree is."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.options import BuildOption, JsonOption, catalogue_of
from simtlab.doctor.checks import require_compiler
from simtlab.errors import UsageError
from simtlab.installed import installed_tree
from simtlab.judge.own_kernel import OwnTest, check_own_kernel, profile_own_kernel
from simtlab.labs.catalogue import Catalogue, Lab
from simtlab.terminal import console, escape_terminal


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("test")(own_test)


def own_test(
    lab: Annotated[str, typer.Argument(metavar="LAB", help="07 or 07-shared-tiling.")],
    folder: Annotated[
        Path | None,
        typer.Option("--folder", help="Where kernel.cu lies.", show_default="labs/LAB of the course or checkout"),
    ] = None,
    profile: Annotated[
        bool, typer.Option("--profile", help="Print the source with its counters instead; nothing is tested.")
    ] = False,
    build: BuildOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compile a lab's kernel and run its tests correct, safe and fast, without hidden cases and points.

    Exit code 0: all three pass; 1: one fails, or it does not compile; 2: there is no such lab or file.
    """
    if installed_tree():
        require_compiler()
    chosen = lab_of(catalogue_of(build), lab)
    place = folder or chosen.folder
    text = ""
    if profile:
        tested, text = profile_own_kernel(chosen, place)
    else:
        tested = check_own_kernel(chosen, place)
    if as_json:
        document = {"format": "simtlab-test", "version": 2, **asdict(tested), "passed": tested.passed, "profile": text}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        console().print(escape_terminal(text or words_of(tested)), end="", soft_wrap=True)
    if not (text or tested.passed):
        raise typer.Exit(1)


def lab_of(catalogue: Catalogue, word: str) -> Lab:
    """The lab that the word means. Raises `UsageError` with the reason when it cannot be used."""
    name = catalogue.resolve(word)
    if name in catalogue.labs:
        return catalogue.labs[name]
    why = catalogue.faults.get(name, f"its judge is not built in {catalogue.build}")
    raise UsageError(f"{name} cannot be tested: {why}. simtlab doctor says what is missing")


def words_of(tested: OwnTest) -> str:
    """What a person reads: a line for each test, and under it what the judge has to say."""
    lines = [f"\n{tested.lab}\n"]
    if not tested.parts:
        said = tested.compiler.strip() or tested.refused
        if tested.audit:
            said = "\n".join(f"{one.file}:{one.line}: not allowed: {one.message}" for one in tested.audit)
        lines += [
            f"  FAIL  build\n{_below(said)}",
            f"\n{tested.lab} was not tested. Next: mend the first message above\n",
        ]
        return "".join(lines)
    if "warning: " in tested.compiler:
        lines.append(
            f"  note  build    compiles, with warnings that may explain what follows\n{_below(tested.compiler)}"
        )
    if not tested.objects_audited:
        lines.append("  note  audit    of your program the functions that it calls: only objects of x86-64 are read\n")
    for one in tested.parts:
        lines.append(f"  {'pass' if one.passed else 'FAIL'}  {one.name:<8} {one.seconds:.2f} s\n{_below(one.said)}")
    passed = sum(one.passed for one in tested.parts)
    number = tested.lab.split("-")[0]
    lines.append(
        f"\nall {passed} tests passed\n"
        if tested.passed
        else f"\n{passed} of {len(tested.parts)} tests passed. Next: simtlab test {number} --profile\n"
    )
    return "".join(lines)


def _below(text: str) -> str:
    return "".join(f"      {line}".rstrip() + "\n" for line in text.strip("\n").splitlines())
