# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that are stuck to a surface follow it exactly as it moves, spins and grows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from hooke.core import ChangingPins, Simulation, SpringNetwork
from hooke.core.attachment import Attachment
from hooke.core.changing_pins import weighed

from .surfaces import distances_by_trying

RNG = np.random.default_rng(4)


def bumpy(side=9):
    """A bumpy sheet of triangles, and points near it, some off its border."""
    grid = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, side)] * 2, indexing="ij"), axis=-1).reshape(-1, 2)
    surface = np.column_stack([grid, 0.3 * np.sin(3.0 * grid[:, 0]) * np.cos(2.0 * grid[:, 1])])
    a = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    triangles = np.concatenate(
        [np.column_stack([a, a + 1, a + side]), np.column_stack([a + 1, a + side + 1, a + side])]
    )
    points = np.column_stack([RNG.uniform(-1.2, 1.2, (40, 2)), RNG.uniform(-0.5, 0.5, 40)])
    return points, surface, triangles


def test_it_begins_where_the_points_are():
    points, surface, triangles = bumpy()
    assert_allclose(Attachment(points, surface, triangles)(surface), points, atol=1e-14)


def test_the_nearest_of_all_triangles_is_found():
    points, surface, triangles = bumpy()
    nearest = Attachment(points, surface, triangles)
    on = nearest.on(surface[nearest.corners])
    # Against points spread over every triangle.
    u, v = (share.ravel() for share in np.meshgrid(np.linspace(0, 1, 30), np.linspace(0, 1, 30)))
    inside = u + v <= 1.0
    weights = np.column_stack([1.0 - u - v, u, v])[inside]
    spread = np.einsum("wc,tcj->twj", weights, surface[triangles]).reshape(-1, 3)
    least = np.linalg.norm(points[:, None] - spread[None], axis=2).min(axis=1)
    own = np.linalg.norm(points - on, axis=1)
    assert (own <= least + 1e-12).all()
    assert_allclose(own, least, atol=0.01)


@pytest.mark.parametrize("scale", [0.2, 1.0, 7.0])
def test_it_follows_a_spinning_scaling_surface_to_rounding(scale):
    points, surface, triangles = bumpy()
    attached = Attachment(points, surface, triangles)
    for turn in Rotation.random(5, random_state=2):
        shift = RNG.uniform(-10.0, 10.0, 3)
        assert_allclose(
            attached(scale * turn.apply(surface) + shift), scale * turn.apply(points) + shift, atol=1e-13
        )


def test_points_on_it_follow_whatever_bends_it():
    _, surface, triangles = bumpy()
    weights = RNG.dirichlet(np.ones(3), len(triangles))
    points = np.einsum("tc,tcj->tj", weights, surface[triangles])
    attached = Attachment(points, surface, triangles)
    bent = surface + RNG.normal(0.0, 0.1, surface.shape)
    assert_allclose(attached(bent), np.einsum("tc,tcj->tj", weights, bent[triangles]), atol=1e-12)


def test_triangles_without_area_hold_nothing_and_what_loses_its_area_holds_on_itself():
    points, surface, triangles = bumpy()
    flat = np.concatenate([[[0, 0, 0], [0, 1, 0]], triangles])
    assert_allclose(
        Attachment(points, surface, flat)(2.0 * surface),
        Attachment(points, surface, triangles)(2.0 * surface),
    )
    assert_allclose(Attachment(points, surface, triangles)(np.full_like(surface, 3.0)), 3.0)
    with pytest.raises(ValueError, match="no triangle with an area"):
        Attachment(points, surface, flat[:2])
    with pytest.raises(ValueError, match="x, y, z of 81 vertices"):
        Attachment(points, surface, triangles)(surface[:3])


def test_pins_go_where_it_goes_and_are_let_go():
    _, surface, triangles = bumpy()
    dt, corners = 1.0 / 24.0, [0, 6, 42, 48]
    network = SpringNetwork.grid((7, 7), 0.1, pins=corners)
    attached = Attachment(network.points[corners], surface, triangles)

    def moved(x, t):
        return (1.0 + t) * Rotation.from_rotvec([0.0, 0.0, 3.0 * t]).apply(x) + [0.0, 0.0, t]

    simulation = ChangingPins(
        lambda cloth: Simulation(cloth, dt=dt, substeps=3),
        network,
        weighed(network.pins, lambda t: float(t < 9.5 * dt)),
        goals=lambda t, _: attached(moved(surface, t)),
    )
    for frame in range(1, 11):
        simulation.step()
        expected = moved(network.points[corners], frame * dt)
        assert_allclose(simulation.state.x[corners], expected, atol=1e-12)
    for _ in range(6):
        simulation.step()
    assert simulation.state.x[corners, 2].max() < moved(network.points, 16 * dt)[:, 2].min()


def test_the_nearest_triangle_holds_it_also_among_small_ones():
    points, surface, triangles = bumpy()
    # One large triangle among small ones, which is near to all.
    surface = np.concatenate([surface, [[-9.0, -9.0, -0.4], [9.0, -9.0, -0.4], [0.0, 9.0, -0.4]]])
    triangles = np.concatenate([triangles, [[81, 82, 83]]])
    held = Attachment(points, surface, triangles)
    assert 0 < (held.corners == 82).any(axis=1).sum() < len(points)
    of_held = [distances_by_trying(points[[k]], surface, held.corners[[k]])[0] for k in range(len(points))]
    assert_allclose(of_held, distances_by_trying(points, surface, triangles), atol=1e-12)


def test_nothing_is_held_of_nothing():
    _, surface, triangles = bumpy()
    assert Attachment(np.empty((0, 3)), surface, triangles)(surface).shape == (0, 3)
