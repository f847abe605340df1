# SPDX-License-Identifier: GPL-3.0-or-later
"""The sidebar's report on a running simulation."""

from typing import NamedTuple

import numpy as np

from ...core import INTEGRATORS
from .. import output_nodes, preflight
from ..play import sessions
from . import dismissed_remarks
from .complaint import Complaint
from .complaints import before_all, of_kernels, of_newest, stability_warning, unwell_source

__all__ = ["Complaint", "Report", "cache_status", "diagnostics", "report", "stability_warning", "status"]


class Report(NamedTuple):
    """The content of the status box.

    figures: what the newest frame is like, two lines, or () where there is none. complaints: what is not as it should
    be, the most urgent first; only that one is drawn beside the figures. note: what is good to know, or "".
    """

    figures: tuple[str, ...]
    complaints: list[Complaint]
    note: str = ""

    @property
    def icon(self):
        """A tick only where all is well: hints leave it."""
        if self.complaints and not (self.figures and self.well):
            return self.complaints[0].icon
        return "CHECKMARK" if self.figures else "INFO"

    @property
    def well(self):
        """Whether nothing is complained of, but for hints."""
        return all(complaint.hint for complaint in self.complaints)

    def sentence(self):
        """All but the doubts in one line; without figures, the complaints."""
        if not self.figures:
            return " · ".join(complaint.text for complaint in self.complaints) or self.note
        return " · ".join([*self.figures, *([self.note] if self.note else [])])


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
        ("Compression", f"{100 * max(-strains.min(initial=0.0), 0.0):.2f} %"),
        ("Mean Strain", f"{100 * figures['mean_strain']:.3f} %"),
        *_of_inside(running.simulation),
        *_of_seams(running.simulation),
        *_of_tears(running.simulation),
        ("Residual", f"{figures['residual']:.2g}"),
        ("Unsolved Substeps", f"{figures['unsolved_substeps']:.0f}"),
        ("Effective Stiffness", f"{100 * figures['stiffness_share']:.0f} %"),
        ("Least Effective", f"{100 * figures['least_stiffness_share']:.1f} %"),
        ("Step", f"{1e3 * figures['dt']:.4g} ms"),
        ("Stable Step", "any" if largest == float("inf") else f"{1e3 * largest:.4g} ms"),
    ]


def _of_inside(simulation):
    """Volume, its share of the rest volume, and pressure inside closed faces."""
    operators = simulation.network.enclosure_operators
    if operators is None:
        return []
    now, rest = (np.ascontiguousarray(x.T) for x in (simulation.state.x, simulation.network.points))
    volume, begun = operators.volumes(now).sum(), operators.volumes(rest).sum()
    share = f" ({100 * volume / begun:.1f} %)" if begun > 0.0 else ""
    return [
        ("Volume", f"{litres(volume)}{share}"),
        ("Pressure", " / ".join(f"{p:.4g} Pa" for p in operators.pressures(now)[:3])),
    ]


def _of_tears(simulation):
    """How much is torn."""
    network = simulation.network
    if network.tearing is None:
        return []
    faces = int(network.tearing.torn_faces(network.broken).sum())
    return [("Torn", f"{int(network.broken.sum()):,} springs, {faces:,} faces")]


def _of_seams(simulation):
    """How many seams are closed."""
    network = simulation.network
    if not len(network.seams):
        return []
    opened = network.seams.open(network.stencils, simulation.state.x)
    return [("Seams", f"{len(network.seams) - opened:,} of {len(network.seams):,} closed")]


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
    try:
        preflight.check_scipy(INTEGRATORS[obj.hooke.integrator])
    except ValueError as error:
        return Report((), [Complaint(str(error))])
    before = dismissed_remarks.shown(obj, before_all(obj))
    if running is None:
        return Report((), before, f"Starts at frame {start}: go there, and press play")
    if running.problem:
        return Report((), [Complaint(running.problem, ("LOCAL", "CELLS", "SHEET", "SUBSTEPS", "START"))])
    if running.tuned is not None:
        figures = _figures(obj, running) if running.simulation is not None else ()
        return Report(figures, [*before, _tuned(running.tuned, start)], "tuned live")
    if running.hint:
        return Report((), [*before, Complaint(running.hint, ("NEWEST", "START"), "INFO")])
    if not running.cached:
        return Report((), before, f"Ready at frame {start}: press play")
    if waiting := unwell_source(obj, running):
        return Report((), [*before, waiting])
    complaints = [*before, *of_newest(running, obj), *of_kernels()]
    return Report(_figures(obj, running), dismissed_remarks.shown(obj, complaints))


def _tuned(tuned, start):
    """On frames that go on with what changed."""
    since, why = start + tuned.since, tuned.why
    if why is None:
        text = f"Tuned live since frame {since}, not kept: replay from frame {start}"
        return Complaint(f"{tuned.edited}. {text}" if tuned.edited else text, ("START",), "MODIFIER")
    # The start frame would lead here again.
    remedy = why.remedy[0].upper() + why.remedy[1:]
    return Complaint(f"{why.short or why} after frame {since}: tuned live, not kept. {remedy}")


def _figures(obj, running):
    """Two lines on the newest frame."""
    count = running.playing.begun.springs
    springs = f" · {count:,} springs" if count else ""
    time = f" · {running.milliseconds:.0f} ms" if running.milliseconds else ""
    frame = obj.hooke.frame_start + running.newest
    return (
        f"{len(obj.data.vertices):,} vertices{springs}",
        f"frame {frame}{time} · strain {100 * running.strain:.1f} %{_inside(obj, running)}",
    )


def _inside(obj, running):
    """Volume and pressure inside closed faces in the newest frame, if there is a pressure."""
    if not (obj.hooke.keep_volume or obj.hooke.pressure) or running.tuned is not None:
        return ""
    volume = running.take.noted(running.newest, "volume", -1.0)
    return f" · {litres(volume)}" if volume >= 0.0 else ""


def litres(volume):
    """A volume [m^3] in the unit in which people know it."""
    return f"{1e3 * volume:.3g} L" if volume < 1.0 else f"{volume:.3g} m³"


def cache_status(obj):
    """Sentence and icon on which frames are cached, and whether they hold."""
    running = sessions.find(obj)
    if running is not None and running.cache_problem:
        return f"In memory only: {running.cache_problem}", "ERROR"
    if running is not None and len(running.take) > 1:
        first, known = obj.hooke.frame_start, running.cached
        place = "on disk" if running.disk_frames() is not None else "in memory"
        if known < len(running.take):
            return f"Cached {place}; what moves it changed from frame {first + known} on", "COLORSET_02_VEC"
        return f"Cached {place}: frames {first} to {first + known - 1}", "COLORSET_03_VEC"
    if running is not None and running.cache.stale > 1:
        return f"Stale: {running.cache.stale} frames are of other settings, mesh or motion", "COLORSET_02_VEC"
    return "Nothing cached", "RADIOBUT_OFF"
