# SPDX-License-Identifier: GPL-3.0-or-later
"""What MkDocs asks of the site: the pages that lie beside docs/, the README as the first of them."""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
# Where each page beside docs/ is in the site; the licence is no page.
BESIDE = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
LINK = re.compile(r"\]\(([^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages beside docs/, their links as they are from within it."""
    for name, page in BESIDE.items():
        text = LINK.sub(_within, (ROOT / name).read_text(encoding="utf-8"))
        files.append(File.generated(config, page, content=text))
    files.append(
        File.generated(config, "LICENSE.txt", content=(ROOT / "LICENSE").read_text(encoding="utf-8"))
    )
    return files


def on_page_markdown(markdown: str, **_) -> str:
    """Lead links of docs/ to the pages beside it to where those are in the site."""
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
