"""`simtlab similarity`: which texts of a class a person should look at; a help, never a verdict."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from simtlab.cli.options import DEFAULT_STORE, BuildOption, JsonOption, StoreOption, catalogue_of
from simtlab.compare.sides import read_class
from simtlab.compare.strategies import fingerprint
from simtlab.similarity.documents import given_documents, known_steps
from simtlab.similarity.likeness import Pair, Work, groups_of, pairs_of, students_of
from simtlab.similarity.page import NEXT, NOT_A_PROOF, write_similarity
from simtlab.terminal import console, escape_terminal, plain_table
from simtlab.text import counted, printable, shortened


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("similarity")(similarity)


def similarity(
    lab: Annotated[str, typer.Argument(metavar="LAB", help="07 or 07-shared-tiling.")],
    given: Annotated[
        list[Path] | None,
        typer.Option(
            "--given", metavar="FILE", help="A text that everybody has, too: slides, an exercise. Repeatable."
        ),
    ] = None,
    page: Annotated[Path | None, typer.Option("--page", help="Write the texts side by side as a page.")] = None,
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    as_json: JsonOption = False,
) -> None:
    """List the texts of the latest grading's class that a person should look at. A help, no proof and no verdict.

    Names, comments, spacing, spelling of numbers and the order of parts do not count. What the lab gives out weighs
    nothing, and what many wrote weighs little; pairs whose text is mostly a known step of the textbook are listed as
    the same step. Nothing is stored, and no points change. Exit code 0 whatever is found.
    """
    catalogue = catalogue_of(build)
    name = catalogue.resolve(lab)
    side = read_class(store, name)
    works, texts = [], {}
    for one in side.measurements.values():
        source = "\n".join(text for file, text in sorted(side.sources(one).items()) if file.endswith(".cu"))
        if source.strip():
            works.append(Work(one.student, source, fingerprint(one.launches) if one.launches else None))
            texts[one.student] = source
    documents = given_documents(catalogue.root / "labs" / name, given or [])
    pairs = pairs_of(works, documents, known_steps(catalogue.root / "solutions" / name))
    groups = groups_of(pairs)
    steps = Counter(pair.what for pair in pairs if pair.step)
    if page is not None:
        write_similarity(groups, name, texts, page)
    if as_json:
        document = {
            "format": "simtlab-similarity", "version": 1, "lab": name, "note": f"{NOT_A_PROOF} {NEXT}",
            "students": len(works), "groups": [[_pair(pair) for pair in group] for group in groups], "steps": steps,
        }  # fmt: skip
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
        return
    out = console()
    out.print(
        escape_terminal(f"{name}: {counted(len(groups), 'group')} to look at, of {counted(len(works), 'kernel')}")
    )
    out.print(escape_terminal(NOT_A_PROOF))
    if groups:
        out.print()
        table = plain_table("group", "student", "student", "share", "places", "counters", right=("share", "places"))
        for number, group in enumerate(groups, 1):
            for pair in group:
                who = [Text(shortened(printable(student), 24)) for student in (pair.one, pair.other)]
                table.add_row(str(number), *who, f"{100 * pair.share:.0f} %", str(pair.rare), pair.counters)
        out.print(table)
        everybody = sorted(set().union(*(students_of(group) for group in groups)))
        out.print(escape_terminal(f"{NEXT} They are {printable(', '.join(everybody))}."))
    for what, pairs_alike in steps.most_common():
        out.print(escape_terminal(f"{what}: {counted(pairs_alike, 'pair')}, not to look at"))
    if page is not None:
        out.print(escape_terminal(f"page: {page}"))


def _pair(pair: Pair) -> dict[str, object]:
    return {
        "students": [pair.one, pair.other],
        "share": round(pair.share, 4),
        "places": pair.rare,
        "counters": pair.counters,
        "lines": [sorted({place.first for place in places}) for places in pair.places],
    }
