# SPDX-License-Identifier: GPL-3.0-or-later
"""Properties of Object.hooke beside settings: Hooke's notes on the object, and values that follow from settings."""

from bpy.props import BoolProperty, FloatProperty, StringProperty

# Weight [N/kg] by which textiles are measured.
_G = 9.81


def _sticks_out(settings):
    """The length of *Sticks Out* [mm] by Bending and Density: a level strip of it hangs with its end 41.5° below.

    The cantilever test of textiles, twice the bending length (B/ρg)^(1/3); Peirce 1930, "The handle of cloth as a
    measurable quantity".
    """
    weight = _G * settings.area_density
    return 2e3 * (1e-6 * settings.bending_rigidity / weight) ** (1.0 / 3.0)


MEMORY = {
    "enabled": BoolProperty(name="Hooke", description="Simulate this object", options={"HIDDEN"}),
    "cache_id": StringProperty(
        name="Cache", description="Name of the object's cache files", options={"HIDDEN"}
    ),
    "put_away": StringProperty(
        name="Put Away", description="Remarks that are not made again until Reset", options={"HIDDEN"}
    ),
    "sticks_out": FloatProperty(
        name="Sticks Out",
        description="Bending and Density as one length: a strip pushed this far over the edge of a table "
        "hangs with its end 41.5° below (cantilever test) [mm]. Higher is stiffer: silk 26, "
        "cotton 43, denim 54",
        precision=0,
        options={"HIDDEN"},
        get=_sticks_out,
    ),
}
