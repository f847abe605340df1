# SPDX-License-Identifier: GPL-3.0-or-later
"""Adding to the settings: each addition applied to a copy of the checkout, and tried there; needs bpy."""

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from measuring.page import ROOT, write_block

ARCHITECTURE = ROOT / "docs" / "architecture.md"
ROOMS = ("addon", "core", "docs", "scripts", "tests")
UNCHANGED_TESTS = ("tests/addon/test_sections.py", "tests/addon/test_guide.py")


@dataclass(frozen=True)
class Addition:
    """Files by path, lines that go before others by path and line, and lines in place of others likewise.

    check: Python that raises where the addition does not work; it runs where Hooke is registered and `obj` is a sheet.
    """

    check: str
    files: dict[str, str] = field(default_factory=dict)
    before: dict[str, dict[str, str]] = field(default_factory=dict)
    instead: dict[str, dict[str, str]] = field(default_factory=dict)

    def changes(self):
        """Path -> text before ("" for a new file) and after.

        Raises ValueError where a line is not found.
        """
        texts = {path: ("", text) for path, text in self.files.items()}
        for path in {**self.before, **self.instead}:
            old = new = (ROOT / path).read_text(encoding="utf-8")
            for line, added in self.before.get(path, {}).items():
                new = _replaced(path, new, line, added + line)
            for line, other in self.instead.get(path, {}).items():
                new = _replaced(path, new, line, other)
            texts[path] = old, new
        return texts


ADDITIONS = {
    "setting": Addition(
        check="""
assert "pin_share" in sections.inputs()
obj.hooke.pin_share = 0.5
assert network(obj).pins.max() == 0.5
""",
        before={
            "addon/sections/pins.py": {
                "    pin_stiffness: FloatProperty(\n": """\
    pin_share: FloatProperty(
        name="Pin Share",
        description="Factor of all pin weights: below 1 even what is pinned hard gives",
        default=1.0,
        min=0.0,
        max=1.0,
    )
""",
                '        draw_quantity(layout, obj.hooke, "pin_stiffness"': (
                    '        layout.prop(obj.hooke, "pin_share")\n'
                ),
            }
        },
        instead={
            "addon/sections/pins.py": {
                '{"pins": maps["pin_group"], ': '{"pins": settings.pin_share * maps["pin_group"], '
            }
        },
    ),
    "effort": Addition(
        check="""
obj.hooke.effort = "PREVIEW"
assert (obj.hooke.effort, obj.hooke.substeps, obj.hooke.iterations) == ("PREVIEW", 2, 1)
""",
        instead={
            "core/effort.py": {
                "EFFORTS = {\n": (
                    "EFFORTS = {\n"
                    '    "PREVIEW": Effort("Preview", "For a first look", substeps=2, iterations=1),\n'
                )
            }
        },
    ),
    "section": Addition(
        check="""
obj.vertex_groups.new(name="Wet").add([7], 0.5, "REPLACE")
dry = network(obj).masses
obj.hooke.wet_group = "Wet"
assert abs(network(obj).masses[7] / dry[7] - 1.5) < 1e-12
assert bpy.types.HOOKE_PT_wetness.bl_label == "Wetness"
""",
        files={
            "addon/sections/wetness.py": '''\
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the object is wet."""

from dataclasses import replace

from bpy.props import StringProperty

from .section import Section


class Wetness(Section):
    """A painted map of water, which makes the material heavier."""

    id = "wetness"
    label = "Wetness"
    maps = ("wet_group",)

    wet_group: StringProperty(
        name="Wet Group", description="Vertex group of what is wet: at weight 1 it is twice as heavy"
    )

    def draw(self, layout, obj):
        """Draw the choice of the group."""
        layout.prop_search(obj.hooke, "wet_group", obj, "vertex_groups")

    def network_arguments(self, settings, maps, before):
        """The material with its density painted."""
        if "material" not in before:
            return {}
        density = before["material"].area_density * (1.0 + maps["wet_group"])
        return {"material": replace(before["material"], area_density=density)}
'''
        },
        before={
            "addon/sections/catalogue.py": {
                "\n# In the order of the panels": "from .wetness import Wetness\n",
                "    Solver(),\n": "    Wetness(),\n",
            }
        },
    ),
}

_PREPARE = """
import sys
import bpy
import hooke

bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
hooke.register()
from hooke.addon import mesh_io, sections
from tests.addon.scenes import add_hooke, grid

def network(obj):
    points = mesh_io.read_positions(obj.data).astype(float)
    edges, polygons = mesh_io.read_edges(obj.data), mesh_io.read_polygons(obj.data)
    return sections.body(obj, points, edges, polygons, sections.read_maps(obj)).network

obj = add_hooke(grid())
"""
_LEAVE = """
import os
os._exit(0)
"""


def run():
    """Apply every addition to a copy, try it there, run the settings' tests unchanged, and write the differences."""
    for name, addition in ADDITIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            copy = applied(addition, Path(folder))
            tried(addition, copy)
            _python(copy, "scripts/lab", "settings")
            _python(copy, "-m", "pytest", "-q", *UNCHANGED_TESTS)
        write_block(f"adding-{name}", block(addition), page=ARCHITECTURE)


def block(addition):
    """An addition as a unified diff in Markdown."""
    parts = []
    for path, (old, new) in addition.changes().items():
        lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
        parts += difflib.unified_diff(*lines, f"a/{path}" if old else "/dev/null", f"b/{path}", n=0)
    # Without the numbers of lines, which change with every other edit.
    return "```diff\n" + re.sub("^@@.*$", "@@", "".join(parts), flags=re.MULTILINE) + "```"


def applied(addition, folder):
    """A copy of the checkout in a folder, with an addition; returns its path."""
    copy = folder / "hooke"
    ignored = shutil.ignore_patterns("__pycache__", "pictures")
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=ignored)
    for name in ("__init__.py", "blender_manifest.toml", "pyproject.toml"):
        shutil.copy(ROOT / name, copy / name)
    for path, (_, new) in addition.changes().items():
        (copy / path).write_text(new, encoding="utf-8")
    return copy


def tried(addition, copy):
    """Run an addition's check in its copy; raises CalledProcessError where it fails."""
    _python(copy, "-c", _PREPARE + addition.check + _LEAVE)


def _python(copy, *words):
    environment = {**os.environ, "PYTHONPATH": str(copy.parent)}
    subprocess.run([sys.executable, *words], cwd=copy, env=environment, check=True)


def _replaced(path, text, line, new):
    if text.count(line) != 1:
        raise ValueError(f"{path} has {text.count(line)} times {line.strip()!r}: update ADDITIONS in the lab")
    return text.replace(line, new)
