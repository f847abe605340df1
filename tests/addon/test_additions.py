# SPDX-License-Identifier: GPL-3.0-or-later
"""How to add a setting, an effort and a section: what docs/adding.md shows applies, and works."""

import pytest

from ..additions import applied, changed, run, shown

# What raises where an addition does not work, of a sheet `obj`.
CHECKS = {
    "setting": """
assert "pin_share" in sections.inputs()
obj.hooke.pin_share = 0.5
assert network(obj).pins.max() == 0.5
""",
    "effort": """
obj.hooke.effort = "PREVIEW"
assert (obj.hooke.effort, obj.hooke.substeps, obj.hooke.iterations) == ("PREVIEW", 2, 1)
""",
    "section": """
obj.vertex_groups.new(name="Wet").add([7], 0.5, "REPLACE")
dry = network(obj).masses
obj.hooke.wet_group = "Wet"
assert abs(network(obj).masses[7] / dry[7] - 1.5) < 1e-12
assert bpy.types.HOOKE_PT_wetness.bl_label == "Wetness"
""",
}
PREPARE = """
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
# The bpy module may wait for its own threads at interpreter exit: leave at once.
LEAVE = """
import os
os._exit(0)
"""


@pytest.mark.parametrize("name", CHECKS)
def test_what_the_page_shows_applies(name):
    diff = shown(name)
    assert diff
    for path, hunks in diff.items():
        compile(changed(path, hunks), path, "exec")


@pytest.mark.nightly
@pytest.mark.parametrize("name", CHECKS)
def test_an_addition_works_as_the_page_shows_it(name, tmp_path):
    copy = applied([name], tmp_path)
    run(copy, "-c", PREPARE + CHECKS[name] + LEAVE)
    # The settings' own tests, unchanged, with the guide's table made anew.
    run(copy, "scripts/measuring", "lab", "settings")
    run(copy, "-m", "pytest", "-q", "tests/addon/test_sections.py", "tests/addon/test_guide.py")
