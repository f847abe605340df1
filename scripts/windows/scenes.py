# SPDX-License-Identifier: GPL-3.0-or-later
"""What is run on both systems and compared: README's scene, a sheet live, and a bake; prints digests of all positions.

python scenes.py FOLDER          with NumPy, SciPy, bpy and Hooke; FOLDER is written to, of whatever name
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np

import hooke
from hooke.core import EFFORTS, AirDrag, Material, Plane, Simulation, Sphere, SpringNetwork
from hooke.core.kernels import CHOSEN

NAME = "Флаг 旗"


def digest(array):
    """A checksum of an array's bits."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def example():
    """A sheet of cotton over a ball, as in the README, with half the vertices a side."""
    cotton = Material(stretch=5e3, shear=100.0, bending=1e-5, area_density=0.136)
    sheet = SpringNetwork.grid((31, 31), 0.04, material=cotton)
    around = [Sphere(0.3, (0.6, 0.6, -0.4)), Plane((0, 0, -0.8))]
    how = EFFORTS["STANDARD"].settings
    simulation = Simulation(sheet, dt=1 / 24, forces=AirDrag(), contacts=around, **how)
    for x in simulation.frames(12):
        last = x
    print("example", digest(last))


def live(path):
    """A pinned sheet played and then saved under a path."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=16, y_subdivisions=16, size=2)
    sheet = bpy.context.object
    sheet.name = NAME
    held = [i for i, vertex in enumerate(sheet.data.vertices) if vertex.co.y > 0.99]
    sheet.vertex_groups.new(name="Pin").add(held, 1.0, "REPLACE")
    bpy.ops.hooke.add()
    sheet.hooke.pin_group, sheet.hooke.frame_end = "Pin", 12
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    for frame in range(1, 13):
        bpy.context.scene.frame_set(frame)
        mesh = sheet.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        x = np.empty(len(mesh.vertices) * 3, "f")
        mesh.vertices.foreach_get("co", x)
        if frame % 4 == 0:
            print("live", frame, digest(x))
    # The cache beside the file, of the same frames.
    (cache,) = path.parent.glob("*/**/*.pc2")
    print("cache", digest(np.frombuffer(cache.read_bytes(), np.uint8)))
    bpy.ops.wm.save_mainfile()
    hooke.unregister()


def bake(path, page):
    """The same by the command line, whose output is a pipe of a code page."""
    script = Path(__file__).resolve().parents[1] / "bake.py"
    report = path.with_suffix(".json")
    words = [sys.executable, script, path, "--object", NAME, "--frames", "1-12", "--report", report]
    words += ["--output", path.with_name(f"{page}.blend")]
    ended = subprocess.run(
        [str(word) for word in words], env=os.environ | {"PYTHONIOENCODING": page}, capture_output=True
    )
    assert ended.returncode == 0, ended.stderr.decode(page, "replace")
    assert report.is_file()
    bpy.ops.wm.open_mainfile(filepath=str(path.with_name(f"{page}.blend")))
    keys = bpy.data.objects[NAME].data.shape_keys.key_blocks
    x = np.empty((len(keys), 3 * len(keys[0].data)), "f")
    for row, key in zip(x, keys, strict=True):
        key.data.foreach_get("co", row)
    print("bake", page, len(keys), digest(x))


def main():
    """Run all of it in a folder with spaces, in letters that code pages of the West lack."""
    folder = Path(sys.argv[1], "Пример mit Leerzeichen")
    folder.mkdir(parents=True, exist_ok=True)
    assert CHOSEN.library is not None, CHOSEN.reason
    hooke.register()
    example()
    live(folder / "Флаг.blend")
    for page in ("cp1252", "cp932"):
        bake(folder / "Флаг.blend", page)


if __name__ == "__main__":
    status = 1
    try:
        main()
        status = 0
    except Exception:
        sys.excepthook(*sys.exc_info())
    # The bpy module may wait for its own threads at interpreter exit: leave at once.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
