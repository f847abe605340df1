# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # Springs and symplectic Euler
#
# A mass-spring system is a set of point masses `m` [kg] joined by springs of stiffness `k` [N/m] and rest length
# `L` [m]. A spring between `i` and `j` has the direction `n = (x_i - x_j) / |x_i - x_j|` and the energy `V = k/2
# (|x_i - x_j| - L)²`. It pulls `i` with the force `f_i = -k (|x_i - x_j| - L) n` and `j` with `-f_i`. A damper of
# strength `µ` [N s/m] adds `-µ ((v_i - v_j)·n) n`.
# %%
import matplotlib.pyplot as plt
import numpy as np

from hooke.core import Simulation, SpringNetwork, forces

points = [[0.25 * i, 0, 0] for i in range(9)]
springs = [[i, i + 1] for i in range(8)]
rope = SpringNetwork(points, springs, masses=0.05, stiffness=400, damping=0.1, pins=[0])

# %% [markdown]
# ## The force is minus the slope of the energy
# Central differences of the energy must give minus the force. This check uses random positions.
# %%
x = rope.points + np.random.default_rng(1).normal(0, 0.05, rope.points.shape)
step = 1e-6
slopes = np.zeros_like(x)
for entry in np.ndindex(*x.shape):
    shift = np.zeros_like(x)
    shift[entry] = step
    slopes[entry] = (forces.spring_energy(rope, x + shift) - forces.spring_energy(rope, x - shift)) / (
        2 * step
    )
difference = np.abs(forces.spring_forces(rope, x) + slopes).max()
print(f"The force and minus the slope differ by at most {difference:.0e} N.")
assert difference < 1e-5

# %% [markdown]
# ## One step, written out
# Symplectic Euler changes the velocity first: `v' = v + dt f/m`. The new velocity then moves the position: `x' =
# x + dt v'`.
# %%
dt, g = 0.002, np.array([0.0, 0.0, -9.81])
x, v = rope.points.copy(), np.zeros_like(rope.points)
free = rope.pins < 1.0
for _ in range(500):
    f = forces.spring_forces(rope, x) + forces.damping_forces(rope, x, v) + rope.masses[:, None] * g
    v[free] += dt * (f / rope.masses[:, None])[free]
    x += dt * v

simulation = Simulation(rope, "SYMPLECTIC_EULER", dt=dt)
frames = list(simulation.frames(500))
print(f"After 1 s these lines and Hooke differ by {np.abs(x - simulation.state.x).max():.0e} m.")
assert np.allclose(x, simulation.state.x, atol=1e-9)

# %% [markdown]
# ## The rope swings
# One line every 0.1 s, from blue to yellow.
# %%
for number in range(0, 500, 50):
    plt.plot(*frames[number][:, [0, 2]].T, "o-", color=plt.cm.viridis(number / 500), markersize=4)
plt.axis("equal")
plt.xlabel("x [m]")
plt.ylabel("z [m]")
plt.title("A rope, pinned at its left end and released")
plt.show()

# %% [markdown]
# ## How large a step may be
# With symplectic Euler, an undamped spring of angular frequency `w = sqrt(k/m)` stays bounded for `dt < 2/w`.
# `diagnostics()` reports this limit for the whole network as `stable_dt`.
# %%
limit = simulation.diagnostics()["stable_dt"]
print(f"The largest stable step is {limit * 1e3:.2f} ms; the rope above used {dt * 1e3:.0f} ms.")
assert dt < limit
for factor in (0.9, 1.1):
    probe = Simulation(rope, "SYMPLECTIC_EULER", dt=factor * limit, gravity=0)
    probe.state = type(probe.state)(rope.points * [1.0001, 1, 1], np.zeros_like(rope.points), 0.0)
    lengths = []
    try:
        for _ in range(400):
            probe.step()
            lengths.append(np.abs(probe.state.x - rope.points).max())
    except ArithmeticError as error:
        print(f"At {factor} of the limit Hooke stops: {error}")
    plt.semilogy(lengths, label=f"{factor} of the limit")
plt.xlabel("step")
plt.ylabel("largest distance from rest [m]")
plt.legend()
plt.show()
