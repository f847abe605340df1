# SPDX-License-Identifier: GPL-3.0-or-later
"""Complaints in the order of their urgency, the same for simulated and for kept frames."""

from math import inf

import bpy

from ...core import INTEGRATORS
from ...core.kernels import CHOSEN
from ...core.solvers.linear import backends
from ..play import sessions
from ..play.frame_notes import read_squeezed
from ..sections import below, fall, frame_time, has_weights, not_colliding, passed, tears_at, unit_warning
from .complaint import Complaint
from .ignored_settings import ignored

# How far from solved steps may be and still count as well.
_LAGGING = 0.5
# Invisible stretch beyond that of the settings.
_UNSEEN = 0.005
# Springs without a breaking strain of their own.
_BEARABLE = 0.25
# Time [s] that seams may take longer than they are given.
_LATE = 0.25
# Share of its volume below which a closed body has collapsed.
_COLLAPSED = 0.5


def before_all(obj):
    """Complaints that hold before any frame, a list."""
    complaints, group = [], obj.hooke.pin_group
    first, last = obj.hooke.frame_start, obj.hooke.frame_end
    if last < first:
        text = f"Frames end at {last}, before they start at {first}: set a later end"
        complaints.append(Complaint(text, ("END",)))
    if bpy.context.scene.sync_mode == "FRAME_DROP":
        complaints.append(Complaint("Playback drops frames, which stops the simulation", ("EVERY_FRAME",)))
    if group and not has_weights(obj, group):
        complaints.append(
            Complaint(f"There is no vertex group '{group}' to pin: choose another Pin Group", ("PIN_GROUP",))
        )
    if text := unit_warning(bpy.context.scene):
        complaints.append(Complaint(text, ("UNIT_SCALE",), "INFO"))
    return complaints


def unwell_source(obj, running):
    """The Complaint that another object acts on one and is not shown as it was simulated, or None."""
    if not running.around:
        return None
    sources = {each.session_uid: each for each in sessions.simulated_objects(bpy.context.scene)}
    told, asked = None, {obj.session_uid}
    ahead = list(running.around)
    while ahead:
        uid = ahead.pop(0)
        source = None if uid in asked else sources.get(uid)
        asked.add(uid)
        if source is None or (found := sessions.find(source)) is None:
            continue
        ahead.extend(found.around)
        if found.problem or found.hint or found.tuned is not None:
            # The others wait for the last of them.
            told = source, found
    if told is None:
        return None
    source, found = told
    problem = found.problem or found.hint or f"it is tuned live: replay from frame {source.hooke.frame_start}"
    return Complaint(f"Waits for '{source.name}', which acts on it: {problem}", (), "INFO")


def stability_warning(obj):
    """Why the step in use is unstable and the number of substeps that would be enough, or None.

    The number is None where no step is stable.
    """
    running = sessions.find(obj)
    begun = running.take.begun if running is not None else None
    if begun is None or begun.step <= begun.stable:
        return None
    if begun.enough is None:
        return (
            f"{INTEGRATORS[obj.hooke.integrator].label} is stable at no step for undamped springs: set a Damping",
            None,
        )
    return (
        f"The step of {1e3 * begun.step:.3g} ms is beyond the stable {1e3 * begun.stable:.3g} ms",
        begun.enough,
    )


def of_newest(running, obj):
    """Complaints about the newest frame, a list."""
    scene, depsgraph = bpy.context.scene, bpy.context.view_layer.depsgraph
    take, begun, newest = running.take, running.take.begun, running.newest
    warning = stability_warning(obj)
    found = [Complaint(warning[0], ("SUBSTEPS",))] if warning is not None else []
    # A fault of the start explains the stretch, so it comes first.
    found += of_start(obj, scene, depsgraph, begun)
    found += _squeezed(obj, read_squeezed(take.frames, newest))
    found += _collapsed(obj, begun.room, take.noted(newest, "volume", inf))
    found += _unsewn(obj, scene, newest, take.noted(newest, "open_seams", 0.0))
    found += _stretched(obj, running.strain, take.noted(newest, "beyond", 0.0))
    residual = take.noted(newest, "residual", 0.0)
    if residual > _LAGGING and warning is None:
        text = "Moves slower than it should: choose a higher Quality, or more substeps"
        found.append(Complaint(text, ("EFFORT",)))
    first, last, frame = obj.hooke.frame_start, obj.hooke.frame_end, scene.frame_current
    if frame > last >= first:
        text = f"Frame {frame} is past the range's end: it stays as at frame {last}; set a later End"
        found.append(Complaint(text, ("END",), "INFO"))
    if depsgraph is None:
        return found
    return found + of_what_does_not_act(running.mesh_inputs(obj, scene, depsgraph), found)


def of_kernels():
    """The Complaint that frames take longer without the compiled kernels, in a list, or []."""
    # Kernels need SciPy, too: where that is missing the methods that need it say so, and others are as they can be.
    return [Complaint(CHOSEN.remark, (), "INFO")] if CHOSEN.remark and backends() else []


def of_start(obj, scene, depsgraph, begun):
    """Complaints about a simulation from its first frame on, a list; begun: its Begun."""
    found = _stopped_by_nothing(obj, scene, depsgraph, begun.held) if depsgraph is not None else []
    if not begun.bends:
        method = INTEGRATORS[obj.hooke.integrator].label
        more = [name for name, acts in _left_out_with_bending(obj.hooke) if acts]
        what = f"{' and '.join(['Bending', *more])} {'do' if more else 'does'}"
        text = f"{what} not act with {method}: choose another integrator, or Bending 0"
        found.append(Complaint(text, ("INTEGRATOR",)))
    return found + [Complaint(text, remedies, icon) for text, icon, remedies in begun.doubts]


def of_what_does_not_act(inputs, found):
    """Complaints about what is there and does not act, but those that are in found already; inputs: of the mesh."""
    told = [*found, *ignored(inputs)]
    obj, scene, depsgraph = inputs.where
    left_out = _left_out(obj, scene, depsgraph, told)
    return told[len(found) :] + [Complaint(text, (), "INFO") for text in left_out]


def _left_out(obj, scene, depsgraph, found):
    """Sentences about visible objects that do not act, without those in Complaints already."""
    told = sessions.left_out(obj, scene, depsgraph)
    return [text for text in told if not any(text in complaint.text for complaint in found)]


def _stopped_by_nothing(obj, scene, depsgraph, held):
    """On a free fall, and on what does not catch it; a group that is not there is complained of by itself."""
    name, down = obj.hooke.pin_group, fall(obj, scene)
    if held or not any(down):
        floor = passed(obj, depsgraph, down)
        text = (
            f"Passes through '{floor.name}', which is not a collider: make it one"
            if floor is not None
            else ""
        )
        return [Complaint(text, ("COLLIDER",))] if text else []
    if name and not has_weights(obj, name):
        return []
    problems = not_colliding(obj, scene, depsgraph)
    if problems:
        return [Complaint(f"Falls freely: {problems[0]}", ("PIN_GROUP",))]
    floor = below(obj, depsgraph, down)
    if floor is not None:
        return [
            Complaint(f"Falls freely: '{floor.name}' below it is not a collider", ("COLLIDER", "PIN_GROUP"))
        ]
    if name:
        return [
            Complaint(
                f"Falls freely: no vertex is in the group '{name}': assign some", ("PIN_GROUP",), "INFO"
            )
        ]
    text = "Falls freely: put what shall hold into a vertex group, and choose it as Pin Group"
    return [Complaint(text, ("PIN_GROUP",), "INFO")]


def _squeezed(obj, found):
    """On what two colliders leave no room; found: the first frame that has any, and its Squeezed, or None."""
    if found is None:
        return []
    index, (count, into, by, room) = found
    vertices = "1 vertex has" if count == 1 else f"{count:,} vertices have"
    since = obj.hooke.frame_start + index
    remedy = f"keep these {1000.0 * room:.3g} mm apart, or lower Thickness"
    return [Complaint(f"{vertices} no room between {into} and {by} from frame {since} on: {remedy}")]


def _collapsed(obj, room, volume):
    """On a hollow body that has lost its inside; room, volume: at the start and now [m^3]."""
    settings = obj.hooke
    if volume >= _COLLAPSED * room or (settings.measure == "AREA" and settings.fill_stiffness > 0.0):
        return []
    if settings.keep_volume or settings.pressure < 0.0:
        # As it is told to.
        return []
    remedy = "give it a Filling" if settings.measure == "AREA" else "set Measure to Area, and a Filling"
    text = f"Hollow, and has collapsed to {100 * volume / room:.0f} % of its volume: {remedy}"
    return [Complaint(text, ("FILLING",))]


def _unsewn(obj, scene, newest, count):
    """On seams that are open though their time is over."""
    settings = obj.hooke
    late = newest * frame_time(settings, scene) > settings.sewing_time + _LATE
    if not (settings.sewing and late and count):
        return []
    seams = "1 seam is" if count == 1.0 else f"{count:,.0f} seams are"
    remedy = (
        "raise Max Force, or set it to 0 for any"
        if settings.sewing_force
        else "what pulls on them is stronger than the cloth; move the panels nearer, or lower Stretch"
    )
    return [Complaint(f"{seams} open after the Closing Time: {remedy}", ())]


def _left_out_with_bending(settings):
    """The settings that methods without bending leave out as well, if any is set."""
    return ("Pressure", settings.keep_volume or settings.pressure != 0.0), ("Sewing", settings.sewing)


def _stretched(obj, strain, beyond):
    settings = obj.hooke
    bearable = settings.breaking_strain if settings.measure == "AREA" else _BEARABLE
    if strain <= bearable or tears_at(settings) is not None:
        return []
    value = "Stretch" if settings.measure == "AREA" else "Stiffness"
    # Two lines of a sidebar as wide as Blender opens it: the rest is left to the button below.
    remedy = "choose a higher Quality" if beyond > _UNSEEN else f"raise Quality, or {value}"
    return [Complaint(f"Stretched by {100 * strain:.0f} %, more than it bears: {remedy}", ("EFFORT",))]
