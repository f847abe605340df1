# SPDX-License-Identifier: GPL-3.0-or-later
"""The clicks of the tasks by a word, each with its effect; needs bpy.

Every press of the mouse counts, as do a menu or a panel that has to be opened first and a value that is typed.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import bpy

from . import task_scenes as scenes

# Frames in which Cloth comes to rest, before its shape is applied.
_SETTLED = 240


class Click(NamedTuple):
    """A press, and its effect on an object; panel: type of a panel that it opens, closed by default."""

    what: str
    does: Callable[[Any], object] = lambda obj: None
    panel: str = ""


def modifier(obj, kind="CLOTH"):
    """The object's modifier of a kind."""
    return next(m for m in obj.modifiers if m.type == kind)


def hooke(obj):
    """Settings of Hooke."""
    return obj.hooke


def cloth(obj):
    """Settings of Cloth."""
    return modifier(obj).settings


def setting(owner, name, value):
    """A function of an object that sets a value; owner: a function of the object."""
    return lambda obj: setattr(owner(obj), name, value)


def opened(what, panel):
    """The click that opens a panel."""
    return Click(f"open *{what}*", panel=panel)


def plain(*whats, last=None):
    """Clicks, of which the last has an effect."""
    clicks = [Click(what) for what in whats]
    return clicks if last is None else [*clicks[:-1], Click(whats[-1], last)]


def keyed(called, owner, name, frames, change):
    """Key a setting as it is at one frame, and changed at another."""

    def does(frame, change):
        def key(obj):
            setattr(owner(obj), name, change(getattr(owner(obj), name)))
            owner(obj).keyframe_insert(name, frame=frame)

        return key

    return [
        Click(f"go to frame {frames[0]}"),
        Click(f"key {called}", does(frames[0], lambda value: value)),
        Click(f"go to frame {frames[1]}"),
        Click(f"type {called}"),
        Click(f"key {called}", does(frames[1], change)),
    ]


def _pin_group(name):
    return [
        opened("Shape", "PHYSICS_PT_cloth_shape"),
        *plain("*Pin Group*", f"*{name}*", last=setting(cloth, "vertex_group_mass", name)),
    ]


def _wind(strength):
    whats = ("*Add*", "*Force Field*", "*Wind*", "type its rotation", "type its strength")
    return plain(*whats, last=lambda _obj: scenes.wind(strength))


def _select(name):
    return [Click(f"select the {name}", lambda _obj: scenes.stage.activate(bpy.data.objects[name]))]


def _settle(obj):
    """Play until it rests, and apply its shape."""
    for frame in range(1, _SETTLED + 1):
        bpy.context.scene.frame_set(frame)
    bpy.ops.object.modifier_apply(modifier=modifier(obj).name)
    bpy.context.scene.frame_set(1)


def _mixed(obj):
    """A Vertex Weight Mix before Cloth that sets weights to 0 as far as its Influence."""
    made = obj.modifiers.new("Let Go", "VERTEX_WEIGHT_MIX")
    obj.modifiers.move(len(obj.modifiers) - 1, 0)
    made.vertex_group_a, made.mix_set, made.mask_constant = "Pin", "ALL", 0.0


_RELEASED, _SOFTENED = (scenes.LET_GO - 1, scenes.LET_GO), (scenes.SOFT - 24, scenes.SOFT)
_MIX = ("the tab *Modifiers*", "*Add Modifier*", "*Edit*", "*Vertex Weight Mix*", "drag it above Cloth")
_MIX += ("*Vertex Group A*", "*Pin*", "*Vertex Set*", "*All*", "type *Global Influence*")

WORDS: dict[str, list[Click]] = {
    "play": [Click("play")],
    # Of Hooke.
    "hooke": [Click("the tab *Hooke*")],
    "add": [Click("**Add Hooke**", lambda _obj: bpy.ops.hooke.add())],
    "more": [opened("More", "HOOKE_PT_more")],
    "shape": [opened("Shape", "HOOKE_PT_shape")],
    "collider": [Click("**Make Collider**", lambda _obj: bpy.ops.hooke.make_collider())],
    "waist": plain("*Pin Group*", "*Waist*", last=setting(hooke, "pin_group", "Waist")),
    "jelly": plain("*Material*", "*Jelly*", last=lambda _obj: scenes.material_preset("Jelly")),
    "floor": [
        opened("Collisions", "HOOKE_PT_collisions"),
        Click("**Add Floor**", lambda _obj: bpy.ops.hooke.add_floor()),
    ],
    "keep-volume": [
        opened("Pressure", "HOOKE_PT_pressure"),
        Click("*Keep Volume*", setting(hooke, "keep_volume", True)),
    ],
    "let-go": keyed("*Pin Strength*", hooke, "pin_strength", _RELEASED, lambda _held: 0.0),
    "shrink": [Click("type *Size at Rest*", setting(hooke, "rest_scale", 0.7))],
    "sewing": [Click("*Sewing*", setting(hooke, "sewing", True))],
    "soften": keyed("*Stretch*", hooke, "stretch_stiffness", _SOFTENED, lambda k: k / scenes.SOFTER),
    "drape": [
        opened("Time and Start", "HOOKE_PT_time"),
        Click("**Drape**", lambda _obj: bpy.ops.hooke.drape()),
    ],
    "tearing": [opened("Tearing", "HOOKE_PT_tearing"), Click("*Tearing*", setting(hooke, "tearing", True))],
    # Of Cloth.
    "physics": [Click("the tab *Physics*")],
    "cloth": [Click("*Cloth*", lambda _obj: bpy.ops.object.modifier_add(type="CLOTH"))],
    "collision": [Click("*Collision*", lambda _obj: bpy.ops.object.modifier_add(type="COLLISION"))],
    "pin": _pin_group("Pin"),
    "cloth-waist": _pin_group("Waist"),
    "springs": [Click("*Internal Springs*", setting(cloth, "use_internal_springs", True))],
    "plane": [
        *plain("*Add*", "*Mesh*", "*Plane*", last=lambda _obj: scenes.plane()),
        Click("type its size"),
    ],
    "pressure": [
        Click("*Pressure*", setting(cloth, "use_pressure", True)),
        Click("type *Pressure Scale*", setting(cloth, "pressure_factor", 1000.0)),
    ],
    "cloth-let-go": [
        *plain(*_MIX, last=_mixed),
        *keyed(
            "*Global Influence*",
            lambda obj: modifier(obj, "VERTEX_WEIGHT_MIX"),
            "mask_constant",
            _RELEASED,
            lambda _held: 1.0,
        ),
    ],
    "cloth-shape": [opened("Shape", "PHYSICS_PT_cloth_shape")],
    "cloth-shrink": [Click("type *Shrinking Factor*", setting(cloth, "shrink_min", 0.3))],
    "sew": [Click("*Sew*", setting(cloth, "use_sewing_springs", True))],
    # Stretched, it is tension alone that counts.
    "cloth-soften": keyed("*Tension*", cloth, "tension_stiffness", _SOFTENED, lambda k: k / scenes.SOFTER),
    "apply": [
        *plain("stop", "the tab *Modifiers*", "the modifier's menu", "*Apply*", last=_settle),
        Click("go to the first frame"),
    ],
    # Of both. Cloth's 0.3 kg a vertex want more of the wind.
    "wind": _wind(50.0),
    "gale": _wind(5000.0),
    **{name: _select(name) for name in ("Body", "Sphere", "Post")},
}


def clicks(words):
    """The clicks of some words."""
    return [click for word in words.split() for click in WORDS[word]]


def count(clicks):
    """Number of clicks; raises ValueError where a panel that counts as closed is open by default."""
    for click in clicks:
        if click.panel and "DEFAULT_CLOSED" not in getattr(getattr(bpy.types, click.panel), "bl_options", ()):
            raise ValueError(f"{click.panel} is open by default: opening it is no click")
    return len(clicks)


def listed(clicks):
    """The clicks in words."""
    return " · ".join(click.what for click in clicks) or "none beside saving and opening"
