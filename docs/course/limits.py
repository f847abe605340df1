# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # Modified Euler, normalised stiffness and length limits
#
# ## Modified Euler
# Modified Euler moves the position by the mean of the old and the new velocity: `v' = v + dt a` and `x' = x +
# dt/2 (v + v')`. Under constant acceleration it is exact.
# %%
import matplotlib.pyplot as plt
import numpy as np

from hooke.core import Simulation, SpringNetwork

particle = SpringNetwork([[0, 0, 0]], [])
t = 0.1 * np.arange(1, 11)
exact = -9.81 / 2 * t**2
plt.plot(t, exact, color="0.75", linewidth=5, label="exact")
for name in ("EXPLICIT_EULER", "SYMPLECTIC_EULER", "MODIFIED_EULER"):
    heights = [x[0, 2] for x in Simulation(particle, name, dt=0.1).frames(10)]
    plt.plot(t, heights, "o-", label=name, markersize=3)
assert np.allclose(heights, exact)
plt.xlabel("time [s]")
plt.ylabel("height [m]")
plt.legend()
plt.show()

# %% [markdown]
# ## Normalised stiffness
# Half of a spring is twice as stiff as the whole. With the same `k` for all springs, a finer mesh of the same
# strip hangs lower. With `k = k_s / L` the resolution does not matter. `length_normalised=True` takes the
# stiffness as `k_s` [N].


# %%
def lower_end(count, **options):
    """Height of the lower end [m] of a strip of 1 m and 1 kg that hangs at rest from its upper end."""
    points = [[0, 0, -i / count] for i in range(count + 1)]
    edges = [[i, i + 1] for i in range(count)]
    strip = SpringNetwork.from_mesh(points, edges, mass=1.0, damping=5.0, pins=[0], **options)
    return list(Simulation(strip, "IMPLICIT_EULER", dt=0.1).frames(200))[-1][-1, 2]


counts = [4, 8, 16, 32]
equal = [lower_end(n, stiffness=200.0) for n in counts]
normalised = [lower_end(n, stiffness=200.0, length_normalised=True) for n in counts]
plt.plot(counts, equal, "o-", label="k = 200 N/m")
plt.plot(counts, normalised, "o-", label="k = 200 N / L")
plt.xlabel("number of springs")
plt.ylabel("height of the lower end [m]")
plt.legend()
plt.show()
assert np.ptp(normalised) < 0.01 < np.ptp(equal)

# %% [markdown]
# ## Length limits
# Provot (1995) shortens springs that are too long after each step. The method `POSITION_BASED` does so:
# `max_stretch` is the limit, `iterations` the number of sweeps over all springs. Few sweeps leave springs beyond
# the limit, and `diagnostics()["residual"]` says by how much.
# %%
cloth = SpringNetwork.grid((7, 7), 1 / 6, mass=1.0, stiffness=10.0, bending=0, pins=[0, 6])
excesses = []
for sweeps in (1, 2, 5, 20):
    simulation = Simulation(cloth, "POSITION_BASED", dt=1 / 240, iterations=sweeps, max_stretch=0.1)
    strains, excess = [], 0.0
    for x in simulation.frames(120):
        strains.append(cloth.strains(x).max())
        excess = max(excess, simulation.integrator.residual())
    plt.plot(np.arange(1, 121) / 240, strains, label=f"sweeps: {sweeps}")
    print(f"sweeps: {sweeps:2}, they exceed the limit of 0.100 by at most {excess:.3f}")
    excesses.append(excess)
assert excesses == sorted(excesses, reverse=True)
plt.axhline(0.1, color="0.6", linestyle="--")
plt.xlabel("time [s]")
plt.ylabel("largest strain")
plt.legend()
plt.show()
