# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide tells the settings and materials as they are."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_guide_has_every_setting_and_material(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(ROOT / "scripts"), *sys.path])
    from lab import settings

    guide = "".join(
        (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("guide.md", "materials.md")
    )
    tables = [settings.settings_table(section) for section in settings.SECTIONS if settings.shown(section)]
    for table in (*tables, settings.materials_table()):
        assert table in guide, (
            "docs/guide.md or materials.md differs from the settings: run `python3 scripts/dev.py lab settings`"
        )
        assert table.count("\n") > 1
