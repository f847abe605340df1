# SPDX-License-Identifier: GPL-3.0-or-later
"""What may import what, who may touch mesh arrays, and how long files and classes may be, by the code itself."""

import ast
import importlib.util
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("core", "addon", "scripts", "tests")
LONGEST_FILE, LONGEST_CLASS = 300, 200
# Imports among the files and folders of addon; five are those of console, by which all speak.
MOST_ARROWS = 91
MOST_LINES_OF_C = 1700


def sources(*rooms):
    """Every Python file of some rooms, relative to the checkout."""
    return [path.relative_to(ROOT) for room in rooms for path in sorted((ROOT / room).rglob("*.py"))]


@cache
def tree(path):
    """The syntax tree of a file given relative to the checkout."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), filename=str(path))


@cache
def nodes(path, *kinds):
    """What a file has of some kinds of nodes of a syntax tree."""
    return [node for node in ast.walk(tree(path)) if isinstance(node, kinds)]


def imports(path):
    """Every import of a file as (line, level, module): level 0 is absolute, n climbs n - 1 packages."""
    for node in nodes(path, ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, 0, name.name
        else:
            yield node.lineno, node.level, node.module or ""


def classes(statement):
    """Every class below a statement, without a look into expressions, of which a file has a hundred times as many."""
    for part in (*getattr(statement, "body", ()), *getattr(statement, "orelse", ())):
        if isinstance(part, ast.ClassDef):
            yield part
        yield from classes(part)


def run_python(code):
    """Run code in a fresh interpreter outside the checkout, where only the installed package is found."""
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        cwd=Path(sys.executable).parent,
    )


def test_there_is_code_to_read():
    assert sources("core") and sources("addon")


def test_core_imports_neither_blender_nor_the_addon():
    allowed = sys.stdlib_module_names | {"numpy", "scipy", "cholespy"}
    wrong = [
        f"{path}:{line} imports {module or 'from outside core'}"
        for path in sources("core")
        for line, level, module in imports(path)
        # core/system.py lies 1 deep: `from .` stays inside, `from ..` leaves.
        if level > len(path.parts) - 1 or (level == 0 and module.split(".")[0] not in allowed)
    ]
    assert not wrong, "core may only import NumPy, SciPy and cholespy"


def test_own_modules_are_imported_relatively():
    # Blender refuses extensions that put modules of their own at the top level.
    wrong = [
        f"{path}:{line} imports {module}"
        for path in [Path("__init__.py"), *sources("core", "addon")]
        for line, level, module in imports(path)
        if level == 0 and module.split(".")[0] in {"hooke", "core", "addon"}
    ]
    assert not wrong, "own modules are imported relatively"


BLOCK = """
import sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(name + " is blocked", name=name)

sys.meta_path.insert(0, Block())
"""

IMPORT_ALL_OF_CORE = """
import importlib, pkgutil
import hooke.core

for module in pkgutil.walk_packages(hooke.core.__path__, "hooke.core."):
    importlib.import_module(module.name)
"""


def test_core_imports_where_blender_is_blocked():
    code = 'BLOCKED = {"bpy", "mathutils", "bmesh", "gpu"}' + BLOCK + IMPORT_ALL_OF_CORE
    code += "assert not [name for name in sys.modules if name.startswith('hooke.addon')]"
    result = run_python(code)
    assert result.returncode == 0, result.stderr


def test_core_simulates_explicitly_where_scipy_is_blocked():
    # Free fall from rest under symplectic Euler: -g dt^2 n (n + 1) / 2 after n steps, exact but for rounding.
    code = 'BLOCKED = {"scipy", "cholespy"}' + BLOCK + IMPORT_ALL_OF_CORE
    code += """
from hooke.core import Simulation, SpringNetwork

network = SpringNetwork([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [[0, 1]])
simulation = Simulation(network, "SYMPLECTIC_EULER", dt=0.01)
for _ in range(10):
    simulation.step()
assert abs(simulation.state.x[0, 2] + 9.81 * 0.01**2 * 55) < 1e-12, simulation.state.x
"""
    result = run_python(code)
    assert result.returncode == 0, result.stderr


def array_crossings(node):
    """Lines within a syntax node where Blender's arrays are read or written as a whole."""
    attributes = (part for part in ast.walk(node) if isinstance(part, ast.Attribute))
    return {part.lineno for part in attributes if part.attr in {"foreach_get", "foreach_set"}}


def mesh_crossings(path):
    """Lines of a file where a mesh's arrays are read or written."""
    # Keyframes are not mesh data: a function that writes an f-curve's keyframe points may do so where it is.
    found = array_crossings(tree(path))
    if found:
        for function in nodes(path, ast.FunctionDef):
            names = {part.attr for part in ast.walk(function) if isinstance(part, ast.Attribute)}
            found -= array_crossings(function) if "keyframe_points" in names else set()
    return found


def test_mesh_arrays_cross_in_one_file():
    crossed = {path: sorted(lines) for path in sources("core", "addon") if (lines := mesh_crossings(path))}
    assert list(crossed) == [Path("addon/mesh_io.py")], "only addon/mesh_io.py reads and writes mesh arrays"


def layers(package):
    """The rooms of a package, files and folders, as docs/architecture.md lists them from the ground up."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    block = re.search(rf"^{package}((?: .*\n)+)", text, re.MULTILINE)
    assert block, f"docs/architecture.md has no layers of {package}"
    return re.findall(r"\w+", block[1])


@cache
def arrows(package):
    """Pairs of files of a package, the first of which imports the second."""
    files = set(sources(package))
    found = set()
    for path in files:
        for node in nodes(path, ast.Import, ast.ImportFrom):
            if isinstance(node, ast.ImportFrom) and node.level:
                place = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
                for name in node.names:
                    # A module of that name, else what the name is taken from.
                    choices = (f"{place / name.name}.py", place / name.name / "__init__.py")
                    choices += (f"{place}.py", place / "__init__.py")
                    found.add(
                        (path, next((target for target in map(Path, choices) if target in files), path))
                    )
    return {(path, target) for path, target in found if path != target}


def room(path):
    """The file or folder of its package that a file is or lies in."""
    return path.parts[1].removesuffix(".py")


@pytest.mark.parametrize("package", ["core", "addon"])
def test_rooms_import_downwards(package):
    order = layers(package)
    rooms = {room(path) for path in sources(package)} - {"__init__"}
    assert sorted(order) == sorted(rooms), "docs/architecture.md lists each room once"
    floors = {name: floor for floor, name in enumerate([*order, "__init__"])}
    upward = [
        f"{path} imports {target}"
        for path, target in arrows(package)
        if floors[room(target)] > floors[room(path)] and target != Path(package, "__init__.py")
    ]
    assert not upward, "docs/architecture.md lists what is imported above what imports it"


@pytest.mark.parametrize("package", ["core", "addon"])
def test_no_file_imports_itself_by_way_of_others(package):
    below = {
        path: {target for source, target in arrows(package) if source == path} for path in sources(package)
    }
    # Take away the files that import nothing of what is left, until nothing is left.
    while ground := {path for path, targets in below.items() if not targets}:
        below = {path: targets - ground for path, targets in below.items() if path not in ground}
    assert not below, f"circles among {sorted(map(str, below))}"


def test_the_extension_is_woven_loosely():
    between = {(room(path), room(target)) for path, target in arrows("addon")}
    count = sum(one != other for one, other in between)
    assert count <= MOST_ARROWS, (
        f"{count} imports among the rooms of addon: what belongs together wants one room"
    )


def test_classes_are_small():
    lengths = {
        f"{path}: {node.name}": node.end_lineno - node.lineno + 1
        for path in sources(*ROOMS)
        for node in classes(tree(path))
    }
    large = {name: count for name, count in lengths.items() if count > LONGEST_CLASS}
    assert not large, f"a class past {LONGEST_CLASS} lines wants to be two"


def test_files_are_small_rooms():
    paths = [Path("__init__.py"), Path("setup.py"), *sources(*ROOMS)]
    lengths = {path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in paths}
    large = {str(path): count for path, count in lengths.items() if count > LONGEST_FILE}
    assert not large, f"a file past {LONGEST_FILE} lines wants to be two"


def test_the_kernels_stay_small_and_are_formatted():
    paths = sorted([*(ROOT / "core" / "kernels").glob("*.c"), *(ROOT / "core" / "kernels").glob("*.h")])
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths) <= MOST_LINES_OF_C
    found = importlib.util.find_spec("clang_format")
    assert found is not None and found.origin is not None, "clang-format is among the requirements of plain"
    program = Path(found.origin).parent / "data" / "bin" / "clang-format"
    run = subprocess.run(
        [program, "--dry-run", "-Werror", *paths], capture_output=True, encoding="utf-8", errors="replace"
    )
    assert run.returncode == 0, run.stderr
