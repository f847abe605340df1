# SPDX-License-Identifier: GPL-3.0-or-later
"""Flags, and winds whose air has inertia."""

import numpy as np

from hooke.core import SpringNetwork
from hooke.core.forces import Reach, Wind
from hooke.core.material import Material

SILK = Material(stretch=4e3, shear=30.0, bending=1.5e-6, area_density=0.069)


def flag(columns=18, rows=12, length=1.5, width=1.0, material=SILK):
    """A sheet whose first column is pinned, in the plane of x and z, and the numbers of its last column."""
    x, z = np.meshgrid(np.linspace(0, length, columns + 1), np.linspace(0, width, rows + 1))
    at = np.arange(x.size).reshape(x.shape)
    faces = np.stack([at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]], -1).reshape(-1, 4)
    pins = np.zeros(x.size)
    pins[at[:, 0]] = 1.0
    points = np.column_stack([x.ravel(), np.zeros(x.size), z.ravel()])
    return SpringNetwork.from_mesh(points, faces=faces, material=material, pins=pins), at[:, -1]


def along_x(yaw=0.05):
    """A pose whose z axis, along which wind blows, is x turned a little."""
    z, x = np.array([np.cos(yaw), np.sin(yaw), 0.0]), np.array([0.0, 0.0, 1.0])
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    return pose


def wind(speed, **options):
    """A wind along x whose air has inertia."""
    return Wind(speed, Reach(along_x()), inertia=1.0, **options)


def pure(speed):
    """The same without drag or lift."""
    return Wind(speed, Reach(along_x(0.0)), inertia=1.0, normal=0.0, lift=0.0, tangential=0.0)
