# SPDX-License-Identifier: GPL-3.0-or-later
"""What is changed most comes first, a status says no more than it has to, and remarks can be put away."""

import re

import bpy

from hooke.addon import panels, readout
from hooke.addon.readout import dismissed_remarks

from .panel_rows import drawn
from .scenes import add_hooke, grid, play

FRAMES = range(1, 13)


def labels(rows):
    """The lines of the status, which stand last, below what a bake will take."""
    last = max(place for place, (_, what, _) in enumerate(rows) if what.startswith("Shape Keys: "))
    return [what for kind, what, _ in rows[last + 1 :] if kind == "label"]


def test_the_status_has_two_lines_and_grows_with_what_it_has_to_say(scene):
    obj = add_hooke(grid())
    assert len(labels(drawn())) == 2
    play(obj, FRAMES)
    assert len(labels(drawn())) == 2
    obj.hooke.pin_group = ""
    play(obj, FRAMES)
    said = labels(drawn())
    # All of a sentence is there.
    assert len(said) > 3 and " ".join(said).endswith("choose it as Pin Group")


def test_what_is_changed_most_comes_first():
    panels_ = [getattr(bpy.types, name) for name in dir(bpy.types) if name.startswith("HOOKE_PT_")]
    below = {panel.__name__ for panel in panels_ if getattr(panel, "bl_parent_id", "") == "HOOKE_PT_main"}
    first = {f"HOOKE_PT_{name}" for name in panels.FIRST}
    assert below == first | {"HOOKE_PT_pre_flight", "HOOKE_PT_more", "HOOKE_PT_remove"}
    more = [panel for panel in panels_ if getattr(panel, "bl_parent_id", "") == "HOOKE_PT_more"]
    assert {"Maps", "Diagnostics", "Time and Start"} <= {panel.bl_label for panel in more}


def test_no_name_stands_twice(scene):
    add_hooke(grid())
    said = [what for kind, what, _ in drawn() if kind == "label"]
    heads = [
        getattr(bpy.types, name).bl_label for name in dir(bpy.types) if re.match("HOOKE_PT_(?!physics)", name)
    ]
    assert not set(said) & set(heads)


def test_a_remark_is_made_until_it_is_put_away(scene):
    obj = add_hooke(grid(pins={}), effort="CONVERGED")
    play(obj, FRAMES)
    told = readout.report(obj)
    assert told.complaints[0].text.startswith("Falls freely") and told.icon == "INFO"
    assert any(what == "hooke.put_away" for _, what, _ in drawn())
    assert bpy.ops.hooke.put_away(key=dismissed_remarks.key(told.complaints[0])) == {"FINISHED"}
    assert readout.report(obj).icon == "CHECKMARK"
    # Faults stay.
    scene.sync_mode = "FRAME_DROP"
    assert not any(what == "hooke.put_away" for _, what, _ in drawn())
    scene.sync_mode = "NONE"
    bpy.ops.hooke.reset()
    play(obj, FRAMES)
    assert readout.report(obj).icon == "INFO"
