# SPDX-License-Identifier: GPL-3.0-or-later
"""A motion as a few shapes with weights over time, within a tolerance at every vertex of every frame.

Truncating the singular value decomposition of the motion (principal component analysis) minimises the mean square
error; what one sees is the largest. Alternating with weights on frames and vertices that grow where the error is
large (Lawson 1961, "Contributions to the theory of linear least maximum approximation", applied to a subspace)
brings the largest error down to a third to a half of that, which saves a third of the shapes.

Frames are read in blocks and in order, several times: memory stays at a few times the shapes' own size and one
block, however long the motion is.
"""

from typing import NamedTuple

import numpy as np

# Positions of one block of frames [bytes], in float64.
BLOCK_BYTES = 64e6
MOST_FRAMES_IN_BLOCK = 256
# The span of the motion is found to this share of the tolerance before shapes are chosen in it.
_SPAN_SHARE = 0.02
# Rounds of reweighting before a number of shapes is given up.
_ROUNDS = 6


class PrincipalShapes(NamedTuple):
    """Positions basis + sum_k weights[i, k] (shapes[k] - basis) of every frame i.

    shapes: positions [m], float32, shape (shape_count, vertex_count, 3), by falling share in the motion.
    weights: float32 within -1 and 1, shape (frame_count, shape_count); each shape reaches one of the two. Where they
    were asked for without signs, all are within 0 and 1, and where that takes it, the first shape's are 1 throughout.
    largest_error: largest distance [m] over all vertices and frames, of positions summed in float32.
    """

    shapes: np.ndarray
    weights: np.ndarray
    largest_error: float


def principal_shapes(frames, basis, tolerance, stop=None, *, signed=True):
    """PrincipalShapes of a motion: as few as found to keep every vertex within the tolerance in every frame.

    frames: sequence of positions [m], shape (vertex_count, 3) each; read by index, in blocks.
    basis: positions [m] that the shapes are relative to, shape (vertex_count, 3); tolerance [m], above 0.
    stop: called now and then; what it raises passes through. signed: whether weights may be below 0; where not, one
    shape more says where all others begin, if any would need such weights.
    Raises ValueError for a tolerance that float32 positions cannot keep.
    """
    if not tolerance > 0.0 or not np.isfinite(tolerance):
        raise ValueError(f"a tolerance of {tolerance:g} m is not positive: give one above 0")
    if len(frames) == 0:
        raise ValueError("there are no frames to find shapes of: give at least one")
    search = _Search(frames, np.asarray(basis, dtype=np.float64), tolerance, stop or (lambda: None))
    found = search.fewest(signed)
    if found is None or found.largest_error > tolerance:
        reached = "" if found is None else f", only {found.largest_error:.2g} m"
        raise ValueError(
            f"float32 shapes cannot keep the motion within {tolerance:g} m{reached}: choose a larger tolerance, or a "
            "bake of every frame"
        )
    return found


def vertex_errors(shapes, weights, basis, frames):
    """Distance [m] of every vertex from every frame, shape (frame_count, vertex_count), float32.

    The shapes are added to the basis one after the other in float32, as Blender evaluates relative shape keys.
    """
    basis = np.asarray(basis, dtype=np.float32)
    shown = np.repeat(basis[None], len(weights), axis=0)
    for shape, weight in zip(shapes, weights.T, strict=True):
        shown += weight[:, None, None] * (shape - basis)
    return np.linalg.norm(shown - np.asarray(frames, dtype=np.float32), axis=2)


class _Search:
    """The motion's span and coordinates in it, and the shapes found with given weights.

    span: orthonormal rows, shape (rank, 3 vertex_count); coordinates: shape (frame_count, rank).
    """

    def __init__(self, frames, basis, tolerance, stop):
        self.frames, self.basis, self.tolerance, self.stop = frames, basis, tolerance, stop
        size = int(BLOCK_BYTES / (8 * max(1, basis.size)))
        self.block = min(max(size, 8), MOST_FRAMES_IN_BLOCK)
        self.span, self.coordinates = self._find_span()
        self._frame_weights = np.ones(len(frames))
        self._vertex_weights = np.ones(len(basis))

    def fewest(self, signed):
        """PrincipalShapes of the fewest shapes found to keep the tolerance, or None where not even all do."""
        rank = len(self.span)
        # Without reweighting first: an upper bound at one decomposition.
        shapes = self._decompose()
        enough = _smallest(1, rank, lambda count: self._errors(shapes, count)[0].max() <= self.tolerance)
        if enough is None:
            enough = rank
        best = (self._frame_weights, self._vertex_weights)

        def keeps(count):
            nonlocal best
            reached = self._reweighted(count)
            if reached:
                best = (self._frame_weights, self._vertex_weights)
            return reached

        count = enough if enough == 1 else (_smallest(max(1, enough // 2), enough - 1, keeps) or enough)
        if count == enough:
            best = (np.ones(len(self.frames)), np.ones(len(self.basis)))
        self._frame_weights, self._vertex_weights = best
        shapes = self._decompose()
        while True:
            found = self._rounded(shapes, count, signed)
            # Rounding to float32 may take a hair more than the search allowed for.
            if found.largest_error <= self.tolerance or count >= rank:
                return found
            count += 1

    def _find_span(self):
        """Orthonormal rows that hold every frame to a small share of the tolerance, and the frames in them."""
        span = np.zeros((0, self.basis.size))
        for _, motion in self._blocks():
            rest = _without(motion, span)
            # Energies are squares, which halve the digits: what is small beside the first is found in the next round.
            while _largest(rest) > _SPAN_SHARE * self.tolerance:
                span = np.vstack([span, self._directions(rest)])
                rest = _without(motion, span)
        if not len(span):
            span = np.eye(1, self.basis.size)
        coordinates = np.vstack([motion @ span.T for _, motion in self._blocks()])
        return span, coordinates

    def _directions(self, rest):
        """The fewest principal directions of some frames that leave only a share of the tolerance, or those found."""
        energies, modes = np.linalg.eigh(rest @ rest.T)
        modes = modes[:, np.flatnonzero(energies > 1e-13 * energies[-1])[::-1]]
        projected = modes.T @ rest
        limit = _SPAN_SHARE * self.tolerance
        count = _smallest(
            1, len(projected), lambda count: _largest(rest - modes[:, :count] @ projected[:count]) <= limit
        )
        return np.linalg.qr(projected[:count].T)[0].T

    def _decompose(self):
        """Principal shapes under the weights, all of them, and each frame's amounts of them.

        Returns shapes, shape (rank, rank) as rows in the span, and amounts, shape (frame_count, rank).
        """
        # Of rows √u_i times the motion times √w: the metric of the vertices' weights within the span.
        metric = self._metric()
        factor = np.linalg.cholesky(metric)
        scaled = np.sqrt(self._frame_weights)[:, None] * (self.coordinates @ factor)
        _, directions = np.linalg.eigh(scaled.T @ scaled)
        directions = directions[:, ::-1]
        # Rows of `shapes` are orthonormal in the metric, so that projecting on them is a product.
        shapes = np.linalg.solve(factor.T, directions).T
        amounts = self.coordinates @ factor @ directions
        return shapes, amounts

    def _metric(self):
        if (self._vertex_weights == 1.0).all():
            return np.eye(len(self.span))
        metric = np.zeros((len(self.span), len(self.span)))
        roots = np.repeat(np.sqrt(self._vertex_weights), 3)
        step = max(1, int(BLOCK_BYTES / (8 * len(self.span))))
        for begin in range(0, self.basis.size, step):
            part = self.span[:, begin : begin + step] * roots[begin : begin + step]
            metric += part @ part.T
        return metric

    def _errors(self, decomposition, count):
        """Largest error [m] of every frame, and of every vertex, with so many shapes."""
        shapes, amounts = decomposition
        positions = (shapes[:count] @ self.span).astype(np.float32)
        by_frame, by_vertex = np.zeros(len(self.frames)), np.zeros(len(self.basis))
        for begin, motion in self._blocks(np.float32):
            motion -= amounts[begin : begin + len(motion), :count].astype(np.float32) @ positions
            distances = np.sqrt(np.einsum("ijk,ijk->ij", *2 * [motion.reshape(len(motion), -1, 3)]))
            by_frame[begin : begin + len(motion)] = distances.max(axis=1)
            np.maximum(by_vertex, distances.max(axis=0), out=by_vertex)
        return by_frame, by_vertex

    def _reweighted(self, count):
        """Whether so many shapes keep the tolerance after some rounds of reweighting; leaves the weights so."""
        before = np.inf
        for _ in range(_ROUNDS):
            by_frame, by_vertex = self._errors(self._decompose(), count)
            largest = by_frame.max()
            if largest <= self.tolerance:
                return True
            # Far off and hardly nearer: more rounds would not get there.
            if largest > 1.5 * self.tolerance and largest > 0.9 * before:
                return False
            before = largest
            self._frame_weights = _grown(self._frame_weights, by_frame)
            self._vertex_weights = _grown(self._vertex_weights, by_vertex)
        return False

    def _rounded(self, decomposition, count, signed):
        """The first shapes in float32, scaled so that their weights reach 1 or -1, with the error they have then."""
        shapes, amounts = decomposition
        shapes, amounts = (_scaled if signed else _shifted)(shapes[:count], amounts[:, :count])
        positions = shapes @ self.span
        positions += self.basis.ravel()
        positions = positions.astype(np.float32).reshape(len(shapes), -1, 3)
        weights = np.clip(amounts, -1.0 if signed else 0.0, 1.0).astype(np.float32)
        largest = 0.0
        # Twice the block is held here: the frames and their sums.
        step = max(1, self.block // 2)
        for begin in range(0, len(self.frames), step):
            self.stop()
            frames = self._read(begin, step, np.float32)
            errors = vertex_errors(positions, weights[begin : begin + step], self.basis, frames)
            largest = max(largest, float(errors.max(initial=0.0)))
        return PrincipalShapes(positions, weights, largest)

    def _blocks(self, kind=np.float64):
        """Generator of (index of the first frame, the frames' motion away from the basis, a row each)."""
        basis = self.basis.astype(kind)
        for begin in range(0, len(self.frames), self.block):
            self.stop()
            motion = self._read(begin, self.block, kind)
            motion -= basis
            yield begin, motion.reshape(len(motion), -1)

    def _read(self, begin, count, kind):
        end = min(begin + count, len(self.frames))
        block = np.empty((end - begin, *self.basis.shape), dtype=kind)
        for index in range(begin, end):
            block[index - begin] = self.frames[index]
        return block


def _scaled(shapes, amounts):
    """Shapes, rows, and amounts of them, shape (frame_count, shape_count), that reach 1 or -1, with the same sums."""
    reach = np.abs(amounts).max(axis=0)
    reach[reach == 0.0] = 1.0
    return reach[:, None] * shapes, amounts / reach


def _shifted(shapes, amounts):
    """As `_scaled`, with amounts within 0 and 1: those of a shape that is put first are 1, where any would be below 0.

    It is where all others are at their least. Each counts in the direction in which it goes further: that is nearer.
    """
    turns = np.where(amounts.max(axis=0) < -amounts.min(axis=0), -1.0, 1.0)
    shapes, amounts = turns[:, None] * shapes, turns * amounts
    least = np.minimum(amounts.min(axis=0), 0.0)
    first = least @ shapes
    shapes, amounts = _scaled(shapes, amounts - least)
    if not least.any():
        return shapes, amounts
    return np.vstack([first, shapes]), np.hstack([np.ones((len(amounts), 1)), amounts])


def _without(motion, span):
    """The motion less its projection on the orthonormal rows of the span; twice, since once leaves rounding."""
    rest = motion - (motion @ span.T) @ span
    return rest - (rest @ span.T) @ span


def _largest(motion):
    """Length of the longest vector in rows of them."""
    vectors = motion.reshape(len(motion), -1, 3)
    return float(np.sqrt(np.einsum("ijk,ijk->ij", vectors, vectors).max(initial=0.0)))


def _grown(weights, errors):
    """Weights times the root of the errors, the largest 1; none vanishes, since it could not grow again."""
    grown = weights * np.sqrt(np.maximum(errors, 1e-3 * errors.max()))
    return np.maximum(grown / grown.max(), 1e-6)


def _smallest(first, last, holds):
    """The smallest whole number from first to last that `holds`, by bisection, or None if not even the last does."""
    found = None
    while first <= last:
        middle = (first + last) // 2
        if holds(middle):
            found, last = middle, middle - 1
        else:
            first = middle + 1
    return found
