"""`simtlab serve`: the latest grading as a page that follows it."""

import contextlib
import json
import signal
import sys
import tempfile
import threading
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.latest import latest_gradebook
from simtlab.cli.options import (
    DEFAULT_STORE,
    BuildOption,
    JsonOption,
    PolicyOption,
    StoreOption,
    catalogue_of,
    stored_results,
)
from simtlab.live.server import LOOPBACK, LivePage
from simtlab.live.watch import Watch
from simtlab.report.site import write_site
from simtlab.store.class_run import latest_run
from simtlab.terminal import console


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("serve")(serve)


def serve(
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 0,
    address: Annotated[
        str, typer.Option("--address", help="Another than the loopback shows grades to whoever has the URL.")
    ] = LOOPBACK,
    as_json: JsonOption = False,
) -> None:
    """Serve a page that follows the latest grading and ends as its report; read-only, until Ctrl-C.

    The URL has a token: whoever has it sees names and grades. From elsewhere: ssh -L PORT:127.0.0.1:PORT this-machine.
    """
    results = stored_results(store)
    catalogue = catalogue_of(build)
    with tempfile.TemporaryDirectory(prefix="simtlab-serve-") as place:

        def report() -> Path:
            return write_site(latest_gradebook(results, catalogue, policy), results, Path(place)).parent

        page = LivePage(Watch(results, latest_run(results)).look, report, address=address, port=port)
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(ValueError):  # not the main thread
                signal.signal(number, lambda *_: threading.Thread(target=page.close).start())
        if as_json:
            sys.stdout.write(json.dumps({"format": "simtlab-live-page", "version": 1, "url": page.url}) + "\n")
            sys.stdout.flush()
        else:
            console().print(f"{page.url}\nCtrl-C ends it.", soft_wrap=True, highlight=False)
        page.serve()
