# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide tells the settings and materials as they are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_guide_has_every_setting_and_material(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from lab import settings

    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    for table in (settings.settings_table(), settings.materials_table()):
        assert table in guide, (
            "docs/guide.md is not as the settings are: run `python3 scripts/dev.py lab settings`"
        )
        assert table.count("\n") > 8
