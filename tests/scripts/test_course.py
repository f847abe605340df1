# SPDX-License-Identifier: GPL-3.0-or-later
"""The course's texts are on its page and in the site's order, and are cut into cells; `dev.py site` runs them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXTS = sorted(path.stem for path in (ROOT / "docs" / "course").glob("*.py"))


def test_every_text_is_on_the_page_with_a_picture_and_in_the_site():
    page = (ROOT / "docs" / "course.md").read_text(encoding="utf-8")
    places = (ROOT / "scripts" / "documentation" / "mkdocs.yml").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\(course/(\w+)\.py\)", page)) == TEXTS
    assert sorted(re.findall(r"pictures/course-(\w+)\.png", page)) == TEXTS
    assert sorted(re.findall(r"course/(\w+)\.md", places)) == TEXTS


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_begins_with_its_title_and_asserts_a_law(name):
    text = (ROOT / "docs" / "course" / f"{name}.py").read_text(encoding="utf-8")
    assert text.splitlines()[1:3][0] == "# %% [markdown]"
    assert text.splitlines()[2].startswith("# # ")
    assert "\nassert " in text or "\n    assert " in text
