# SPDX-License-Identifier: GPL-3.0-or-later
"""Shape keys that move what hangs by its pins."""

from hooke.addon.readout import before_flight

from .scenes import add_hooke, grid, play
from .test_ticks import FRAMES, WELL, shape_key, told


def test_a_shape_key_that_gathers_a_curtain_by_its_pins_is_told_in_the_pre_flight_alone(scene):
    obj = add_hooke(grid(), **WELL)
    gathered = {v.index: (0.9 * v.co.x, v.co.y, v.co.z) for v in obj.data.vertices}
    shape_key(obj, "Gather", gathered)
    play(obj, FRAMES)
    assert told(obj) == ("CHECKMARK", [])
    (finding,) = before_flight.look(obj, scene)
    assert finding.complaint.icon == "INFO"
    assert finding.complaint.text.startswith("Shape key 'Gather' moves the pins")
