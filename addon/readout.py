# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sidebar says about a running simulation."""

from ..core.diagnostics import enough_substeps, stable_dt
from . import output_nodes
from .play import sessions
from .sections import shown_options

# What a sheet may be stretched by at worst, and how far its steps may be from solved, and still count as well.
_STRETCHED, _LAGGING = 0.25, 0.5
# A share of the stiffness that people read as all of it.
_ALL = 0.995


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
        ("Stiffness Carried", f"{100 * figures['stiffness_share']:.0f} %"),
        ("Least Carried", f"{100 * figures['least_stiffness_share']:.1f} %"),
        ("Step", f"{1e3 * figures['dt']:.4g} ms"),
        ("Stable Step", "any" if largest == float("inf") else f"{1e3 * largest:.4g} ms"),
    ]


def status(obj):
    """Sentence and icon for the panel."""
    return report(obj)[:2]


def report(obj):
    """Sentence and icon for the panel, and a list of sentences on what is not well though it runs."""
    running = sessions.find(obj)
    if output_nodes.find(obj) is None:
        return "Hooke's modifier is gone: remove and add Hooke", "ERROR", []
    if running is None:
        return f"Starts at frame {obj.hooke.frame_start}", "INFO", []
    if running.problem:
        return running.problem, "ERROR", []
    if running.hint or not running.cached:
        return running.hint or f"Ready at frame {obj.hooke.frame_start}: press play", "INFO", []
    frame = obj.hooke.frame_start + running.cached - 1
    springs = f" · {running.network.spring_count:,} springs" if running.network is not None else ""
    time = f" · {running.milliseconds:.0f} ms" if running.milliseconds else ""
    strain = f"strain {100 * running.take.strain(-1):.1f} %"
    share = _stiffness_share(running.take.simulation)
    carried = f" · carries {100 * share:.0f} % of the stiffness" if share < _ALL else ""
    text = f"{len(obj.data.vertices):,} vertices{springs} · frame {frame}{time} · {strain}{carried}"
    doubts = _doubts(running, obj, share)
    return text, "INFO" if doubts else "CHECKMARK", doubts


def _stiffness_share(simulation):
    """Mean share of their stiffness that springs are carried with, 0 to 1; 1 where nothing is simulated yet."""
    return simulation.integrator.stiffness_share().mean() if simulation is not None else 1.0


def _doubts(running, obj, share):
    """What of the newest frame is not as it should be, and what to change, as a list of sentences."""
    doubts, simulation = [], running.take.simulation
    strain = running.take.strain(-1)
    if strain > _STRETCHED:
        value = "Stretch" if obj.hooke.measure == "AREA" else "Stiffness"
        remedy = f"or more {value}" if share >= _ALL else "which carries more of the stiffness"
        doubts.append(f"Stretched by {100 * strain:.0f} % at worst: choose a higher Effort, {remedy}")
    if simulation is None:
        return doubts
    # At the start nothing has moved yet. Where springs are carried no stiffer than the iterations can do justice to,
    # what is left unsolved is trembling, and no lag.
    attainable = "carried_stiffness" in shown_options(obj) and obj.hooke.carried_stiffness == "ATTAINABLE"
    residual = simulation.integrator.residual() if simulation.state.t > 0.0 and not attainable else 0.0
    if residual > _LAGGING:
        doubts.append(
            f"Moves slower than it should (residual {residual:.2f}): choose a higher Effort, or more substeps"
        )
    if not simulation.network.pins.any() and not len(simulation.system.contacts):
        doubts.append("Falls freely: put what shall hold into a vertex group, and choose it as Pin Group")
    return [*doubts, *running.take.doubts]


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
