"""The documentation's pictures: what a browser shows of the example site, and what `simtlab status` prints."""

from __future__ import annotations

import io
import os
import pty
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, FloatRect, sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from gallery.site import ROOT, ExampleSite

_TERMINAL_WIDTH = 80


@dataclass(frozen=True)
class Shot:
    """A picture: which page, as wide as that, from the element with this selector on, at most so high."""

    name: str
    page: str
    width: int
    height: int
    start: str = "body"
    dark: bool = False


SHOTS = (
    Shot("report", "class", 1200, 900),
    Shot("help", "class", 1200, 560, "#totals"),
    Shot("lab", "lab", 1200, 760),
    Shot("findings", "lab", 1200, 560, "#findings"),
    Shot("submission", "unsafe", 1200, 1000),
    Shot("difference", "wrong answer", 1200, 560, "tr:has(.pictures)"),
    Shot("source", "right", 1200, 620, "#source-1", dark=True),
    Shot("compare", "two terms", 1200, 900, dark=True),
    Shot("counters", "two submissions", 1200, 760),
    Shot("leaderboard", "leaderboard", 1200, 420),
    Shot("student", "student", 1200, 400),
)


def take_pictures(site: ExampleSite, folder: Path, build: Path) -> list[Path]:
    """Writes `<name>.png` for each shot, and `grade.png` of a terminal; returns their paths."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        raise SystemExit("no chromium found in PATH: the pages are made, their pictures need a browser")
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        paths = [_take(browser, shot, site.pages[shot.page], folder) for shot in SHOTS]
        paths.append(_terminal(browser, site, folder / "grade.png", build))
        browser.close()
    return paths


def _take(browser: Browser, shot: Shot, page: Path, folder: Path) -> Path:
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height}, color_scheme="dark" if shot.dark else "light"
    )
    opened = context.new_page()
    opened.goto(page.as_uri())
    top = opened.locator(shot.start).first.bounding_box()
    total = opened.evaluate("document.documentElement.scrollHeight")
    y = 0.0 if top is None or shot.start == "body" else max(top["y"] - 12, 0.0)
    path = folder / f"{shot.name}.png"
    clip: FloatRect = {"x": 0, "y": y, "width": shot.width, "height": min(shot.height, total - y)}
    opened.screenshot(path=path, full_page=True, clip=clip)
    context.close()
    return path


def _terminal(browser: Browser, site: ExampleSite, path: Path, build: Path) -> Path:
    """`simtlab status` as a terminal of 80 columns shows it."""
    words = [sys.executable, "-m", "simtlab", "status", "--build", str(build), "--store", str(site.store)]
    console = Console(record=True, width=_TERMINAL_WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ simtlab status", style="bold"))
    console.print(Text.from_ansi(in_a_terminal(words)), end="")
    html = console.export_html(inline_styles=True, code_format=_PAGE, theme=_THEME)
    page = browser.new_page(color_scheme="dark")
    page.set_content(html)
    page.locator("pre").screenshot(path=path)
    page.close()
    return path


_THEME = TerminalTheme(
    (26, 27, 32),
    (232, 234, 238),
    [(26, 27, 32), (240, 113, 103), (122, 200, 124), (230, 176, 76), (125, 184, 245), (195, 160, 240), (84, 199, 174),
     (232, 234, 238)],
)  # fmt: skip
_PAGE = (
    '<body style="margin:0;background:#1a1b20"><pre style="display:inline-block;margin:0;padding:18px 24px;'
    "color:#e8eaee;background:#1a1b20;font:15px/1.45 'DejaVu Sans Mono',monospace\">{code}</pre></body>"
)


def in_a_terminal(words: list[str]) -> str:
    """What a program prints on a terminal of 80 columns, escapes included."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(_TERMINAL_WIDTH)}
    running = subprocess.Popen(words, stdout=theirs, cwd=ROOT, env=environment)
    os.close(theirs)
    said = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # how a terminal says that nobody writes any more
            break
        if not piece:
            break
        said += piece
    os.close(ours)
    if running.wait() != 0:
        raise SystemExit(f"{' '.join(words)} ended with exit code {running.returncode}")
    return said.decode("utf-8", "replace").replace("\r\n", "\n")
