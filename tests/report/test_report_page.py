"""The HTML page: self-contained, and working in a real browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from patchgen.checks.registry import get
from patchgen.mail import read_series
from patchgen.report.document import Report, build_report, render

GOOD = Path(__file__).resolve().parents[1] / "series_rules" / "data" / "good"
CODE = "drivers/char/hw_random/acme-rng.c"
BROWSER = next((found for name in ("chromium", "chromium-browser", "google-chrome")
                if (found := shutil.which(name))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="chromium is not installed: "
                                   "apt-get install chromium")


def sample() -> Report:
    findings = [
        get("whitespace").finding("blanks at the end of the line", patch=2, file=CODE, line=30),
        get("spdx").finding("the SPDX line names no license", patch=2, file=CODE, line=1),
        get("cover-diffstat").finding("stale", patch=0, file="cover", line=3),
        get("series-length").finding("16 patches in one series"),
        get("blob-differs").finding("hash", patch=1,
                                    file="Documentation/devicetree/bindings/rng/acme,a100-rng.yaml"),
    ]
    return build_report("validate", read_series(GOOD), findings)


class Outline(HTMLParser):
    """Every attribute that could load something, and the tags that are open at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        loading = ("src", "href", "srcset", "action", "data")
        self.loads += [value or "" for name, value in attrs if name in loading]
        if tag not in ("meta", "input", "br", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag


def test_page_is_whole_and_loads_nothing() -> None:
    page = render(sample(), "html")
    outline = Outline()
    outline.feed(page)
    assert outline.open == []
    assert all(target.startswith("#mail-") for target in outline.loads)
    assert "default-src 'none'" in page
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|localStorage", page)


def test_findings_stand_in_the_diff_where_they_are() -> None:
    page = render(sample(), "html")
    rows = re.findall(r"<tr class=\"(\w+)\">(.*?)</tr>", page, re.DOTALL)
    at = next(n for n, (kind, text) in enumerate(rows)
              if kind == "remarks" and "blanks at the end of the line" in text)
    kind, before = rows[at - 1]
    assert kind == "add"
    numbers = re.findall(r"<td class=\"num\">(\d*)</td>", before)
    assert numbers == ["", "30"]


def browse(page: str, folder: Path, *options: str) -> str:
    """What the browser makes of the page."""
    (folder / "page.html").write_text(page, encoding="utf-8")
    done = subprocess.run(
        [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=2000", *options,
         f"file://{folder / 'page.html'}"],
        capture_output=True, text=True, check=True, timeout=180, cwd=folder)
    return done.stdout


PROBE = """<script>
const count = () => [...document.querySelectorAll(".finding")].filter((f) => !f.hidden
  && !f.closest("[hidden]")).length;
const fire = () => {
  document.getElementById("filters").dispatchEvent(new Event("input")); return count(); };
const set = (id, value) => { const e = document.getElementById(id);
  if (e.type === "checkbox") e.checked = value; else e.value = value; return fire(); };
const box = (severity, value) => {
  document.querySelector(`[data-filter=${severity}]`).checked = value; return fire(); };
const results = [count(), box("error", false), box("error", true), set("check", "spdx"),
  set("check", ""), set("words", "stale"), set("words", ""), set("only", true)];
results.push([...document.querySelectorAll("details.file")].filter((f) => f.hidden).length);
const before = getComputedStyle(document.body).backgroundColor;
document.getElementById("theme").click();
results.push(before !== getComputedStyle(document.body).backgroundColor);
document.title = "RESULTS " + JSON.stringify(results);
</script></body>"""


@needs_browser
@pytest.mark.slow
def test_filters_and_theme_work_in_a_browser(tmp_path: Path) -> None:
    page = render(sample(), "html").replace("</body>", PROBE)
    title = re.search(r"<title>RESULTS (\[.*?\])</title>", browse(page, tmp_path, "--dump-dom"))
    assert title is not None
    assert title[1] == "[5,3,5,1,5,1,5,5,3,true]"


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize(("theme", "light"), [("light", True), ("dark", False)])
def test_screenshot_shows_the_page(tmp_path: Path, theme: str, light: bool) -> None:
    from PIL import Image

    page = render(sample(), "html").replace("<html ", f'<html data-theme="{theme}" ')
    browse(page, tmp_path, f"--screenshot={tmp_path / 'shot.png'}", "--window-size=1200,1600")
    with Image.open(tmp_path / "shot.png") as image:
        assert image.size == (1200, 1600)
        shades = image.convert("RGB").getcolors(maxcolors=1 << 20)
    assert shades is not None
    count, most = max(shades)
    assert (sum(most) > 600) is light
    assert count > 0.3 * 1200 * 1600
    greens = sum(n for n, (r, g, b) in shades if g > r + 10 and g > b + 10)
    assert greens > 5000  # added lines
    assert len(shades) > 50  # text
