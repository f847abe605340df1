# SPDX-License-Identifier: GPL-3.0-or-later
"""The site's reference of the core: what `core` exports and the methods of its catalogues, by their docstrings."""

import ast
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
BEGIN = """# Reference

All that `from hooke.core import …` offers, from its docstrings. Units are SI, and coordinates are world coordinates.
[The course](course.md) and [integrators](integrators.md) show it in use.
"""
# Headings of the page, and the names of the core below each.
ROOMS = {
    "Simulation": ("Simulation", "State", "Together", "Member", "Effort", "SimulationDiverged"),
    "Networks and materials": (
        "SpringNetwork",
        "Material",
        "Plasticity",
        "Yield",
        "Sewing",
        "Pleating",
        "Inside",
        "Jiggle",
        "at_rest",
    ),
    "Bodies": ("Body", "Cloth", "Solid"),
    "Forces": ("AirDrag", "Settling", "Wind"),
    "Contacts": (
        "Contact",
        "Plane",
        "Sphere",
        "Box",
        "Capsule",
        "RigidMesh",
        "DeformingMesh",
        "SelfCollision",
    ),
    "Changes in time": ("Attachment", "ChangingPins"),
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page; mkdocstrings fills it in."""
    files.append(File.generated(config, "reference.md", content=page()))
    return files


def page() -> str:
    """The page, with a line for mkdocstrings for each class; raises ValueError for a name that no heading has."""
    places = _exported("core")
    named = [name for names in ROOMS.values() for name in names]
    missing = [name for name in places if name not in named and not name.isupper()]
    if missing:
        raise ValueError(f"reference.py has no heading for {', '.join(missing)}: add them to ROOMS")
    parts = [BEGIN]
    for heading, names in ROOMS.items():
        parts.append(f"## {heading}\n")
        parts += [f"::: {places[name]}\n" for name in names]
    methods = _exported("core/integrators")
    parts.append("## Integrators\n")
    parts += [f"::: {place}\n" for place in methods.values()]
    return "\n".join(parts)


def _exported(folder: str) -> dict[str, str]:
    """Names that the __init__ of a folder imports from within it, and where griffe finds each."""
    package = folder.replace("/", ".")
    tree = ast.parse((ROOT / folder / "__init__.py").read_text(encoding="utf-8"))
    return {
        alias.name: f"{package}.{node.module}.{alias.name}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names
    }
