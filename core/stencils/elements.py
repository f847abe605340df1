# SPDX-License-Identifier: GPL-3.0-or-later
"""What has an energy of its own beside springs between weighted points: volumes and pleats."""

from functools import reduce
from operator import add

import numpy as np


class ElementOperators:
    """Operators of several kinds of elements as those of one, see `VolumeOperators`; of each that there is one."""

    def __init__(self, kinds):
        self._kinds = kinds

    def stepping(self, dt):
        """The same of an implicit step of dt [s], with damping from where it `start_from`."""
        return ElementOperators([of.stepping(dt) for of in self._kinds])

    def start_from(self, x):
        """Set the positions at the start of the step that damping counts from."""
        for of in self._kinds:
            of.start_from(x)

    @property
    def firsts(self):
        """A vertex of every element."""
        return np.concatenate([of.firsts for of in self._kinds])

    def energy(self, x):
        """Energy at x [J]."""
        return sum(of.energy(x) for of in self._kinds)

    def energies(self, x):
        """Energy of every element at x [J], shape (count,)."""
        return np.concatenate([of.energies(x) for of in self._kinds])

    def add_gradient(self, x, out, *, linearise=False):
        """Add the gradient at x [N] to `out`; returns the energy [J]; linearise: see `add_product`."""
        return sum(of.add_gradient(x, out, linearise=linearise) for of in self._kinds)

    def add_product(self, p, out):
        """Add H p to `out`, H about where it was linearised last."""
        for of in self._kinds:
            of.add_product(p, out)

    def add_blocks(self, out):
        """Add to `out` what H has at each vertex itself: xx, yy, zz, xy, yz and zx, shape (6, vertex_count)."""
        for of in self._kinds:
            of.add_blocks(out)

    def hessian(self, x):
        """H about x, as SciPy BSR of three rows a vertex."""
        return reduce(add, (of.hessian(x) for of in self._kinds))

    def bound(self):
        """A matrix the same for x, y and z that is about what H is along them at rest [N/m], SciPy CSR."""
        return reduce(add, (of.bound() for of in self._kinds))
