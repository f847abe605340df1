# SPDX-License-Identifier: GPL-3.0-or-later
"""Build what a release consists of: zips for every platform and Python, the index Blender installs from, and wheels.

Blender's own extension builder makes index.json of the zips beside it. Served from any host, or opened as a file, it is
a repository of extensions: Blender chooses from it what is for its platform and its Python, and updates it.
`python3 scripts/dev.py build --release` runs this where everything it needs is installed.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import build
from commands import run_quietly
from compiling import CannotCompile
from environments import NoInterpreter, SetUpFailed, python_of
from kernel_wheels import with_library
from writing import check, file_kinds, put_all, status_of

WHEEL = file_kinds.archive_of("a wheel of Hooke's", "hooke/blender_manifest.toml", holding=(b'id = "hooke"',))
INDEX = file_kinds.marked_json("an index of extensions", version="v1")


def release(output: Path, platforms: list[str]) -> list[Path]:
    """Build the zips of some platforms, one for each Python, and their index; returns all paths, the index last.

    Raises as `build.build` does.
    """
    check(output, {"index.json": INDEX})
    wheels = pip_wheels(output, platforms)
    zips = [
        path for id in platforms for tag in build.python_tags(id) for path in build.build(output, [id], tag)
    ]
    with tempfile.TemporaryDirectory() as scratch:
        for path in zips:
            shutil.copyfile(path, Path(scratch, path.name))
        build.run_builder("server-generate", "--repo-dir", scratch)
        put_all([Path(scratch, "index.json")], output, INDEX)
    return [*wheels, *zips, output / "index.json"]


def pip_wheels(output: Path, platforms: list[str]) -> list[Path]:
    """Build the wheels by which pip installs the core with its kernels where no compiler is; returns their paths.

    Raises build.BuildError, CannotCompile, output_files.Refused.
    """
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "source")
        # setuptools leaves folders where it builds.
        skipped = shutil.ignore_patterns(".*", "wheels", "dist", "demo", "build", "built", "tests", "docs")
        shutil.copytree(build.ROOT, source, ignore=skipped)
        words = [
            "pip",
            "wheel",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-build-isolation",
        ]
        told = run_quietly(
            [sys.executable, "-m", *words, "--wheel-dir", scratch, source],
            variables={"HOOKE_KERNELS": "numpy"},
        )
        pure = next(Path(scratch).glob("hooke-*-py3-none-any.whl"), None)
        if pure is None:
            raise build.BuildError(f"the wheel for pip cannot be built: {told.stderr.strip()[-1000:]}")
        zig = [str(python_of("build")), "-m", "ziglang", "cc"]
        made = [with_library(pure, Path(scratch), id, zig) for id in platforms]
        put_all(made, output, WHEEL)
    return [output / path.name for path in made]


def main() -> int:
    """Parse the command line, build, and print what was made."""
    known = build.manifest()["platforms"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--platform", action="append", choices=[*known, "all"], help="all by default; may be repeated"
    )
    parser.add_argument(
        "--output", type=Path, default=build.ROOT / "dist", help="folder for the zips, dist/ by default"
    )
    chosen = parser.parse_args()
    named = chosen.platform or ["all"]
    try:
        made = release(chosen.output.resolve(), known if "all" in named else named)
    except (build.BuildError, CannotCompile, NoInterpreter, SetUpFailed) as error:
        print(f"release.py: {error}", file=sys.stderr)
        return 1
    for path in made:
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(status_of("release.py", main))
