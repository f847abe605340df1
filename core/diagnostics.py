# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of a network and a method before a step, and of a simulation at its present state."""

import numpy as np

from . import forces


def stable_dt(network, limit=2.0, damping_limit=2.0):
    """Largest step [s] for which a method is stable about the network's points; symplectic Euler's, unless told.

    limit: w dt below which the method keeps an undamped spring bounded; 0 for never, infinite for always.
    damping_limit: c dt below which it keeps a mode that is only damped, at rate c, bounded.
    The step solves (w dt / limit)^2 + c dt / damping_limit = 1 for the network's highest frequency and rate, see
    `spectrum`: without damping within 1 % of the exact 2 / w_max, and with it inside the stable region; infinite
    without springs and soft pins. Without SciPy it is `safe_dt`.
    """
    return _largest_dt(network.spectrum, limit, damping_limit)


def safe_dt(network, limit=2.0, damping_limit=2.0):
    """As `stable_dt`, but however the springs turn and stretch on the way: for sheets and solids 0.6 to 0.9 of it."""
    return _largest_dt(network.spectrum_bound, limit, damping_limit)


def enough_substeps(network, method, dt):
    """Equal steps within dt that are stable, however the springs turn, with a tenth to spare; None where no step is.

    method: integrator or its class.
    """
    largest = safe_dt(network, method.stability_limit, method.damping_limit)
    if largest == 0.0:
        return None
    return max(1, int(np.ceil(dt / (0.9 * largest))))


def diagnostics(system, integrator, state, unsolved=0):
    """Energies [J], strains, relative residual, largest stable step [s] and step in use [s].

    Keys: kinetic, elastic, potential (elastic and external), total, largest_strain, mean_strain, residual,
    unsolved_substeps (of the last step: those whose residual ended above the tolerance that was asked for),
    stable_dt (of symplectic Euler on this network), method_stable_dt (of the integrator in use), dt,
    stiffness_share and least_stiffness_share, mean and least share of their stiffness that springs are carried with;
    the energies are of what is carried.
    """
    network, x = system.network, state.x
    kinetic = forces.kinetic_energy(network, state.v)
    elastic = integrator.elastic_energy(x, state.t)
    potential = elastic + system.external_energy(x)
    share = integrator.stiffness_share()
    strains = np.abs(network.strains(x))
    return {
        "kinetic": kinetic,
        "elastic": elastic,
        "potential": potential,
        "total": kinetic + potential,
        "largest_strain": float(strains.max(initial=0.0)),
        "mean_strain": float(strains.mean()) if len(strains) else 0.0,
        "residual": integrator.residual(),
        "unsolved_substeps": float(unsolved),
        "stable_dt": stable_dt(network),
        "method_stable_dt": stable_dt(network, integrator.stability_limit, integrator.damping_limit),
        "dt": integrator.dt,
        "stiffness_share": float(share.mean()) if len(share) else 1.0,
        "least_stiffness_share": float(share.min(initial=1.0)),
    }


def _largest_dt(spectrum, limit, damping_limit):
    frequency, rate = spectrum.frequency, spectrum.rate / damping_limit
    if np.isinf(limit) or (frequency == 0.0 and rate == 0.0):
        return np.inf
    if limit == 0.0:
        return 0.0
    return float(2.0 / (rate + np.hypot(rate, 2.0 * frequency / limit)))
