# SPDX-License-Identifier: GPL-3.0-or-later
"""What MkDocs asks of the site: the pages that lie beside docs/, the README as the first of them, and wide tables."""

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
# Where each page beside docs/ is in the site; the licence is no page.
BESIDE = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
# The theme lets no cell wrap: tables of sentences would be cut at the page's edge.
TABLES = """
.wy-nav-content { max-width: 1000px; }
.rst-content .wy-table-responsive table td, .rst-content .wy-table-responsive table th { white-space: normal; }
.rst-content .wy-table-responsive table td code { white-space: nowrap; }
"""
SCRIPT = re.compile(r"\]\(course/(\w+)\.py\)")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages beside docs/, their links as they are from within it, and how tables look."""
    for name, page in BESIDE.items():
        text = LINK.sub(_within, (ROOT / name).read_text(encoding="utf-8"))
        files.append(File.generated(config, page, content=text))
    files.append(File.generated(config, "tables.css", content=TABLES))
    for path in sorted(course().iterdir()):
        files.append(File.generated(config, f"course/{path.name}", abs_src_path=str(path)))
    for path in examples():
        files.append(File.generated(config, f"examples/{path.name}", abs_src_path=str(path)))
    files.append(
        File.generated(config, "LICENSE.txt", content=(ROOT / "LICENSE").read_text(encoding="utf-8"))
    )
    return files


def course() -> Path:
    """The folder with the pages and pictures of the course's texts, which `dev.py site` has run; else an error."""
    folder = os.environ.get("HOOKE_COURSE")
    if not folder:
        raise PluginError("HOOKE_COURSE names no folder: make the site with `python3 scripts/dev.py site`")
    return Path(folder)


def examples() -> list[Path]:
    """The examples' .blend files, which `dev.py site` has made; none where the environment names no folder."""
    folder = os.environ.get("HOOKE_EXAMPLE_FILES")
    return sorted(Path(folder).glob("*.blend")) if folder else []


def on_page_markdown(markdown: str, page: Page, **_) -> str:
    """Lead links of docs/ to where the pages beside it, and the course's texts with their output, are in the site."""
    if page.file.src_uri == "course.md":
        markdown = SCRIPT.sub(r"](course/\1.md)", markdown)
    if page.file.src_uri == "examples.md":
        for path in examples():
            markdown = markdown.replace(f"`{path.name}`", f"[{path.name}](examples/{path.name})")
    return LINK.sub(lambda link: _within(link, "../"), markdown)


def on_template_context(context: dict, template_name: str, config: MkDocsConfig) -> dict:
    """Lead from 404.html as from other pages, all in one folder, where nobody said where that is served."""
    if template_name == "404.html" and not config.site_url:
        context["base_url"] = "."
    return context


def _within(link: re.Match, begin: str = "") -> str:
    target = link[1]
    if begin and not target.startswith(begin):
        return link[0]
    target, mark, anchor = target.removeprefix(begin).removeprefix("docs/").partition("#")
    return f"]({ {'LICENSE': 'LICENSE.txt'}.get(target, BESIDE.get(target, target)) }{mark}{anchor})"
