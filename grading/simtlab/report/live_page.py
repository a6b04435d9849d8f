"""The page of a running grading: a first state in the HTML, later ones by its script."""

import base64
import hashlib
from importlib.resources import files

from markupsafe import Markup

from simtlab.live.watch import Snapshot
from simtlab.report.pages import site_environment


def live_page(snapshot: Snapshot) -> str:
    """The whole page."""
    script = (files("simtlab.report") / "templates" / "live.js").read_text(encoding="utf-8")
    template = site_environment().get_template("live.html")
    return template.render(
        snapshot=snapshot,
        state=snapshot.document(),
        live_script=Markup(script),  # noqa: S704 - our own file
        live_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
