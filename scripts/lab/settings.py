# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide's table of settings, from the settings themselves; needs bpy."""

from measuring.page import ROOT, table, write_block

from hooke.addon.sections import SECTIONS, shown

GUIDE = ROOT / "docs" / "guide.md"


def run():
    """Write the table."""
    write_block("settings", settings_table(), page=GUIDE)


def settings_table():
    """Every setting with its description and its option on the command line, as a Markdown table."""
    rows = []
    for section in SECTIONS:
        rows.append([f"**{section.label}**", "", ""])
        for name in shown(section):
            option = section.option_names.get(name, f"--{name.replace('_', '-')}")
            told = section.properties[name].keywords
            rows.append([told["name"], told["description"], f"`{option}`" if option else "`--frames`"])
    return table(["Setting", "", "Command line"], rows, right=False)
