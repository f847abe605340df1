# SPDX-License-Identifier: GPL-3.0-or-later
# %% [markdown]
# # The oscillator, with every integrator
#
# A particle of mass `m` hangs on one spring of rest length 0 at a fixed particle. Its exact motion is `x(t) = x0
# cos wt` with `w = sqrt(k/m)`. Here `x0` is 1 m and the period is 1 s.
# %%
import matplotlib.pyplot as plt
import numpy as np

from hooke.core import INTEGRATORS, Simulation, SpringNetwork

w = 2 * np.pi
spring = SpringNetwork(
    [[0, 0, 0], [1, 0, 0]], [[0, 1]], masses=1.0, stiffness=w**2, rest_lengths=0.0, pins=[0]
)


def motion(method, dt, count):
    """Position [m] and velocity [m/s] at the start and after each of count steps of dt [s]."""
    simulation = Simulation(spring, method, dt=dt, gravity=0)
    states = [simulation.state]
    for _ in range(count):
        simulation.step()
        states.append(simulation.state)
    return np.array([s.x[1, 0] for s in states]), np.array([s.v[1, 0] for s in states])


# %% [markdown]
# ## Position
# Each method takes 25 steps a period. The grey curve is exact.
# %%
dt, count = 1 / 25, 75
t, fine = dt * np.arange(count + 1), np.linspace(0, 3, 300)
figure, panels = plt.subplots(3, 3, figsize=(9, 6), sharex=True, sharey=True)
for panel, (name, method) in zip(panels.flat, INTEGRATORS.items(), strict=True):
    panel.plot(fine, np.cos(w * fine), color="0.75", linewidth=4)
    panel.plot(t, motion(name, dt, count)[0])
    panel.set(title=method.label, ylim=(-2, 2))
figure.supxlabel("time [s]")
figure.supylabel("position [m]")
figure.tight_layout()
plt.show()

# %% [markdown]
# ## Energy
# Explicit Euler gains energy in every step, implicit Euler loses it. With a symplectic method the energy
# oscillates about its first value.
# %%
for name, method in INTEGRATORS.items():
    x, v = motion(name, dt, count)
    energy = (w**2 * x**2 + v**2) / w**2
    plt.semilogy(t, energy, label=method.label)
    print(f"{method.label:20} energy after 3 s: {energy[-1]:8.3g} times the first")
plt.xlabel("time [s]")
plt.ylabel("energy over the first")
plt.legend(fontsize=7)
plt.show()

# %% [markdown]
# Symplectic Euler conserves one quantity exactly: `v² + w² x² - dt w² v x`.
# %%
x, v = motion("SYMPLECTIC_EULER", dt, count)
conserved = v**2 + w**2 * x**2 - dt * w**2 * v * x
assert np.ptp(conserved) < 1e-10 * conserved[0]

# %% [markdown]
# ## Order
# This picture shows the largest error within a period over the step. In a log-log plot the slope is the method's
# order.
# %%
counts = 2 ** np.arange(4, 9)
for name in ("SYMPLECTIC_EULER", "MODIFIED_EULER", "RK2", "VERLET", "RK4"):
    errors = [np.abs(motion(name, 1 / n, n)[0] - np.cos(w * np.arange(n + 1) / n)).max() for n in counts]
    slope = np.polyfit(np.log(1 / counts), np.log(errors), 1)[0]
    order = Simulation(spring, name, dt=dt).integrator.order
    plt.loglog(1 / counts, errors, "o-", label=f"{name}: slope {slope:.2f}, order {order}")
    assert abs(slope - order) < 0.2
plt.xlabel("step [s]")
plt.ylabel("largest error [m]")
plt.legend()
plt.show()
