# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel says before a bake is true of it, and fits."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from hooke.addon import wrapped_text

from .panel_rows import drawn
from .scenes import add_hooke, baked_keys, grid, mesh_object


@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "PRINCIPAL_SHAPES", "MESH_CACHE"])
def test_what_a_bake_costs_is_said_before_it_is_made(mode, scene):
    obj = add_hooke(grid(side=51), bake_mode=mode, bake_step=5, frame_end=60)
    words = {
        # 13 of 60 frames; 12 bytes a vertex.
        "SHAPE_KEYS": "13 keys, 0.4 MB",
        "PRINCIPAL_SHAPES": "under 60 keys, 2 MB",
        "MESH_CACHE": "a file of 2 MB",
    }
    assert words[mode] in [what for kind, what, _ in drawn() if kind == "label"]
    assert obj.hooke.bake.exists is False


@pytest.mark.parametrize(
    ("frame_end", "words"),
    [
        # 834 vertices of 12 bytes: 1,000 poses are 10.0 MB.
        (999, "Shape Keys: 999 keys, 10 MB"),
        (1000, "Mesh Cache: a file of 10 MB"),
    ],
)
def test_a_heavy_range_is_baked_to_a_file(frame_end, words, scene):
    obj = add_hooke(mesh_object(np.arange(3 * 834).reshape(-1, 3), edges=[(0, 1)]), frame_end=frame_end)
    assert obj.hooke.bake_mode == "AUTOMATIC"
    assert words in [what for kind, what, _ in drawn() if kind == "label"]


@pytest.mark.parametrize("heavy", [False, True])
def test_what_a_bake_was_said_to_cost_is_what_it_costs(heavy, scene, monkeypatch):
    obj = add_hooke(grid(), frame_end=12)
    if heavy:
        # What it may not have leaves the file.
        obj.shape_key_add(name="Basis")
        obj.data.shape_keys.use_relative = False
    (said,) = (what for kind, what, _ in drawn() if kind == "label" and "MB" in what)
    bpy.ops.hooke.bake()
    record = obj.hooke.bake
    if heavy:
        assert said == "Mesh Cache: a file of 0.004 MB" and record.mode == "MESH_CACHE"
        # A header of 32 bytes, 12 frames of 25 vertices.
        assert Path(record.cache_file).stat().st_size == 32 + 12 * 25 * 12
    else:
        assert said == "Shape Keys: 12 keys, 0.004 MB" and record.mode == "SHAPE_KEYS"
        assert len(baked_keys(obj)) == 12


@pytest.mark.parametrize("mode", ["SHAPE_KEYS", "MESH_CACHE"])
def test_what_a_bake_came_to_is_said_in_words_that_people_read(mode, scene):
    obj = add_hooke(grid(), frame_end=12)
    bpy.ops.hooke.bake(mode=mode)
    said = " ".join(what for kind, what, _ in drawn() if kind == "label")
    record = obj.hooke.bake
    if mode == "MESH_CACHE":
        # A label has no room for a path.
        assert f"frames 1–12 to {Path(record.cache_file).name}" in said and record.cache_file not in said
    else:
        # A key a frame is one rounding off, of coordinates of a metre.
        assert record.largest_error < 1e-6 and "to 12 shape keys, exact to 0.001 mm" in said
        record.largest_error = 0.00215
        assert "largest error 2.15 mm" in " ".join(what for kind, what, _ in drawn() if kind == "label")


def test_lines_keep_the_words_and_fit():
    text = "Stretched by 31 %, more than it bears: raise Quality, or Stretch · frame 12 · 5 ms"
    lines = wrapped_text.wrapped(text)
    assert " ".join(lines) == text and len(lines) > 2
    assert all(wrapped_text.text_length(line) <= wrapped_text.line_width() for line in lines)
    cut = wrapped_text.wrapped(text, 2)
    assert cut[0] == lines[0] and cut[1].endswith(" …") and len(cut) == 2
    assert all(wrapped_text.text_length(line) <= wrapped_text.line_width() for line in cut)
