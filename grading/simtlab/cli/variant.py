"""`simtlab variant`: a lab's variants as whole kernels, and a whole kernel stored as a variant."""

import difflib
import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.options import JsonOption
from simtlab.errors import LabError, UsageError
from simtlab.facts.model import Status
from simtlab.labs.catalogue import default_build, find_checkout, read_catalogue
from simtlab.labs.section import SOLUTION, joined
from simtlab.labs.variant_store import Choice, store_variants
from simtlab.labs.variants import (
    FOLDER,
    Variant,
    Variants,
    plain_solution,
    read_variants,
    text_of,
)
from simtlab.terminal import console, escape_terminal
from simtlab.text import counted
from simtlab.verify.expectation import parse_expectation

_ANCHOR = re.compile(r'anchor\("([a-z0-9-]+)"')


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("variant")(variant)


def variant(
    lab: Annotated[str, typer.Argument(metavar="LAB", help="07 or 07-shared-tiling.")],
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The variant to print; `solution`: what differences start from.")
    ] = "",
    write: Annotated[Path | None, typer.Option("--write", help="Write all of them into this folder, to read.")] = None,
    add: Annotated[
        Path | None,
        typer.Option(
            "--add", metavar="NAME.cu", help="Store this whole kernel as the variant NAME; or a folder of such."
        ),
    ] = None,
    base: Annotated[
        str, typer.Option("--base", help="With --add: the variant, or `solution`, to keep it as a difference from.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """List a lab's variants, print one as a whole kernel, or store one.

    Most variants are kept as what they differ in from another kernel, in solutions/NN-name/variants.diff. To change
    one, write it out, edit the whole kernel, and store it; to change a base and all that starts from it, write all out
    first, and store the folder:

    simtlab variant 07 --write build/variants; simtlab variant 07 --add build/variants/zeros.cu

    --add keeps the base that the variant has, or the whole file. A new one, or a file of solutions/NN-name/variants,
    gets the base that it differs least from, a right kernel first; it is kept as a whole file there where no difference
    is short, or lab.cpp names it as an anchor.

    Exit code 0: done; 1: a variant no longer fits its base, with the place; 2: there is no such lab, variant or base.
    """
    root = find_checkout("the variants of labs")
    lab_name = read_catalogue(root, default_build(root)).resolve(lab)
    solution_folder = root / "solutions" / lab_name
    if not solution_folder.is_dir():
        raise UsageError(f"{lab_name} has no folder solutions/{lab_name} here: a students' copy has no variants")
    if sum((bool(name), write is not None, add is not None)) > 1:
        raise UsageError("NAME, --write and --add are three things to do: choose one")
    if base and add is None:
        raise UsageError("--base says what to store a kernel from: it goes with --add FILE.cu")
    if add is not None:
        _add(root, solution_folder, add, base)
    elif write is not None:
        _write(solution_folder, write)
    elif name:
        sys.stdout.write(_text(solution_folder, name))
    else:
        _list(lab_name, read_variants(solution_folder), as_json=as_json)


def _text(solution_folder: Path, name: str) -> str:
    if name == SOLUTION:
        return joined(plain_solution(solution_folder).lines)
    wanted = name.removeprefix(f"{FOLDER}/").removesuffix(".cu")
    variants = read_variants(solution_folder)
    if wanted in variants.faults:
        raise variants.faults[wanted]
    texts = {one.name: one.text for one in variants.found}
    if wanted not in texts:
        near = [one for one in texts if wanted in one] or difflib.get_close_matches(wanted, texts) or texts
        raise UsageError(f"{solution_folder.name} has no variant {name!r}; it has {', '.join(near) or 'none'}")
    return texts[wanted]


def _list(lab: str, variants: Variants, *, as_json: bool) -> None:
    if as_json:
        rows = [
            {"name": one.name, "expect": _declared(one), "base": one.base, "place": one.place, "about": one.about}
            for one in variants.found
        ]
        faults = {name: str(fault) for name, fault in variants.faults.items()}
        document = {"format": "simtlab-variants", "version": 1, "lab": lab, "variants": rows, "faults": faults}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        out = console()
        for one in variants.found:
            start = f"of {one.base}" if one.base else "whole"
            out.print(escape_terminal(f"{one.name} ({start}): {_declared(one)}"), style="bold")
            about = textwrap.fill(one.about, out.width, initial_indent="  ", subsequent_indent="  ")
            out.print(escape_terminal(about))
        whole = sum(one.base is None for one in variants.found)
        out.print(f"{counted(len(variants.found), 'variant')}, {whole} of them whole files")
    _refuse(variants)


def _declared(one: Variant) -> str:
    try:
        return str(parse_expectation(one.text, one.place))
    except LabError:
        return "declares nothing that can be read"


def _write(solution_folder: Path, folder: Path) -> None:
    variants = read_variants(solution_folder)
    texts = {f"{one.name}.cu": one.text for one in variants.found}
    texts[f"{SOLUTION}.cu"] = _text(solution_folder, SOLUTION)
    if folder.resolve() in ((solution_folder / FOLDER).resolve(), solution_folder.resolve()):
        raise UsageError(f"{folder} is where the lab keeps its variants: name another folder, such as build/variants")
    for file, text in texts.items():
        if (folder / file).exists() and text_of(folder / file) != text:
            raise UsageError(
                f"{folder / file} is another kernel than the lab's: store it with --add, or name an empty folder"
            )
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in texts.items():
        (folder / file).write_bytes(text.encode())
    console().print(escape_terminal(f"{folder}: {counted(len(variants.found), 'variant')} and {SOLUTION}.cu"))
    _refuse(variants)


def _refuse(variants: Variants) -> None:
    if variants.faults:
        raise LabError("\n".join(str(fault) for fault in variants.faults.values()))


def _add(root: Path, solution_folder: Path, file: Path, base: str) -> None:
    files = sorted(one for one in file.glob("*.cu") if one.stem != SOLUTION) if file.is_dir() else [file]
    if not files:
        raise UsageError(f"{file} holds no kernel: expected files such as missing-barrier.cu")
    if base and len(files) > 1:
        raise UsageError(f"--base goes with one kernel, and {file} holds {len(files)}: add the file alone")
    for one in files:
        parse_expectation(text_of(one), str(one))
    specification = root / "labs" / solution_folder.name / "lab.cpp"
    anchors = set(_ANCHOR.findall(text_of(specification))) if specification.is_file() else set()
    for stored in store_variants(solution_folder, files, Choice(base or None, _is_right, anchors)):
        place = stored.path.relative_to(root)
        how = f"as a difference from {stored.base}" if stored.base else "whole"
        console().print(escape_terminal(f"{stored.name}: {how}, {counted(stored.lines, 'line')} in {place}"))


def _is_right(one: Variant) -> bool:
    try:
        declared = parse_expectation(one.text, one.place)
    except LabError:
        return False
    return declared.correct is Status.PASS and declared.safe is not Status.FAIL
