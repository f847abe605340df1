# SPDX-License-Identifier: GPL-3.0-or-later
"""How to add a setting, an effort and a section: what docs/architecture.md shows applies, and works."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.nightly
@pytest.mark.newest
@pytest.mark.parametrize("name", ["setting", "effort", "section"])
def test_an_addition_works_as_the_documentation_shows_it(name, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from lab import additions

    addition = additions.ADDITIONS[name]
    assert additions.block(addition) in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"), (
        "docs/architecture.md shows another addition: run `python3 scripts/dev.py lab additions`"
    )
    additions.tried(addition, additions.applied(addition, tmp_path))
