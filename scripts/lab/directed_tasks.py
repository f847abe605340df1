# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks of an artist who directs cloth: press, let go, shrink, sew, soften, drape and tear; needs bpy."""

import bpy

from . import directed_scenes as directed
from .clicks import Click
from .task_clicks import (
    ADD,
    CLOTH,
    COLLIDER,
    COLLISION,
    HOOKE,
    MORE,
    PHYSICS,
    PLAY,
    Task,
    cloth_group,
    modifier,
    select,
    setting,
)
from .task_scenes import sheet

# Frames in which Cloth comes to rest, before what it is then is applied.
_SETTLED = 240
_SHAPE = Click("open *Shape*", panel="HOOKE_PT_shape")
_CLOTH_SHAPE = Click("open *Shape*", panel="PHYSICS_PT_cloth_shape")


def of_hooke(obj):
    """Settings of Hooke."""
    return obj.hooke


def of_cloth(obj):
    """Settings of Cloth."""
    return modifier(obj).settings


def weights(obj):
    """The modifier that changes weights."""
    return modifier(obj, "VERTEX_WEIGHT_MIX")


def keyed(called, owner, names, frames, values):
    """Key a setting at two frames; owner: a function of the object; names: of what is keyed, each called as told.

    values: at both frames, called with what the setting has.
    """

    def does(frame, change):
        def key(obj):
            for name in names:
                setattr(owner(obj), name, change(getattr(owner(obj), name)))
                owner(obj).keyframe_insert(name, frame=frame)

        return key

    clicks = []
    for frame, change in zip(frames, values, strict=True):
        clicks.append(Click(f"go to frame {frame}"))
        if change is not None:
            clicks += [Click(f"type {each}") for each in called]
        clicks += [Click(f"key {each}") for each in called[:-1]]
        clicks.append(Click(f"key {called[-1]}", does(frame, change or (lambda value: value))))
    return clicks


def _settle(obj):
    """Play until it rests, and apply what it is then."""
    for frame in range(1, _SETTLED + 1):
        bpy.context.scene.frame_set(frame)
    bpy.ops.object.modifier_apply(modifier=modifier(obj).name)
    bpy.context.scene.frame_set(1)


def _mixed(obj):
    """A Vertex Weight Mix before Cloth that sets weights to 0 as far as its Influence."""
    made = obj.modifiers.new("Let Go", "VERTEX_WEIGHT_MIX")
    obj.modifiers.move(len(obj.modifiers) - 1, 0)
    made.vertex_group_a, made.mix_set, made.mask_constant = "Pin", "ALL", 0.0


_RELEASED = directed.LET_GO - 1, directed.LET_GO
_SOFTENED = directed.SOFT - 24, directed.SOFT

DIRECTED = [
    Task(
        "A cushion that is pressed",
        directed.cushion,
        96,
        directed.judge_cushion,
        [
            HOOKE,
            ADD,
            MORE,
            Click("open *Pressure*", panel="HOOKE_PT_pressure"),
            Click("*Keep Volume*", setting(of_hooke, "keep_volume", True)),
            PLAY,
        ],
        [
            PHYSICS,
            CLOTH,
            Click("*Pressure*", setting(of_cloth, "use_pressure", True)),
            Click("type *Pressure Scale*", setting(of_cloth, "pressure_factor", 1000.0)),
            PLAY,
        ],
    ),
    Task(
        "Let a banner go",
        directed.banner,
        directed.LET_GO + 6,
        directed.judge_release,
        [
            HOOKE,
            ADD,
            *keyed(["*Pin Strength*"], of_hooke, ["pin_strength"], _RELEASED, (None, lambda _held: 0.0)),
            PLAY,
        ],
        [
            PHYSICS,
            CLOTH,
            *cloth_group("Pin"),
            Click("the tab *Modifiers*"),
            Click("*Add Modifier*"),
            Click("*Edit*"),
            Click("*Vertex Weight Mix*"),
            Click("drag it above Cloth"),
            Click("*Vertex Group A*"),
            Click("*Pin*"),
            Click("*Vertex Set*"),
            Click("*All*"),
            Click("type *Global Influence*", _mixed),
            *keyed(["*Global Influence*"], weights, ["mask_constant"], _RELEASED, (None, lambda _held: 1.0)),
            PLAY,
        ],
    ),
    Task(
        "Shrink a band onto a post",
        directed.band,
        72,
        directed.judge_band,
        [
            HOOKE,
            ADD,
            _SHAPE,
            Click("type *Size at Rest*", setting(of_hooke, "rest_scale", 0.7)),
            select("Post"),
            COLLIDER,
            PLAY,
        ],
        [
            PHYSICS,
            CLOTH,
            _CLOTH_SHAPE,
            Click("type *Shrinking Factor*", setting(of_cloth, "shrink_min", 0.3)),
            select("Post"),
            COLLISION,
            PLAY,
        ],
    ),
    Task(
        "Sew two panels",
        directed.panels,
        72,
        directed.judge_seams,
        [HOOKE, ADD, _SHAPE, Click("*Sewing*", setting(of_hooke, "sewing", True)), PLAY],
        [PHYSICS, CLOTH, _CLOTH_SHAPE, Click("*Sew*", setting(of_cloth, "use_sewing_springs", True)), PLAY],
    ),
    Task(
        "Soften a banner by keys",
        directed.banner,
        168,
        directed.judge_softened,
        [
            HOOKE,
            ADD,
            *keyed(
                ["*Stretch*"],
                of_hooke,
                ["stretch_stiffness"],
                _SOFTENED,
                (None, lambda k: k / directed.SOFTER),
            ),
            PLAY,
        ],
        [
            PHYSICS,
            CLOTH,
            *cloth_group("Pin"),
            # Stretched, it is tension alone that counts.
            *keyed(
                ["*Tension*"],
                of_cloth,
                ["tension_stiffness"],
                _SOFTENED,
                (None, lambda k: k / directed.SOFTER),
            ),
            PLAY,
        ],
    ),
    Task(
        "Begin draped",
        sheet,
        72,
        directed.judge_draped,
        [
            HOOKE,
            ADD,
            MORE,
            Click("open *Time and Start*", panel="HOOKE_PT_time"),
            Click("**Drape**", lambda _obj: bpy.ops.hooke.drape()),
            PLAY,
        ],
        [
            PHYSICS,
            CLOTH,
            *cloth_group("Pin"),
            PLAY,
            Click("stop"),
            Click("the tab *Modifiers*"),
            Click("the modifier's menu"),
            Click("*Apply*", _settle),
            Click("go to the first frame"),
            PHYSICS,
            CLOTH,
            *cloth_group("Pin"),
            PLAY,
        ],
    ),
    Task(
        "Tear a cloth in two",
        directed.pulled,
        100,
        directed.judge_torn,
        [
            HOOKE,
            ADD,
            MORE,
            Click("open *Tearing*", panel="HOOKE_PT_tearing"),
            Click("*Tearing*", setting(of_hooke, "tearing", True)),
            PLAY,
        ],
        # It has nothing that tears.
        [PHYSICS, CLOTH, *cloth_group("Pin"), PLAY],
    ),
]
