# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide tells the settings as they are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_guide_has_every_setting(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from lab import settings

    table = settings.settings_table()
    assert table in (ROOT / "docs" / "guide.md").read_text(encoding="utf-8"), (
        "docs/guide.md is not as the settings are: run `python3 scripts/dev.py lab settings`"
    )
    assert table.count("\n") > 25
