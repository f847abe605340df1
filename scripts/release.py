# SPDX-License-Identifier: GPL-3.0-or-later
"""Build what a release consists of: a zip for every platform and Python, and the index that Blender installs from.

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
from writing import check, file_kinds, put_all, status_of

INDEX = file_kinds.marked_json("an index of extensions", version="v1")


def release(output: Path, platforms: list[str]) -> list[Path]:
    """Build the zips of some platforms, one for each Python, and their index; returns all paths, the index last.

    Raises as `build.build` does.
    """
    check(output, {"index.json": INDEX})
    zips = [
        path for id in platforms for tag in build.python_tags(id) for path in build.build(output, [id], tag)
    ]
    with tempfile.TemporaryDirectory() as scratch:
        for path in zips:
            shutil.copyfile(path, Path(scratch, path.name))
        build.run_builder("server-generate", "--repo-dir", scratch)
        put_all([Path(scratch, "index.json")], output, INDEX)
    return [*zips, output / "index.json"]


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
    except build.BuildError as error:
        print(f"release.py: {error}", file=sys.stderr)
        return 1
    for path in made:
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(status_of("release.py", main))
