# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # A lattice that falls on a floor
#
# A box of particles is tilted above a floor and released. Springs join neighbours at distances of 1, √2 and √3
# times the spacing: the edges, the face diagonals and the body diagonals of the cells. Each set of springs can be
# left out.
# %%
import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Line3DCollection

from hooke.core import Plane, Simulation, SpringNetwork, State

SPRINGS = {"1": ("FACE",), "1, √2": ("FACE", "EDGE"), "1, √2, √3": ("FACE", "EDGE", "CORNER")}


def tilted(points):
    """Points turned by 0.5 rad about x and 0.4 rad about y, with the lowest 0.5 m above z = 0."""
    c, s, d, e = np.cos(0.5), np.sin(0.5), np.cos(0.4), np.sin(0.4)
    about_x = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    about_y = np.array([[d, 0, e], [0, 1, 0], [-e, 0, d]])
    points = points @ about_x.T @ about_y.T
    return points + np.array([0, 0, 0.5 - points[:, 2].min()])


def dropped(reach, **options):
    """A Simulation of the tilted box above the floor z = 0 by Verlet, and the box."""
    box = SpringNetwork.lattice((4, 4, 4), 0.2, reach=reach, masses=0.05, stiffness=400, damping=0.2)
    simulation = Simulation(box, "VERLET", dt=1 / 24, substeps=20, contacts=Plane(friction=0.5), **options)
    simulation.state = State(tilted(box.points), np.zeros_like(box.points), 0.0)
    return simulation, box


# %% [markdown]
# ## Which springs hold the shape
# With the edges alone each layer can slide over the next, and the box collapses. The face diagonals prevent that.
# %%
figure = plt.figure(figsize=(9, 8))
heights = {}
for row, (label, reach) in enumerate(SPRINGS.items()):
    simulation, box = dropped(reach)
    for column, frame in enumerate((0, 8, 32)):
        for _ in simulation.frames(frame - round(simulation.state.t * 24)):
            pass
        x = simulation.state.x
        axes = figure.add_subplot(3, 3, 3 * row + column + 1, projection="3d")
        axes.add_collection3d(Line3DCollection(x[box.edges], colors="0.6", linewidths=0.4))
        axes.scatter(*x.T, c=box.points[:, 2], s=8)
        (left, right), (near, far) = (x[:, axis].mean() + np.array([-0.6, 0.6]) for axis in (0, 1))
        axes.set(xlim=(left, right), ylim=(near, far), zlim=(0, 1.2), title=f"{label}: {frame / 24:.1f} s")
        axes.set(xticklabels=[], yticklabels=[], zticklabels=[])
    heights[label] = np.ptp(simulation.state.x[:, 2])
    print(f"{label:10} {box.spring_count} springs, height after 1.3 s: {heights[label]:.2f} m")
figure.tight_layout()
plt.show()
assert heights["1"] < 0.5 * heights["1, √2, √3"]

# %% [markdown]
# ## Verlet with and without λ
# Damped Verlet steps with `x(t+dt) = (2 - λ) x(t) - (1 - λ) x(t-dt) + a dt²`: in each step it removes the share
# `λ` of the velocity. It damps all motion, also the fall. In Hooke `λ` is `damping_factor`. The setting
# `damping_rate` is the `c` of `λ = 1 - exp(-c dt)`: the same damping for any `dt`.
# %%
for factor in (0.0, 0.002, 0.01):
    simulation, box = dropped(SPRINGS["1, √2, √3"], damping_factor=factor)
    means = [x[:, 2].mean() for x in simulation.frames(48)]
    plt.plot(np.arange(1, 49) / 24, means, label=f"λ = {factor}")
plt.xlabel("time [s]")
plt.ylabel("mean height [m]")
plt.legend()
plt.show()
