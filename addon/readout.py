# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sidebar says about a running simulation."""

from ..core.diagnostics import enough_substeps, stable_dt
from . import output_nodes
from .play import sessions


def stability_warning(obj):
    """Why the step in use is unstable and the number of substeps that would be enough, or None.

    The number is None where no step is stable.
    """
    running = sessions.find(obj)
    if running is None or running.take.simulation is None:
        return None
    simulation = running.take.simulation
    method, h = simulation.integrator, simulation.dt / simulation.substeps
    largest = stable_dt(simulation.network, method.stability_limit, method.damping_limit)
    if h <= largest:
        return None
    enough = enough_substeps(simulation.network, method, simulation.dt)
    if enough is None:
        return f"{method.label} is stable at no step for undamped springs", None
    return f"The step of {1e3 * h:.3g} ms is beyond the stable {1e3 * largest:.3g} ms", enough


def diagnostics(obj):
    """Labelled figures of the last simulated frame, as a list of pairs of strings."""
    running = sessions.find(obj)
    if running is None or running.take.simulation is None:
        return []
    figures = running.take.simulation.diagnostics()
    largest = figures["method_stable_dt"]
    return [
        ("Kinetic Energy", f"{figures['kinetic']:.4g} J"),
        ("Potential Energy", f"{figures['potential']:.4g} J"),
        ("Total Energy", f"{figures['total']:.4g} J"),
        ("Largest Strain", f"{100 * figures['largest_strain']:.2f} %"),
        ("Mean Strain", f"{100 * figures['mean_strain']:.3f} %"),
        ("Residual", f"{figures['residual']:.2g}"),
        ("Step", f"{1e3 * figures['dt']:.4g} ms"),
        ("Stable Step", "any" if largest == float("inf") else f"{1e3 * largest:.4g} ms"),
    ]


def status(obj):
    """Sentence and icon for the panel."""
    running = sessions.find(obj)
    if output_nodes.find(obj) is None:
        return "Hooke's modifier is gone: remove and add Hooke", "ERROR"
    if running is None:
        return f"Starts at frame {obj.hooke.frame_start}", "INFO"
    if running.problem:
        return running.problem, "ERROR"
    if running.note or not running.cached:
        return running.note or f"Ready at frame {obj.hooke.frame_start}: press play", "INFO"
    frame = obj.hooke.frame_start + running.cached - 1
    springs = f" · {running.network.spring_count:,} springs" if running.network is not None else ""
    time = f" · {running.milliseconds:.0f} ms" if running.milliseconds else ""
    strain = f"strain {100 * running.take.strain(-1):.1f} %"
    return f"{len(obj.data.vertices):,} vertices{springs} · frame {frame}{time} · {strain}", "CHECKMARK"


def cache_status(obj):
    """Sentence and icon on which frames are cached, and whether they hold."""
    running = sessions.find(obj)
    if running is not None and running.cache_problem:
        return f"In memory only: {running.cache_problem}", "ERROR"
    if running is not None and running.cached > 1:
        first = obj.hooke.frame_start
        place = "on disk" if running.disk_frames() is not None else "in memory"
        return f"Cached {place}: frames {first} to {first + running.cached - 1}", "COLORSET_03_VEC"
    if running is not None and running.stale > 1:
        return f"Stale: {running.stale} frames are of other settings, mesh or motion", "COLORSET_02_VEC"
    return "Nothing cached", "RADIOBUT_OFF"
