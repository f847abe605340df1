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

from hooke.core import Simulation, SpringNetwork, State

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
# Provot (1995) shortens springs that are too long after each step: their ends move towards each other, and pins
# stay. This lengthens the neighbours, so it takes several sweeps over all springs, and some excess remains. The
# method `POSITION_BASED` sweeps too. Then it moves all springs beyond the limit at once, by the solution of a linear
# system (Goldenthal et al. 2007). So `max_stretch` holds with any number of sweeps.
# %%
cloth = SpringNetwork.grid((5, 5), 1 / 4, mass=1.0, stiffness=10.0, bending=0, pins=[0, 4])
dt, limit, steps = 1 / 240, 0.1, 96
longest = (1 + limit) * cloth.rest_lengths
free = 1.0 * (cloth.pins == 0)


def shortened(x, sweeps):
    """Positions with springs at their limits, as far as so many sweeps reach."""
    x = x.copy()
    for _ in range(sweeps):
        for (i, j), most in zip(cloth.edges, longest, strict=True):
            u = x[i] - x[j]
            length = np.sqrt(u @ u)
            if length > most:
                move = (length - most) / length * u / (free[i] + free[j])
                x[i] -= free[i] * move
                x[j] += free[j] * move
    return x


excesses = []
for sweeps in (1, 2, 5, 20):
    simulation = Simulation(cloth, "SYMPLECTIC_EULER", dt=dt)
    strains = []
    for _ in range(steps):
        before = simulation.state
        simulation.step()
        x = shortened(simulation.state.x, sweeps)
        simulation.state = State(x, (x - before.x) / dt, before.t + dt)
        strains.append(cloth.strains(x).max())
    excesses.append(max(strains) - limit)
    print(f"sweeps: {sweeps:2}, they exceed the limit of {limit:.3f} by at most {excesses[-1]:.4f}")
    plt.plot(dt * np.arange(1, steps + 1), strains, label=f"sweeps: {sweeps}")
assert excesses == sorted(excesses, reverse=True)

simulation = Simulation(cloth, "POSITION_BASED", dt=dt, iterations=2, max_stretch=limit)
strains = [cloth.strains(x).max() for x in simulation.frames(steps)]
plt.plot(dt * np.arange(1, steps + 1), strains, "k--", label="POSITION_BASED, two sweeps")
print(f"POSITION_BASED with two sweeps exceeds it by at most {max(strains) - limit:.4f}")
assert max(strains) < 1.002 * limit
plt.xlabel("time [s]")
plt.ylabel("largest strain")
plt.legend()
plt.show()
