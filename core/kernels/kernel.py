# SPDX-License-Identifier: GPL-3.0-or-later
"""A NumPy function and its twin in C, of which the one that is there is called."""

import ctypes
import os
from contextlib import contextmanager
from typing import Any

import numpy as np

from .library import SOURCE, NoLibrary, load
from .signature import Indices, Signature
from .threads import Threads

VARIABLE = "HOOKE_KERNELS"


class Kernel:
    """One kernel: its definition in NumPy, and the function of the same name in the compiled library.

    Both take the arguments of the signature in its order. The twin takes after them the sizes that the shapes name, in
    the order they are first named, and where its part of what it goes over begins and ends. Sizes fit each other,
    arrays are of the right kind, and indices lie in range, or ValueError, TypeError or IndexError says which does not:
    C sees nothing else. What is only read may lie in memory as NumPy left it; see `laid_out`.

    definition: of the whole; signature: see Signature; over: the size that threads divide, or None for what goes by
    itself; grain: how much of it a thread is worth waking for; example: a function of random numbers and a size that
    gives arguments.
    """

    def __init__(self, definition, signature, over, grain, example):
        self.definition, self.signature = definition, Signature(signature)
        self.over = None if over is None else self.signature.sizes.index(over)
        self.grain, self.example = grain, example
        self.name, self.__doc__ = definition.__name__, definition.__doc__

    def __call__(self, *values):
        """Run the twin, or the definition where there is none."""
        library = CHOSEN.library
        if library is None:
            self.define(*values)
        else:
            self.run_twin(library, values)

    def __reduce__(self):
        """The one of its name: C's functions are no part of what is written."""
        return named, (self.name,)

    def bound(self, **fixed):
        """The kernel with arguments that stay the same arrays, by name: called with the others, in their order."""
        return _Bound(self, fixed)

    def define(self, *values):
        """Run the definition, on arguments that the twin would take."""
        self.signature.measure(self.name, values)
        self._words(values)
        arguments = self.signature.arguments
        laid = [laid_out(argument, value) for argument, value in zip(arguments, values, strict=True)]
        self.definition(*(value.values if isinstance(value, Indices) else value for value in laid))

    def run_twin(self, library, values):
        """Run the twin of a library, in parts on several threads."""
        sizes = self.signature.measure(self.name, values)
        self.run_words(library, [*self._words(values), *sizes.words], self.size_of(sizes))

    def size_of(self, sizes):
        """Of the Sizes the one that threads divide."""
        return 1 if self.over is None else sizes.counts[self.over]

    def run_words(self, library, words, size):
        """Run the twin on what C is given of the values and of their sizes, in parts of so much."""
        function = getattr(library, self.name)
        if CHOSEN.threads.parts(size, self.grain) == 1:
            function(*words, _NOUGHT, ctypes.c_int64(size))
            return

        def part(first, last):
            function(*words, ctypes.c_int64(first), ctypes.c_int64(last))

        CHOSEN.threads.run(part, size, self.grain)

    def _words(self, values):
        """The values as C is given them."""
        return list(map(self.word, self.signature.arguments, values))

    def word(self, argument, value):
        """A value for C: a number, the address of an array, or that of a copy that C can read."""
        # Most are arrays as they should be, which is seen at once.
        if argument.plain and value.dtype is argument.dtype and value.flags.carray and value.size:
            return _BYREF(_OF_BUFFER(value))
        if argument.below is not None:
            return value.word
        if not argument.plain:
            return argument.number(value)
        value, flags = laid_out(argument, value), value.flags
        if value.dtype != argument.dtype or (argument.written and not flags.carray):
            raise TypeError(
                f"{self.name}: {argument.name} is {value.dtype}, contiguous: {flags.c_contiguous}, writeable: "
                f"{flags.writeable}; it must be {argument.dtype}"
                + (", contiguous and writeable" if argument.written else "")
            )
        if value.flags.writeable and value.size:
            return _BYREF(_OF_BUFFER(value))
        return ctypes.c_void_p(value.__array_interface__["data"][0])


def laid_out(argument, value):
    """A value as C reads it, and what is only read in a copy where it lies otherwise in memory.

    In which order NumPy leaves an array may depend on its size: from 256 KiB on it writes a sum over a temporary of its
    terms, in the order of that.
    """
    if not argument.plain or argument.written or (value.flags.c_contiguous and value.flags.aligned):
        return value
    return np.require(value, requirements=["C", "A"])


# Of an array that may be written to its buffer tells where it is several times as soon.
_BYREF, _OF_BUFFER = ctypes.byref, ctypes.c_char.from_buffer
_NOUGHT = ctypes.c_int64(0)


class _Bound:
    """A kernel of which some arguments stay the same arrays; see `Kernel.bound`.

    Of the others those of the last call are kept as well: what is called with the same again is looked at once.
    """

    def __init__(self, kernel, fixed):
        arguments = kernel.signature.arguments
        self._kernel, self._values = kernel, [fixed.pop(argument.name, None) for argument in arguments]
        if fixed:
            raise TypeError(f"{kernel.name} has no {', '.join(fixed)}")
        self._free = [
            (number, argument)
            for number, (argument, value) in enumerate(zip(arguments, self._values, strict=True))
            if value is None
        ]
        if any(argument.below is not None for _, argument in self._free):
            raise TypeError(f"{kernel.name}: indices stay the same where it is bound")
        self._arrays = [number for number, argument in self._free if argument.plain]
        for argument, value in zip(arguments, self._values, strict=True):
            if value is not None and laid_out(argument, value) is not value:
                raise TypeError(
                    f"{kernel.name}: {argument.name} is not contiguous: no copy stays the same as it"
                )
        self._words = [
            value if value is None else kernel.word(argument, value)
            for argument, value in zip(arguments, self._values, strict=True)
        ]
        # Shapes of the others that fit, and whether the last ones do.
        self._shapes: Any = None
        self._fits = False
        self._size = 0

    def __reduce__(self):
        """Copies and what is read back lie elsewhere, and are bound anew."""
        free = {number for number, _ in self._free}
        fixed = {
            argument.name: value
            for number, (argument, value) in enumerate(
                zip(self._kernel.signature.arguments, self._values, strict=True)
            )
            if number not in free
        }
        return _Bound, (self._kernel, fixed)

    def __call__(self, *free):
        """Run it on the other arguments."""
        kernel, library, values, words = self._kernel, CHOSEN.library, self._values, self._words
        for (number, argument), value in zip(self._free, free, strict=True):
            if value is not values[number]:
                self._fits = False
                # A copy in its place is of what it holds now: in the next call it is another array.
                value = laid_out(argument, value)
                words[number], values[number] = kernel.word(argument, value), value
        if library is None:
            kernel.define(*values)
            return
        if not self._fits:
            # The fixed ones were looked at when they were bound: what is left is whether the others fit them.
            shapes = [values[number].shape for number in self._arrays]
            if shapes != self._shapes:
                sizes = kernel.signature.measure(kernel.name, values)
                words[len(values) :], self._size = sizes.words, kernel.size_of(sizes)
                self._shapes = shapes
            self._fits = True
        kernel.run_words(library, words, self._size)


class Chosen:
    """The implementation of kernels in this process: the library, or None for the definitions, and the threads.

    reason: why there is no library, in one sentence, else "". remark: what a user should know of that, else "".
    """

    def __init__(self):
        self.threads = Threads()
        self.reason = self.remark = ""
        self._looked, self._library = False, None
        self.kernels = []

    @property
    def library(self):
        """The compiled library, found, and compared with the definitions, when it is first asked for."""
        if not self._looked:
            self._looked = True
            try:
                self._library = self._proven(_wanted())
            except NoLibrary as error:
                self.reason, self.remark = str(error), error.said()
        return self._library

    @property
    def name(self):
        """The implementation in use: "NumPy", or "C" with the version of its source."""
        return "NumPy" if self.library is None else f"C {SOURCE}"

    def _proven(self, library):
        """The library, if each kernel gives its definition's answer to its example; raises NoLibrary."""
        for kernel in self.kernels:
            try:
                right = agrees(kernel, library, kernel.example(np.random.default_rng(1), 7))
            except ImportError as error:
                raise NoLibrary(f"the definition of {kernel.name} needs what is missing: {error}") from error
            if not right:
                raise NoLibrary(f"the compiled {kernel.name} gives another answer than its definition")
        return library

    @contextmanager
    def definitions(self):
        """Run what is within by the definitions, whatever library there is."""
        kept = self.library
        self._library = None
        try:
            yield
        finally:
            self._library = kept


CHOSEN = Chosen()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: CHOSEN.threads.forget())


def kernel(signature, *, over, grain=1, example):
    """Make a function the definition of a Kernel; see there."""

    def made(definition):
        CHOSEN.kernels.append(Kernel(definition, signature, over, grain, example))
        return CHOSEN.kernels[-1]

    return made


def named(name):
    """The Kernel of a name."""
    return next(kernel for kernel in CHOSEN.kernels if kernel.name == name)


def agrees(kernel, library, values):
    """Whether the twin writes what the definition does, within a share of the largest entry of each array."""
    found = [
        value.copy() if argument.written else value
        for value, argument in zip(values, kernel.signature.arguments, strict=True)
    ]
    try:
        kernel.run_twin(library, found)
    except AttributeError:
        return False
    return agrees_with(kernel, values, found)


def agrees_with(kernel, values, found):
    """Whether the definition, on values, writes what was found: to 1e-9 of the largest entry, or in f4 to 1e-5."""
    own = [value.copy() if hasattr(value, "copy") else value for value in values]
    kernel.define(*own)
    arguments = kernel.signature.arguments
    single = any(argument.kind == "f4" and not argument.written for argument in arguments)
    return all(
        _close(right, other, single)
        for right, other, argument in zip(own, found, arguments, strict=True)
        if argument.written
    )


def _close(a, b, single):
    tolerance = 1e-5 if single or a.dtype == np.float32 else 1e-9
    return np.allclose(a, b, rtol=0.0, atol=tolerance * np.abs(a).max(initial=0.0), equal_nan=True)


def _wanted():
    words = os.environ.get(VARIABLE, "").strip().lower()
    if words == "numpy":
        raise NoLibrary(f"{VARIABLE} asks for NumPy", asked_for=True)
    if words not in ("", "c"):
        raise ValueError(f"{VARIABLE} is {words!r}: use numpy or c")
    return load()
