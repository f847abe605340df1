# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of a kernel: arrays by name, kind and shape, written in one line."""

import ctypes
import re
from typing import Any, NamedTuple

import numpy as np

_ARGUMENT = re.compile(r"(\w+)(?::(\w+))?(?:\(([\w,+]*)\))?(?:(<=?)(\w+))?")
_CHOICE = re.compile(r"(\w+)=(\d)\|(\w+)")
# The types of C, by NumPy's kinds.
KINDS = {"f8": "double", "f4": "float", "i4": "int32_t", "i8": "int64_t", "u1": "uint8_t"}
_NUMBERS = {"f8": ctypes.c_double, "f4": ctypes.c_float, "i4": ctypes.c_int32, "i8": ctypes.c_int64}

# Sets of shapes of a kernel that are known to fit: of the networks and contacts of a scene.
_REMEMBERED = 64


class Argument(NamedTuple):
    """One argument: an array, or a number where `dimensions` is None.

    kind: a key of KINDS; dimensions: names, names and one more, or numbers; below: the size that indices lie below, or
    None; reaching: whether they may be that size itself; written: whether the kernel writes to it; plain: whether it is
    an array of no indices.
    """

    name: str
    kind: str
    dimensions: tuple[str, ...] | None
    below: str | None
    reaching: bool
    written: bool
    dtype: np.dtype
    number: Any
    plain: bool


class Sizes(NamedTuple):
    """Sizes of arrays in the order of `Signature.sizes`, and as C is given them."""

    counts: list[int]
    words: list[Any]


class Signature:
    """The arguments of a kernel and the sizes that their shapes name.

    text: as in "x(3,n) k(m) heads(m)<n tails(m)<n scale:f8 -> out(3,n)": each argument with its kind, float64 unless
    said, its shape, and, of indices, which are int32, the size that they lie below, or with <= do not pass; after the
    arrow what is written. After "where", as in "where d=0|n q=1|n", sizes that are one of two.
    """

    def __init__(self, text):
        text, _, choices = text.partition(" where ")
        choices = [_matched(_CHOICE, choice) for choice in choices.split()]
        given, _, written = text.partition("->")
        self.arguments = tuple(
            _argument(word, out) for part, out in ((given, False), (written, True)) for word in part.split()
        )
        arrays = [argument for argument in self.arguments if argument.dimensions is not None]
        # Of all dimensions of all arrays, one after another: which array's, and its label, more, and fixed size.
        self._dimensions = [
            (argument, *_dimension(size)) for argument in arrays for size in argument.dimensions
        ]
        labels = [label for _, label, _, _ in self._dimensions]
        self.sizes = tuple(dict.fromkeys(label for label in labels if label is not None))
        self._of_each = [len(argument.dimensions) for argument in arrays]
        # Where each size is told first, and where what is told again, or known, has to be the same.
        self._first = [(labels.index(size), self._dimensions[labels.index(size)][2]) for size in self.sizes]
        self._again = [
            (place, self.sizes.index(label), more)
            for place, (_, label, more, _) in enumerate(self._dimensions)
            if label is not None and labels.index(label) != place
        ]
        self._fixed = [
            (place, fixed) for place, (_, label, _, fixed) in enumerate(self._dimensions) if label is None
        ]
        self._choices = [
            (self.sizes.index(size), int(number), self.sizes.index(other)) for size, number, other in choices
        ]
        numbered = list(enumerate(self.arguments))
        self._arrays = [number for number, argument in numbered if argument.dimensions is not None]
        self._indexed = [number for number, argument in numbered if argument.below is not None]
        indexed = [self.arguments[number] for number in self._indexed]
        self._below = [(argument, self.sizes.index(argument.below)) for argument in indexed]
        self._fitting: dict[tuple, Sizes] = {}

    def measure(self, name, values):
        """The Sizes of arrays; raises ValueError where there are others than shapes that fit each other.

        IndexError where indices were looked at for more than there is, TypeError for what is neither.
        """
        if len(values) != len(self.arguments):
            raise ValueError(f"{name} is given {len(values)} arguments of {len(self.arguments)}")
        try:
            shapes = tuple([values[number].shape for number in self._arrays])
            belows = tuple([values[number].below for number in self._indexed])
        except AttributeError as error:
            raise TypeError(f"{name}: {error}") from error
        # Shapes that were found to fit before do so again.
        sizes = self._fitting.get((shapes, belows))
        if sizes is None:
            counts = self._counts(name, shapes, belows)
            sizes = Sizes(counts, list(map(ctypes.c_int64, counts)))
            if len(self._fitting) >= _REMEMBERED:
                self._fitting.clear()
            self._fitting[shapes, belows] = sizes
        return sizes

    def _counts(self, name, shapes, belows):
        if list(map(len, shapes)) != self._of_each:
            raise ValueError(
                f"{name}: arrays have the shapes {shapes}, of other dimensions than {self._of_each}"
            )
        flat = [count for shape in shapes for count in shape]
        counts = [flat[place] - more for place, more in self._first]
        for place, number, more in self._again:
            if flat[place] != counts[number] + more:
                self._refuse(name, flat, place, counts[number] + more)
        for place, fixed in self._fixed:
            if flat[place] != fixed:
                self._refuse(name, flat, place, fixed)
        for place, more in self._first:
            if flat[place] < more:
                self._refuse(name, flat, place, f"{more} at least")
        for number, count, other in self._choices:
            if counts[number] not in (count, counts[other]):
                one, another = self.sizes[number], self.sizes[other]
                raise ValueError(
                    f"{name}: {one} is {counts[number]}: it must be {count} or {another}, {counts[other]}"
                )
        for (argument, number), below in zip(self._below, belows, strict=True):
            if below > counts[number] + argument.reaching:
                raise IndexError(
                    f"{name}: {argument.name} holds indices below {below}, of {counts[number]} there are"
                )
        return counts

    def _refuse(self, name, flat, place, wanted):
        """Raise ValueError for a dimension that should be what others are."""
        argument, label, _, fixed = self._dimensions[place]
        raise ValueError(
            f"{name}: {argument.name} is of {argument.dimensions}, where {label or fixed} is {wanted} by the others, "
            f"not {flat[place]}"
        )


class Indices:
    """Indices that were looked at once: int32, each from 0 to below.

    Raises IndexError where one is not, so that none out of range reaches C, TypeError where they are no integers.
    """

    def __init__(self, values, below):
        values = np.asarray(values)
        if values.size and values.dtype.kind not in "iu":
            raise TypeError(f"indices are {values.dtype}: use integers")
        if values.size and not 0 <= values.min() <= values.max() < below:
            raise IndexError(
                f"indices from {values.min()} to {values.max()} do not lie from 0 to {below - 1}"
            )
        if below > np.iinfo(np.int32).max:
            raise IndexError(f"indices below {below} are more than 32 bits hold")
        # A copy: what was looked at stays.
        self._keep(np.array(values, dtype=np.int32, order="C"), below)

    def chosen(self, which):
        """Those of some rows, which need not be looked at again."""
        return Indices._known(self.values.take(which, axis=0), self.below)

    @classmethod
    def joined(cls, several):
        """Several below the same, one after the other."""
        return cls._known(
            np.concatenate([each.values for each in several]), max(each.below for each in several)
        )

    @classmethod
    def _known(cls, values, below):
        found = object.__new__(cls)
        found._keep(values, below)
        return found

    def __reduce__(self):
        """Copies and what is read back lie elsewhere."""
        return Indices._known, (self.values.copy(), self.below)

    def _keep(self, values, below):
        self.values, self.below = values, below
        # Their addresses for C, read while they may be written to.
        self.word = ctypes.byref(ctypes.c_char.from_buffer(values)) if values.size else ctypes.c_void_p(0)
        # From now on nobody does.
        values.flags.writeable = False

    @property
    def shape(self):
        """Of the array of indices."""
        return self.values.shape


def _dimension(size):
    """Of one dimension the name, what it has more than that, and what it is where it has no name."""
    if size.isdigit():
        return None, 0, int(size)
    label, _, more = size.partition("+")
    return label, int(more or 0), 0


def _matched(pattern, word):
    found = pattern.fullmatch(word)
    if found is None:
        raise ValueError(f"{word!r} is no word of a signature")
    return found.groups()


def _argument(word, written):
    name, kind, dimensions, reaching, below = _matched(_ARGUMENT, word)
    kind = kind or ("i4" if below else "f8")
    shape = None if dimensions is None else tuple(dimensions.split(","))
    plain = shape is not None and below is None
    return Argument(
        name, kind, shape, below, reaching == "<=", written, np.dtype(kind), _NUMBERS.get(kind), plain
    )
