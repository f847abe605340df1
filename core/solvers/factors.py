# SPDX-License-Identifier: GPL-3.0-or-later
"""Factors of constant matrices: what they will cost, and those that were used last."""

import atexit
from collections import OrderedDict
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

import numpy as np

from .linear import factorise
from .supernodal import SupernodalFactor

# An entry of a triangular factor: a double and its row.
_ENTRY_BYTES = 12

# Factors that a first frame makes, backward Euler's and then BDF2's, and what the rest of it takes a spring [s]: of
# 10,201 vertices and 60,198 springs a first frame takes 0.47 s in all, of 40,401 vertices 2.2 s.
_FACTORS, _SPRING = 2.0, 6e-6


class FactorCost(NamedTuple):
    """Entries of a triangular factor, memory [bytes] and time [s] of making it, and of all of the first frame [s]."""

    entries: float
    memory: float
    seconds: float
    first_frame: float

    def of_blocks(self):
        """Memory and time of a factor of three rows a vertex: nine times the entries, and 27 times the products."""
        return 9.0 * self.memory, 27.0 * self.seconds


def factor_cost(network):
    """Estimate of what factorising a network's global matrix takes, before it is done.

    The vertices' distances in springs from a vertex at the rim cut the network into layers of s = n/levels
    vertices on average. Dissecting it along layers, and each half again, leaves dense blocks of s_k = s 2^(-k p)
    vertices, 2^k of them at depth k, with n^p = s: the entries grow like the sum of 2^k s_k^2, which is n log n
    for a sheet and n^(4/3) for a solid (George 1973). The factor in front is fitted on grids, lattices and
    random networks up to 100,000 vertices: entries are right within a factor of 2.5, memory within 4, and
    seconds within 6 on a processor like the one they were measured on. The first frame has its network, the steps that
    are stable and what the iterations can carry besides. Needs SciPy.
    """
    vertex_count, spring_count = network.vertex_count, network.spring_count
    if spring_count == 0:
        seconds = 1e-7 * vertex_count
        return FactorCost(vertex_count, 2 * _ENTRY_BYTES * vertex_count, seconds, 2.0 * seconds)
    reached, levels = _layers(network)
    width = reached / levels
    p = np.log(width) / np.log(reached) if width > 1.0 else 0.0
    depths = np.arange(np.log2(reached) + 1.0)
    blocks = width**2 * np.sum(2.0 ** (depths * (1.0 - 2.0 * p)))
    front = (spring_count / vertex_count) ** 0.7 * np.exp(-4.3 * (max(p, 0.5) - 0.5))
    # Parts that no spring joins are taken to be like the one that was looked at.
    filled = front * blocks * vertex_count / reached
    if width <= 2.0:
        # A chain or a ring is eliminated from its ends without filling anything.
        filled = 0.0
    entries = vertex_count + spring_count + filled
    # L and U of SuperLU, the more demanding one.
    memory = 2.0 * _ENTRY_BYTES * entries
    seconds = float(8e-8 * entries + 2.5e-10 * entries**2 / vertex_count)
    first_frame = _FACTORS * seconds + _SPRING * len(network.springs.stiffness)
    return FactorCost(float(entries), float(memory), seconds, first_frame)


def _layers(network):
    """Number of vertices joined to a vertex at the rim, and of layers of equal distance from it."""
    from scipy.sparse.csgraph import dijkstra

    incidence = abs(network.edge_incidence.matrix())
    graph = incidence.T @ incidence
    vertex = int(network.edges[0, 0])
    for _ in range(2):
        # The farthest vertex from any one lies at the rim.
        distances = dijkstra(graph, indices=vertex, unweighted=True)
        distances[~np.isfinite(distances)] = -1.0
        vertex = int(np.argmax(distances))
    return int(np.count_nonzero(distances >= 0.0)), float(distances[vertex]) + 1.0


class FactorCache:
    """The factors used last, so that going back to pins, stiffness or a step from before costs nothing.

    limit: memory [bytes] of the factors kept besides the last one.
    """

    def __init__(self, limit=256e6):
        self.limit = limit
        self.made = 0
        self._kept: OrderedDict[bytes, tuple[object, float]] = OrderedDict()
        self._lock = Lock()

    @property
    def memory(self):
        """Memory of the factors that are kept [bytes], as estimated when they were made."""
        return sum(memory for _, memory in self._kept.values())

    def factor(self, matrix, backend, memory, *, definite=False, single=False):
        """Factor of a SciPy CSC matrix as `linear.factorise` makes it, or a SupernodalFactor; kept or made.

        memory: a callable that estimates it [bytes], asked where the factor does not tell; single: whether the latter.
        """
        key = _key(matrix, "single" if single else backend)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key][0]
        made = SupernodalFactor(matrix) if single else factorise(matrix, backend, definite=definite)
        with self._lock:
            self.made += 1
            self._kept[key] = made, made.memory if hasattr(made, "memory") else memory()
            while self.memory > self.limit and len(self._kept) > 1:
                self._kept.popitem(last=False)
        return made

    def clear(self):
        """Let go of all factors."""
        with self._lock:
            self._kept.clear()


def _key(matrix, backend):
    """Digest of everything that determines a factor."""
    digest = blake2b(f"{backend} {matrix.shape}".encode(), digest_size=16)
    for array in (matrix.indptr, matrix.indices, matrix.data):
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()


# Of the process: simulations come and go with every changed setting, the factors they share stay.
FACTORS = FactorCache()

# A factor that outlives the interpreter is reported as a leak by the library that made it.
atexit.register(FACTORS.clear)
