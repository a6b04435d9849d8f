"""The pages in a real browser: no error on the console, nothing asked of the network, both themes, print, keyboard."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.graded_class import TILING

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium found in PATH")

_PROBE = """
<script>
const problems = [];
window.addEventListener("error", (event) => problems.push(String(event.message)));
window.addEventListener("securitypolicyviolation", (event) => problems.push(event.violatedDirective));
</script>
"""
_EXERCISE = """
<script>
window.addEventListener("load", () => {
  const table = document.getElementById("class-table");
  const names = () => [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.cells[0].textContent);
  const button = table.tHead.rows[0].cells[table.tHead.rows[0].cells.length - 1].querySelector("button");
  const before = names();
  button.click();
  const ascending = names();
  const announced = button.parentElement.getAttribute("aria-sort");
  button.click();
  const descending = names();
  const input = document.querySelector("input[type=search]");
  input.value = "carol";
  input.dispatchEvent(new Event("input"));
  const found = names();
  const status = document.querySelector("[role=status]").textContent;
  const answer = { problems, before, ascending, announced, descending, found, status };
  document.documentElement.innerHTML = "<body></body>";
  document.body.textContent = "ANSWER" + JSON.stringify(answer) + "END";
});
</script>
"""


def chromium(*words: str, profile: Path) -> subprocess.CompletedProcess[str]:
    options = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--enable-logging=stderr",
        "--v=0",
    ]
    options += [f"--user-data-dir={profile}", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND"]
    assert CHROMIUM is not None
    environment = {**os.environ, "HOME": str(profile)}
    return subprocess.run(
        [CHROMIUM, *options, *words], capture_output=True, text=True, timeout=120, check=True, env=environment
    )


@pytest.mark.parametrize("page", ["index.html", f"submissions/alice.{TILING}.html"])
def test_a_page_loads_without_complaint_and_without_network(site: Path, tmp_path: Path, page: str) -> None:
    log = tmp_path / "net.json"
    shown = chromium(f"--log-net-log={log}", "--dump-dom", (site / page).as_uri(), profile=tmp_path / "profile")
    assert "<h1>" in shown.stdout
    assert "CONSOLE" not in shown.stderr, shown.stderr
    asked = re.findall(r'"url":"(https?:[^"]+)"', log.read_text(encoding="utf-8", errors="replace"))
    ours = [url for url in asked if not re.match(r"https?://[^/]*(google|gvt1|chrome)[^/]*/", url)]
    assert ours == [], "the browser's own update calls aside, nothing may be asked of the network"


def test_sorting_and_filtering_work_and_are_announced(site: Path, tmp_path: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    text = re.sub(r"<meta http-equiv[^>]*>", "", text)  # the probe is a script of ours that the policy would refuse
    (tmp_path / "probe.html").write_text(
        text.replace("<head>", "<head>" + _PROBE).replace("</body>", _EXERCISE + "</body>"), encoding="utf-8"
    )
    shown = chromium("--dump-dom", (tmp_path / "probe.html").as_uri(), profile=tmp_path / "profile").stdout
    found = re.search(r"ANSWER(.*)END", shown)
    assert found is not None, shown[-2000:]
    answer = json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
    assert answer["problems"] == []
    assert answer["announced"] == "ascending"
    assert answer["descending"][0] == "alice"
    assert answer["ascending"][-1] == "alice"
    assert sorted(answer["ascending"]) == sorted(answer["before"])
    assert answer["found"] == ["carol"]
    assert answer["status"] == "1 of 6 students"


def test_the_policy_refuses_scripts_that_are_not_ours(site: Path, tmp_path: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    forged = text.replace("</main>", "<script>document.title = 'forged'</script></main>")
    (tmp_path / "forged.html").write_text(forged, encoding="utf-8")
    shown = chromium("--dump-dom", (tmp_path / "forged.html").as_uri(), profile=tmp_path / "profile")
    assert "<title>forged</title>" not in shown.stdout
    assert "aria-sort" in shown.stdout or "<button type=" in shown.stdout, "our own script still runs"


@pytest.mark.parametrize("page", ["index.html", f"submissions/alice.{TILING}.html"])
def test_a_page_prints(site: Path, tmp_path: Path, page: str) -> None:
    printed = tmp_path / "page.pdf"
    chromium(
        f"--print-to-pdf={printed}", "--no-pdf-header-footer", (site / page).as_uri(), profile=tmp_path / "profile"
    )
    content = printed.read_bytes()
    assert content.startswith(b"%PDF-")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 4


def test_both_themes_are_drawn(site: Path, tmp_path: Path) -> None:
    """The two pictures differ, and neither is blank."""
    pictures = []
    for theme in ("0", "1"):
        picture = tmp_path / f"theme-{theme}.png"
        chromium(
            f"--screenshot={picture}",
            f"--blink-settings=preferredColorScheme={theme}",
            "--window-size=1280,900",
            (site / "index.html").as_uri(),
            profile=tmp_path / "profile",
        )
        pictures.append(picture.read_bytes())
    assert pictures[0] != pictures[1]
    assert min(map(len, pictures)) > 20_000
