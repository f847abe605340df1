# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender file of the dropped lattices, one for every choice of levels, and pictures of their fall.

    python3 scripts/dev.py lab lattice_demo

runs this where bpy is; it writes demo/lattices.blend and docs/pictures/lab-lattice.png. The motion is in
absolute shape keys, so the file plays without the add-on.
"""

import tempfile
from itertools import pairwise
from pathlib import Path

import bpy
import numpy as np
from measuring.page import PICTURES, ROOT
from measuring.palette import few_colours
from scenes import strip, studio

from .dropped_lattice import FPS, REACHES, SECONDS, SHAPE, falling, rest_lengths_in_words

DEMO = ROOT / "demo"
FRAMES = SECONDS * FPS + 1
SHOWN = (1, 10, 20, FRAMES)
APART = 2.15
SPHERE, TUBE = 0.055, 0.009
STRIP_SIZE = (1400, 250)
SAMPLES = 8
VIEW_WIDTH = 15.2
FONT = Path(bpy.utils.system_resource("DATAFILES", path="fonts"), "Inter.woff2")


def baked(levels):
    """Positions [m] at every frame from the first, shape (FRAMES, vertex_count, 3), and the network."""
    simulation = falling(levels)
    frames = [simulation.state.x, *simulation.frames(FRAMES - 1)]
    return np.array(frames), simulation.network


def lattice_object(scene, levels, place, nodes):
    """Put one lattice at a place, animated by absolute shape keys and shown by the nodes."""
    frames, network = baked(levels)
    words = rest_lengths_in_words(levels)
    mesh = bpy.data.meshes.new(f"Lattice {words}")
    mesh.from_pydata(frames[0].tolist(), network.edges.tolist(), [])
    layer = mesh.attributes.new("layer", "FLOAT", "POINT")
    layer.data.foreach_set("value", (np.arange(network.vertex_count) % SHAPE[2] / (SHAPE[2] - 1.0)))
    thing = studio.add(scene, mesh.name, mesh, place)
    for number, x in enumerate(frames, start=1):
        key = thing.shape_key_add(name=f"Frame {number}", from_mix=False)
        key.interpolation = "KEY_LINEAR"
        key.data.foreach_set("co", x.astype(np.float32).ravel())
    keys = mesh.shape_keys
    keys.use_relative = False
    # Blender places absolute keys at 0, 10, 20 …; an expression this simple runs with Python switched off too.
    keys.driver_add("eval_time").driver.expression = "10 * (frame - 1)"
    thing.modifiers.new("Spheres and tubes", "NODES").node_group = nodes


def spheres_and_tubes(surface):
    """Geometry-nodes group that shows vertices as spheres and edges as tubes, in a material."""
    group = bpy.data.node_groups.new("Spheres and tubes", "GeometryNodeTree")
    group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")

    def node(kind, **inputs):
        made = group.nodes.new(kind)
        for name, value in inputs.items():
            made.inputs[name.replace("_", " ")].default_value = value
        return made

    def chain(*nodes):
        """Link the first output of each node to the first input of the next one."""
        for one, next_one in pairwise(nodes):
            group.links.new(one.outputs[0], next_one.inputs[0])
        return nodes[-1]

    given, result = group.nodes.new("NodeGroupInput"), group.nodes.new("NodeGroupOutput")
    instances = node("GeometryNodeInstanceOnPoints")
    sphere = node("GeometryNodeMeshIcoSphere", Radius=SPHERE, Subdivisions=3)
    group.links.new(sphere.outputs["Mesh"], instances.inputs["Instance"])
    profile = node("GeometryNodeCurvePrimitiveCircle", Resolution=6, Radius=TUBE)
    tubes = node("GeometryNodeCurveToMesh")
    group.links.new(profile.outputs["Curve"], tubes.inputs["Profile Curve"])
    join = node("GeometryNodeJoinGeometry")
    chain(given, instances, node("GeometryNodeRealizeInstances"), join)
    chain(given, node("GeometryNodeMeshToCurve"), tubes, join)
    coloured = node("GeometryNodeSetMaterial", Material=surface)
    chain(join, node("GeometryNodeSetShadeSmooth"), coloured, result)
    return group


def layered_material():
    """Material whose colour follows the layer that a particle starts in."""
    surface = studio.material("Layers", (0.8, 0.8, 0.8), roughness=0.45)
    nodes, links = surface.node_tree.nodes, surface.node_tree.links
    layer = nodes.new("ShaderNodeAttribute")
    layer.attribute_name = "layer"
    ramp = nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color = (0.02, 0.16, 0.42, 1.0)
    ramp.color_ramp.elements[1].color = (0.95, 0.36, 0.05, 1.0)
    ramp.color_ramp.elements.new(0.5).color = (0.55, 0.6, 0.5, 1.0)
    links.new(layer.outputs["Fac"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    return surface


def label(scene, text, place, ink):
    """Text that lies on the floor with its middle at a place."""
    curve = bpy.data.curves.new(f"Label {text}", "FONT")
    curve.body, curve.size, curve.align_x = text, 0.4, "CENTER"
    # The font of new texts has a 1 that reads as an l.
    curve.font = bpy.data.fonts.load(str(FONT), check_existing=True)
    curve.materials.append(ink)
    studio.add(scene, curve.name, curve, place).rotation_euler = (np.radians(35.0), 0.0, 0.0)


def build():
    """The scene with all lattices in a row, levels in words before each."""
    scene = studio.empty_scene(FPS, FRAMES)
    scene.cycles.samples = SAMPLES
    # Dither is noise that a PNG cannot compress.
    scene.render.dither_intensity = 0.0
    nodes = spheres_and_tubes(layered_material())
    ink = studio.material("Ink", (0.03, 0.03, 0.035))
    for number, levels in enumerate(REACHES):
        place = (APART * (number - (len(REACHES) - 1) / 2), 0.0, 0.0)
        lattice_object(scene, levels, place, nodes)
        label(scene, rest_lengths_in_words(levels), (place[0], -1.9, 0.01), ink)
    studio.backdrop(scene, (0.62, 0.64, 0.66), 5.0)
    studio.area_light(scene, "Key", (-6.0, -9.0, 9.0), (0.0, 0.0, 0.5), 4.0, 2600, (1.0, 0.96, 0.9))
    studio.area_light(scene, "Rim", (9.0, 4.0, 6.0), (0.0, 0.0, 0.5), 3.0, 900, (0.85, 0.92, 1.0))
    studio.camera(scene, (0.0, -20.0, 5.0), (0.0, 0.0, 0.72), 50)
    # Without perspective all columns show their lattice from the same side.
    scene.camera.data.type, scene.camera.data.ortho_scale = "ORTHO", VIEW_WIDTH
    scene.camera.data.sensor_fit = "HORIZONTAL"
    scene.render.resolution_x, scene.render.resolution_y = STRIP_SIZE
    return scene


def render_strip(scene, path):
    """Render the shown frames one above the other into a PNG."""
    with tempfile.TemporaryDirectory() as folder:
        tiles = [Path(folder, f"{frame}.png") for frame in SHOWN]
        for frame, tile in zip(SHOWN, tiles, strict=True):
            studio.render(scene, frame, STRIP_SIZE, tile)
        strip.write_picture(path, strip.join([strip.read_picture(tile) for tile in tiles], axis=0))
    few_colours(path)


def run():
    """Write the file and the picture."""
    scene = build()
    DEMO.mkdir(exist_ok=True)
    scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str(DEMO / "lattices.blend"), compress=True)
    print("  demo/lattices.blend", flush=True)
    render_strip(scene, PICTURES / "lab-lattice.png")
    print("  docs/pictures/lab-lattice.png", flush=True)
