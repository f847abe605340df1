# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # Projective dynamics with a prefactored matrix
#
# An implicit step minimises `1/(2 dt²) |M^½ (x - y)|² + V(x)`. Here `y = x + dt v + dt² f_ext/m` is where the
# particles would move without springs. Liu, Bargteil, O'Brien and Kavan (2013) write the energy of a spring as
# the minimum of `k/2 |A x - d|²` over all vectors `d` of length `L`. For fixed `d` the minimum over `x` is
# linear: `Q x = b` with `Q = M/dt² + Aᵀ K A` and `b = M y/dt² + Aᵀ K d`. `Q` is constant, so it is factorised
# once.
# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse

from hooke.core import Simulation, SpringNetwork

sheet = SpringNetwork.grid((9, 9), 0.1, mass=0.2, stiffness=500, pins=[0, 8])
dt = 1 / 30
simulation = Simulation(sheet, "PROJECTIVE_DYNAMICS", dt=dt, iterations=1)
method = simulation.integrator

# %% [markdown]
# ## A, the incidence matrix
# It has one row for each spring, with +1 at one end and -1 at the other.
# %%
A = sheet.incidence.matrix()
print(f"A: {A.shape[0]} springs x {A.shape[1]} particles, {A.nnz} entries")
K, L = sheet.springs.stiffness, sheet.springs.rest_lengths

# %% [markdown]
# ## Q, the matrix of the global step
# It has one row for each particle. All three axes share it. Pinned particles have the identity's rows and
# columns.
# %%
Q = method.matrix
by_hand = sparse.diags(sheet.masses / dt**2) + A.T @ sparse.diags(K) @ A
free = np.setdiff1d(np.arange(sheet.vertex_count), sheet.hard_pins)
assert np.allclose(Q.toarray()[np.ix_(free, free)], by_hand.toarray()[np.ix_(free, free)])

factor = np.linalg.cholesky(Q.toarray())
figure, (left, right) = plt.subplots(1, 2, figsize=(8, 4))
left.spy(Q, markersize=2)
left.set_title(f"Q: {Q.nnz} entries")
right.spy(np.abs(factor) > 1e-12, markersize=2)
right.set_title("its Cholesky factor, not reordered")
plt.show()

# %% [markdown]
# ## b, and a step by hand
# The local step chooses `d = L n` from the springs' current directions `n`. The global step solves `Q x = b`. The
# loop below repeats both, and compares the result with Hooke's own iterations.
# %%
x, moves = None, []
for _ in range(40):
    b = method.right_side(simulation.state, x)
    new = method.factor.solve(b)
    if x is not None:
        moves.append(np.abs(new - x).max())
    x = new
reference = Simulation(sheet, "PROJECTIVE_DYNAMICS", dt=dt, iterations=40)
reference.step()
print(f"The loop and Hooke's 40 iterations differ by {np.abs(reference.state.x - x).max():.0e} m.")
assert np.allclose(reference.state.x, x, atol=1e-9)

plt.semilogy(moves)
plt.xlabel("iteration")
plt.ylabel("largest change of a position [m]")
plt.title("Local/global iterations converge linearly")
plt.show()

# %% [markdown]
# ## Solved
# Each iteration only solves with the factor. When a pin moves, `b` changes and `Q` does not.
# %%
frames = list(Simulation(sheet, dt=dt, iterations=10).frames(30))
corners = [9 * i + j for i in range(8) for j in range(8)]
triangles = [t for p in corners for t in ((p, p + 1, p + 9), (p + 1, p + 10, p + 9))]
figure = plt.figure(figsize=(9, 3))
for column, number in enumerate((0, 9, 29)):
    axes = figure.add_subplot(1, 3, column + 1, projection="3d")
    axes.plot_trisurf(*frames[number].T, triangles=triangles, cmap="viridis")
    axes.set(title=f"{(number + 1) / 30:.2f} s", zlim=(-0.8, 0.1))
plt.show()
