# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of a group of settings."""

import inspect
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any


class Section:
    """A group of settings of a simulated object.

    A new section is a subclass in a file of its own and one line in SECTIONS:
    1. Annotations are its settings, as in a `bpy.types.PropertyGroup`; each becomes a property of Object.hooke, an
       option of the command line and a line of the guide's table, with the property's own name, limits and
       description, unless its options say HIDDEN. Files store the numbers of an enumeration, so its items name theirs.
    2. Every setting is an input: changing it makes the frames stale. `view_only` names those no frame depends on.
    3. `id` and `label` name the sub-panel that `draw` fills; without a label there is none. `draw_main` adds to the
       main panel, and `draw_beside_bake` to what stands below its buttons. `switch` names the setting that turns it on
       and stands in the sub-panel's header.
    4. `network_arguments` and `simulation_arguments` are what its settings mean to the core; of two sections that
       name the same argument the later one in SECTIONS counts.
    5. `maps` names the settings that name vertex groups whose weights it reads.
    6. `initial` has the values a setting gets when Hooke is added, where they differ from its default: defaults are
       what files that never touched the setting mean, so they stay as they are.
    7. `option_names` renames options of the command line; None leaves one out. `more_option_names` has
       further spellings, and `more_choices`, by setting, further words for choices of an enumeration.
    8. `surroundings` reads what acts on the object from outside of it, and `surrounded_by` is what people call that;
       without it nothing is read. `sources` says which objects that comes from, `findings` tells people of it.
    9. `animatable` names the settings, numbers all, that keys and drivers may change from frame to frame: `quantities`,
       or `simulation_arguments` by `keyed.over_time`, say what that is to the core. `remaking` names those among them
       that only `network_arguments` knows: the network is made of them anew wherever they change.
    """

    id: str
    label: str = ""
    switch: str = ""
    view_only: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    initial: Mapping[str, Any] = MappingProxyType({})
    option_names: Mapping[str, str | None] = MappingProxyType({})
    more_option_names: Mapping[str, str] = MappingProxyType({})
    more_choices: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    surrounded_by: str = ""
    animatable: tuple[str, ...] = ()
    remaking: tuple[str, ...] = ()

    @property
    def properties(self):
        """Its settings by name, as functions of `bpy.props` return them."""
        return inspect.get_annotations(type(self))

    def poll(self, settings):
        """Whether the sub-panel is shown."""
        return True

    def draw_main(self, layout, obj):
        """Draw the most used settings into the main panel."""

    def draw_beside_bake(self, layout, obj):
        """Draw the range and the form of a bake below the buttons of the main panel."""

    def draw(self, layout, obj):
        """Draw the settings of an object into the sub-panel."""
        for name in self.properties:
            layout.prop(obj.hooke, name)

    def begin_with(self, obj):
        """Values by setting that the simulation of an object begins with: `initial`, and what depends on the object."""
        return dict(self.initial)

    def counts(self, obj):
        """Whether the settings of the sub-panel make a difference: where not, they are locked.

        By settings and mesh alone: what has been simulated may be what they are to change. A section that has a
        setting of `filled.without_effect` is never locked, so that it can be taken back.
        """
        return True

    def network_arguments(self, settings, maps, before):
        """Arguments of the body's `from_mesh` by name, and as "body" its id in BODIES where it is no cloth.

        settings: Object.hooke; maps: Weights of the vertices 0..1 by the setting that names their group, see `weights`;
        before: the arguments of the sections before.
        """
        return {}

    def sources(self, where):
        """Objects that `surroundings` reads, as a list: a change of one is seen at once, and a bake evaluates them.

        where: object, scene and dependency graph, see `play.inputs.Where`.
        """
        return []

    def may_act(self, obj):
        """Whether an object may be among the sources of another: asked first, since these take longer to find."""
        return False

    def findings(self, where):
        """External influences on the object in a few words or "", and sentences about unsupported ones."""
        return "", []

    def left_out(self, where):
        """Sentences about what of that is in sight, and yet does not act, or not wholly, a list: for the status."""
        return []

    def surroundings(self, where):
        """The surroundings of the object in the scene's frame: a dict of arrays, in the same order in every frame.

        Arrays of float64 may change from frame to frame, but not their shapes. All others, such as a mesh's faces,
        stay what they are at the start: frames become stale where one changes, as where one joins or leaves. Names
        end up in sentences, like "motion of 'Body'"; another one is no change. It is asked for at every frame.

        Raises MeshError for what makes a simulation impossible.
        """
        return {}

    def quantities(self, settings, network, tracks, maps):
        """Changes of the network by keyed settings, and maps that modifiers change, callables t -> value by name, as of
        `SpringNetwork.changed`.

        network: as it is at the start; tracks: Tracks of one number each by setting, of all that are keyed; maps: as in
        `network_arguments`.
        """
        return {}

    def simulation_arguments(self, settings, scene, body, maps, surroundings):
        """Arguments of `Simulation` by name; contacts and forces, tuples, of all sections add up.

        So do doubts, which are none of its arguments: a list of `colliders.Doubt` about what is rarely meant.

        body: the Body it will simulate; maps: as in `network_arguments`, of what is touched of it; surroundings: as the
        method's, but with a `Track`, a function of time, in place of each array of float64.
        Raises ValueError where the settings do not fit the body.
        """
        return {}
