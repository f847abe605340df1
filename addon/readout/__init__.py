# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sidebar says about a running simulation."""

from typing import NamedTuple

import bpy
import numpy as np

from ...core.diagnostics import stable_dt
from .. import output_nodes
from ..play import sessions
from ..play.shared import stiffness_share
from ..sections import not_colliding, shown_options
from .remedies import stable_substeps

# How far from solved steps may be and still count as well.
_LAGGING = 0.5
# Stretch beyond what the settings give that nobody sees.
_UNSEEN = 0.005
# Springs of which nobody said what they bear.
_BEARABLE = 0.25


class Complaint(NamedTuple):
    """A sentence on what is not as it should be, and the ids of the REMEDIES that may help, the best first."""

    text: str
    remedies: tuple[str, ...] = ()
    icon: str = "ERROR"


class Report(NamedTuple):
    """What the panel says.

    figures: what the newest frame is like, two lines, or () where there is none. complaints: what is not as it should
    be, the most urgent first; only that one is drawn beside the figures. note: what is good to know, or "".
    """

    figures: tuple[str, ...]
    complaints: list[Complaint]
    note: str = ""

    @property
    def icon(self):
        """A tick only where all is well."""
        if self.complaints:
            return self.complaints[0].icon
        return "CHECKMARK" if self.figures else "INFO"

    def sentence(self):
        """All but the doubts in one line; where there are no figures, what is complained of."""
        if not self.figures:
            return " · ".join(complaint.text for complaint in self.complaints) or self.note
        return " · ".join([*self.figures, *([self.note] if self.note else [])])


def stability_warning(obj):
    """Why the step in use is unstable and the number of substeps that would be enough, or None.

    The number is None where no step is stable.
    """
    running = sessions.find(obj)
    if running is None or running.simulation is None:
        return None
    simulation = running.simulation
    method, h = simulation.integrator, simulation.dt / simulation.substeps
    largest = stable_dt(simulation.network, method.stability_limit, method.damping_limit)
    if h <= largest:
        return None
    enough = stable_substeps(obj)
    if enough is None:
        return f"{method.label} is stable at no step for undamped springs", None
    return f"The step of {1e3 * h:.3g} ms is beyond the stable {1e3 * largest:.3g} ms", enough


def diagnostics(obj):
    """Labelled figures of the last simulated frame, as a list of pairs of strings."""
    running = sessions.find(obj)
    if running is None or running.simulation is None:
        return []
    figures = running.simulation.diagnostics()
    strains = running.simulation.network.strains(running.simulation.state.x)
    largest = figures["method_stable_dt"]
    return [
        ("Kinetic Energy", f"{figures['kinetic']:.4g} J"),
        ("Potential Energy", f"{figures['potential']:.4g} J"),
        ("Total Energy", f"{figures['total']:.4g} J"),
        ("Largest Stretch", f"{100 * max(strains.max(initial=0.0), 0.0):.2f} %"),
        ("Pressed Together", f"{100 * max(-strains.min(initial=0.0), 0.0):.2f} %"),
        ("Mean Strain", f"{100 * figures['mean_strain']:.3f} %"),
        ("Unsolved", f"{figures['residual']:.2g}"),
        ("Unsolved Substeps", f"{figures['unsolved_substeps']:.0f}"),
        ("Stiffness Carried", f"{100 * figures['stiffness_share']:.0f} %"),
        ("Least Carried", f"{100 * figures['least_stiffness_share']:.1f} %"),
        ("Step", f"{1e3 * figures['dt']:.4g} ms"),
        ("Stable Step", "any" if largest == float("inf") else f"{1e3 * largest:.4g} ms"),
    ]


def status(obj):
    """Sentence and icon for the panel."""
    told = report(obj)
    return told.sentence(), told.icon


def report(obj):
    """The Report on an object."""
    running, start = sessions.find(obj), obj.hooke.frame_start
    if output_nodes.find(obj) is None:
        return Report(
            (), [Complaint("Hooke's modifier is gone: put it back, or remove Hooke", ("MODIFIER",))]
        )
    before = _before_all(obj)
    if running is None:
        return Report((), before, f"Starts at frame {start}")
    if running.problem:
        return Report((), [Complaint(running.problem, ("SUBSTEPS", "START"))])
    if running.tuned is not None:
        figures = _figures(obj, running) if running.simulation is not None else ()
        return Report(figures, [*before, _tuned(running.tuned, start)], "tuned live")
    if running.hint:
        return Report((), [*before, Complaint(running.hint, ("START",), "INFO")])
    if not running.cached:
        return Report((), before, f"Ready at frame {start}: press play")
    beyond = _stretch_beyond(running.simulation)
    note = f"stretches {100 * beyond:.1f} % more than set: a higher Quality less" if beyond > _UNSEEN else ""
    return Report(_figures(obj, running), [*before, *_complaints(running, obj, beyond)], note)


def _tuned(tuned, start):
    """On frames that go on with what changed."""
    since, why = start + tuned.since, tuned.why
    if why is None:
        text = f"Tuned live since frame {since}, not kept: frame {start} starts the true motion"
        return Complaint(f"{tuned.edited}. {text}" if tuned.edited else text, ("START",), "MODIFIER")
    # The start frame would lead here again.
    remedy = why.remedy[0].upper() + why.remedy[1:]
    return Complaint(f"{why.short or why} after frame {since}: tuned live, not kept. {remedy}")


def _figures(obj, running):
    """Two lines on the newest frame."""
    springs = f" · {len(running.network.springs):,} springs" if running.network is not None else ""
    time = f" · {running.milliseconds:.0f} ms" if running.milliseconds else ""
    frame = obj.hooke.frame_start + running.newest
    return (
        f"{len(obj.data.vertices):,} vertices{springs}",
        f"frame {frame}{time} · strain {100 * running.strain:.1f} %",
    )


def _stretch_beyond(simulation):
    """How much further than by its whole stiffness a spring is stretched at most, as it is carried softer; 0.01 is 1 %.

    The tension that stretches it is there either way.
    """
    if simulation is None:
        return 0.0
    network = simulation.network
    strains = np.maximum(network.strains(simulation.state.x), 0.0)
    shares = stiffness_share(simulation)[network.stretchable]
    return float((strains * (1.0 - shares)).max(initial=0.0))


def _before_all(obj):
    """What is wrong whether anything is simulated or not, a list of Complaints."""
    complaints, group = [], obj.hooke.pin_group
    first, last = obj.hooke.frame_start, obj.hooke.frame_end
    if last < first:
        text = f"Frames end at {last}, before they start at {first}: set a later end"
        complaints.append(Complaint(text, ("END",)))
    if bpy.context.scene.sync_mode == "FRAME_DROP":
        complaints.append(Complaint("Playback drops frames, which stops the simulation", ("EVERY_FRAME",)))
    if group and group not in obj.vertex_groups:
        complaints.append(Complaint(f"There is no vertex group '{group}' to pin", ("PIN_GROUP",)))
    return complaints


def _complaints(running, obj, beyond):
    """What of the newest frame is not as it should be, a list of Complaints, the most urgent first."""
    found, simulation, settings = [], running.simulation, obj.hooke
    warning = stability_warning(obj)
    if warning is not None:
        found.append(Complaint(warning[0], ("SUBSTEPS",)))
    if simulation is not None and not (simulation.network.pins.any() or len(simulation.system.contacts)):
        found += _falling(obj)
    if simulation is not None and len(simulation.network.stencils) and not simulation.integrator.bends:
        text = f"Bending does not act with {simulation.integrator.label}: choose another integrator, or Bending 0"
        found.append(Complaint(text, ("INTEGRATOR",)))
    # What is wrong from the start is why it is stretched, if it is.
    found += map(Complaint, running.take.doubts)
    bearable = settings.breaking_strain if settings.measure == "AREA" else _BEARABLE
    if running.strain > bearable:
        value = "Stretch" if settings.measure == "AREA" else "Stiffness"
        # Two lines of a sidebar as wide as Blender opens it: the rest is left to the button below.
        remedy = "choose a higher Quality" if beyond > _UNSEEN else f"a higher Quality, or more {value}"
        text = f"Stretched by {100 * running.strain:.0f} %, more than it bears: {remedy}"
        found.append(Complaint(text, ("EFFORT",)))
    residual = _residual(simulation, obj)
    if residual > _LAGGING and warning is None:
        text = f"Moves slower than it should (residual {residual:.2f}): choose a higher Quality, or more substeps"
        found.append(Complaint(text, ("EFFORT",)))
    frame = bpy.context.scene.frame_current
    if frame > settings.frame_end >= settings.frame_start:
        text = f"Frame {frame} is past the range's end: it stays as at frame {settings.frame_end}"
        found.append(Complaint(text, ("END",), "INFO"))
    return [*found, *(Complaint(text, (), "INFO") for text in _left_out(obj, found))]


def _left_out(obj, found):
    """Sentences about what is in sight and does not act, but those that are in Complaints already."""
    depsgraph = bpy.context.view_layer.depsgraph
    told = sessions.left_out(obj, bpy.context.scene, depsgraph) if depsgraph is not None else []
    return [text for text in told if not any(text in complaint.text for complaint in found)]


def _falling(obj):
    """On a free fall, and what does not catch it; a group that is not there is complained of by itself."""
    name, depsgraph = obj.hooke.pin_group, bpy.context.view_layer.depsgraph
    if name and name not in obj.vertex_groups:
        return []
    problems = not_colliding(obj, bpy.context.scene, depsgraph) if depsgraph is not None else []
    if problems:
        return [Complaint(f"Falls freely: {problems[0]}", ("PIN_GROUP",))]
    if name:
        return [Complaint(f"Falls freely: the vertex group '{name}' holds no vertex", ("PIN_GROUP",))]
    text = "Falls freely: put what shall hold into a vertex group, and choose it as Pin Group"
    return [Complaint(text, ("PIN_GROUP",))]


def _residual(simulation, obj):
    """How far from solved the newest step is.

    At the start nothing has moved yet. Where springs are carried no stiffer than the iterations can do justice to, what
    is left unsolved is trembling, and no lag.
    """
    attainable = "carried_stiffness" in shown_options(obj) and obj.hooke.carried_stiffness == "ATTAINABLE"
    if simulation is None or simulation.state.t <= 0.0 or attainable:
        return 0.0
    return simulation.integrator.residual()


def cache_status(obj):
    """Sentence and icon on which frames are cached, and whether they hold."""
    running = sessions.find(obj)
    if running is not None and running.cache_problem:
        return f"In memory only: {running.cache_problem}", "ERROR"
    if running is not None and running.cached > 1:
        first = obj.hooke.frame_start
        place = "on disk" if running.disk_frames() is not None else "in memory"
        return f"Cached {place}: frames {first} to {first + running.cached - 1}", "COLORSET_03_VEC"
    if running is not None and running.cache.stale > 1:
        return f"Stale: {running.cache.stale} frames are of other settings, mesh or motion", "COLORSET_02_VEC"
    return "Nothing cached", "RADIOBUT_OFF"
