# SPDX-License-Identifier: GPL-3.0-or-later
"""All groups of settings."""

from .cache_and_bake import CacheAndBake
from .collisions import Collisions
from .filling import Filling
from .forces import Forces
from .jiggle import Jiggle
from .maps import Maps
from .material import Material
from .pins import Pins
from .plasticity import Plasticity
from .pressure import Pressure
from .section import Section
from .shape import Shape
from .solver import Solver
from .springs import Springs
from .tearing import Tearing
from .time_and_start import TimeAndStart
from .viewport_display import ViewportDisplay

# In the order of the panels, and in that of the command line's options where one changes what another set.
SECTIONS: tuple[Section, ...] = (
    Pins(),
    Material(),
    Filling(),
    Pressure(),
    Shape(),
    Jiggle(),
    Plasticity(),
    Tearing(),
    Springs(),
    Collisions(),
    Maps(),
    Forces(),
    Solver(),
    TimeAndStart(),
    CacheAndBake(),
    ViewportDisplay(),
)
