"""`simtlab claims`: what the lectures state, beside what the emulator measures."""

import json
import sys
from typing import Annotated

import typer
from rich.text import Text

from simtlab.claims.measured import Claim, build_claims, measure_claims
from simtlab.cli.options import BuildOption, JsonOption
from simtlab.errors import UsageError
from simtlab.labs.catalogue import default_build, find_root
from simtlab.terminal import console, plain_table


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("claims")(claims)


def claims(
    numbers: Annotated[
        list[int] | None, typer.Argument(metavar="[NUMBER]...", help="Only these claims.", show_default="all")
    ] = None,
    build: BuildOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print every claim of the lectures: its number, the lecture's figures, those measured, ok or not.

    Builds and runs the emulator's tests of the claims, so it needs a checkout. The last claims have no number: the
    optimisation checklist (docs/checklist.md) needs them beside the lectures'. Exit code 1: a claim does not hold.
    """
    tree = (build or default_build(find_root())).absolute()
    build_claims(tree)
    found = measure_claims(tree)
    if numbers:
        unknown = sorted(set(numbers) - {one.number for one in found if one.number is not None})
        if unknown:
            raise UsageError(f"there is no claim {unknown[0]}; the lectures' claims have the numbers 1 to 24")
        found = [one for one in found if one.number in numbers]
    if as_json:
        document = {"format": "simtlab-claims", "version": 1, "claims": [one.model_dump() for one in found]}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        _print(found)
    if not all(one.ok for one in found):
        raise typer.Exit(1)


def _print(found: list[Claim]) -> None:
    out = console()
    table = plain_table("claim", "what", "lecture", "measured", "ok", right=("lecture", "measured"))
    for one in found:
        table.add_row(
            "–" if one.number is None else str(one.number), Text(one.sentence, style="bold"), "", "", _word(ok=one.ok)
        )
        for row in one.rows:
            table.add_row("", Text("  " + row.what), row.lecture, row.measured, _word(ok=row.ok))
    out.print(table)
    failed = [one for one in found if not one.ok]
    rows = sum(len(one.rows) for one in found)
    held = {one.number for one in found if one.number is not None} - {one.number for one in failed}
    out.print(f"\n{len(held)} claims hold, {rows} figures; {len(failed)} tests fail")


def _word(*, ok: bool) -> Text:
    return Text("ok", style="green") if ok else Text("NO", style="bold red")
