# SPDX-License-Identifier: GPL-3.0-or-later
"""Every link, anchor and picture of the documentation leads to something, as it is read on the repository's pages."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
]
LINK = re.compile(r"\]\(([^)\s]+)\)")


def text(page):
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """Anchors of a page's headings, of which the second of a name has a number."""
    found: list[str] = []
    for heading in re.findall(r"^#+ (.*)$", text(page), flags=re.MULTILINE):
        name = re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())
        found.append(name if name not in found else f"{name}-{found.count(name)}")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    dead = []
    for link in LINK.findall(text(page)):
        if "://" in link:
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            dead.append(link)
    assert not dead


def test_every_picture_is_shown_somewhere():
    shown = {Path(link).name for page in PAGES for link in LINK.findall(text(page))}
    there = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    assert not there - shown


def test_every_page_has_a_place_in_the_site():
    places = (ROOT / "scripts" / "documentation" / "mkdocs.yml").read_text(encoding="utf-8")
    for page in sorted((ROOT / "docs").glob("*.md")):
        assert f": {page.name}\n" in places, page.name
