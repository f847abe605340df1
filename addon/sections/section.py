# SPDX-License-Identifier: GPL-3.0-or-later
"""What every group of settings declares and promises."""

import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any


class Section:
    """A group of settings of a simulated object.

    Whoever adds one writes a subclass in a file of its own and one line in SECTIONS:
    1. Annotations are its settings, as in a `bpy.types.PropertyGroup`; each becomes a property of Object.hooke, an
       option of the command line and a line of the guide's table, with the property's own name, limits and
       description, unless its options say HIDDEN. None can be animated. Files store the numbers of an enumeration,
       so its items name theirs.
    2. Every setting is an input: changing it makes the frames stale. `view_only` names those no frame depends on.
    3. `id` and `label` name the sub-panel that `draw` fills; without a label there is none. `draw_main` adds to the
       main panel.
    4. `network_arguments` and `simulation_arguments` are what its settings mean to the core; of two sections that
       name the same argument the later one in SECTIONS counts.
    5. `maps` names the settings that name vertex groups whose weights it reads.
    6. `initial` has the values a setting gets when Hooke is added, where they differ from its default: defaults are
       what files that never touched the setting mean, so they stay as they are.
    7. `option_names` renames options of the command line; None leaves one out.
    8. `decades` has the range of quantities that span decades: `draw_quantity` draws them with a slider over it.
    """

    id: str
    label: str = ""
    view_only: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    initial: Mapping[str, Any] = MappingProxyType({})
    option_names: Mapping[str, str | None] = MappingProxyType({})
    decades: Mapping[str, tuple[float, float]] = MappingProxyType({})

    @property
    def properties(self):
        """Its settings by name, as functions of `bpy.props` return them."""
        return inspect.get_annotations(type(self))

    def poll(self, settings):
        """Whether the sub-panel is shown."""
        return True

    def draw_main(self, layout, obj):
        """Draw into the main panel what everybody changes."""

    def draw(self, layout, obj):
        """Draw the settings of an object into the sub-panel."""
        for name in self.properties:
            layout.prop(obj.hooke, name)

    def network_arguments(self, settings, maps, before):
        """Arguments of `SpringNetwork.from_mesh` by name.

        settings: Object.hooke; maps: weights 0..1, shape (vertex_count,), by the setting that names their group.
        before: the arguments of the sections before.
        """
        return {}

    def simulation_arguments(self, settings, scene, network):
        """Arguments of `Simulation` by name; network: the SpringNetwork it will simulate.

        Raises ValueError where the settings do not fit the network.
        """
        return {}
