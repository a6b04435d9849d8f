"""The browser that tests of pages use."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""None where there is none; tests that need it are skipped then."""


@dataclass
class Watched:
    """A page and what it complained about."""

    page: Page
    problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._heard: dict[Any, Callable[[Any], None]] = {
            "console": lambda message: self.problems.append(f"console: {message.text}"),
            "pageerror": lambda error: self.problems.append(f"error: {error}"),
            "request": lambda asked: self._only_files(asked.url),
        }
        for event, handler in self._heard.items():
            self.page.on(event, handler)

    def leave(self) -> None:
        """Nothing is heard any more."""
        for event, handler in self._heard.items():
            self.page.remove_listener(event, handler)

    def _only_files(self, url: str) -> None:
        if not url.startswith(("file:", "data:", "about:")):
            self.problems.append(f"request: {url}")
