# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide's tables of settings and of materials, from the settings and the presets themselves; needs bpy."""

import re

from measuring.page import ROOT, table, write_block

from hooke.addon.sections import SECTIONS, shown

MATERIALS = ROOT / "docs" / "materials.md"
GUIDE = ROOT / "docs" / "guide.md"
PRESETS = ROOT / "addon" / "presets" / "hooke" / "material"
COLUMNS = {
    "stretch_stiffness": "Stretch [N/m]",
    "shear_stiffness": "Shear [N/m]",
    "bending_rigidity": "Bending [µN m]",
    "area_density": "Density [kg/m²]",
    "damping_ratio": "Damping",
    "line_stiffness": "Strands [N]",
    "line_density": "Strands [kg/m]",
    "breaking_strain": "Breaking Strain",
}


def run():
    """Write the tables."""
    for section in SECTIONS:
        if shown(section):
            write_block(f"settings-{section.id}", settings_table(section), page=GUIDE)
    write_block("materials", materials_table(), page=MATERIALS)


def settings_table(section):
    """The settings of a section with their descriptions and options on the command line, as a Markdown table."""
    rows = []
    for name in shown(section):
        option = section.option_names.get(name, f"--{name.replace('_', '-')}")
        told = section.properties[name].keywords
        rows.append([told["name"], told["description"], f"`{option}`" if option else "`--frames`"])
    return table(["Setting", "What it does", "Command line"], rows, right=False)


def materials_table():
    """Every preset with its values, and the comment on where they are from, as a Markdown table."""
    rows = []
    for path in sorted(PRESETS.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        values = dict(re.findall(r"^settings\.(\w+) = ([\d.]+)$", text, flags=re.MULTILINE))
        source = " ".join(line.removeprefix("# ") for line in text.splitlines()[1:] if line.startswith("#"))
        numbers = [f"{float(values[name]):g}" for name in COLUMNS]
        rows.append([path.stem.replace("_", " "), *numbers, source])
    return table(["Material", *COLUMNS.values(), "Where it is from"], rows, right=False)
