# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that run the course's texts and make the documentation site."""

from __future__ import annotations

from pathlib import Path

from environments import ROOT

# The environment variable that tells the site where the course's pages are.
COURSE = "HOOKE_COURSE"
# And where the .blend files of the examples are; without it the site has none.
EXAMPLES = "HOOKE_EXAMPLE_FILES"


def course_words(output: Path) -> list[str]:
    """The words after `python` that run the course's texts and write their pages into a folder."""
    return [str(ROOT / "scripts" / "course.py"), f"--output={output}"]


def site_words(output: Path) -> list[str]:
    """The words after `python -m` that make the documentation site in a folder; warnings are errors."""
    config = ROOT / "scripts" / "documentation" / "mkdocs.yml"
    return ["mkdocs", "build", "--strict", "--quiet", f"--config-file={config}", f"--site-dir={output}"]
