# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the extension's zip for a platform, with the wheels it needs, for every Python or one.

The wheels named in blender_manifest.toml are fetched with pip into wheels/ and checked against scripts/wheels.sha256,
but for those of the kernels, which Zig compiles; Blender's own extension builder then makes the zip and validates it:
that of a Blender on this machine, or of the bpy module. `python3 scripts/dev.py build` runs this where everything it
needs is installed.
"""

import argparse
import hashlib
import importlib.util
import platform
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from applications import find_blender
from commands import run_quietly
from compiling import CannotCompile
from environments import NoInterpreter, SetUpFailed, one_at_a_time, python_of
from kernel_wheels import PLATFORMS, make_wheel, wheel_name
from writing import check, file_kinds, put_all, status_of

ROOT = Path(__file__).resolve().parent.parent
WHEELS = ROOT / "wheels"
CHECKSUMS = ROOT / "scripts" / "wheels.sha256"
BUILDER = "scripts/addons_core/bl_pkg/cli/blender_ext.py"
WHEEL_PLATFORMS = {
    "manylinux": {"x86_64": "linux-x64"},
    "win": {"amd64": "windows-x64"},
    "macosx": {"arm64": "macos-arm64", "x86_64": "macos-x64"},
}
MACHINES = {
    ("Linux", "x86_64"): "linux-x64",
    ("Windows", "AMD64"): "windows-x64",
    ("Darwin", "arm64"): "macos-arm64",
    ("Darwin", "x86_64"): "macos-x64",
}

# Any version's: a zip that is built again is another one.
ZIP = file_kinds.archive_of("a zip of Hooke's", "blender_manifest.toml", holding=(b'id = "hooke"',))


class BuildError(Exception):
    """The zips cannot be built; the message says why and what to do."""


def manifest() -> dict:
    """The manifest as a dictionary."""
    return tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))


def checksums() -> dict[str, str]:
    """SHA-256 of each wheel by file name, as pinned; raises BuildError where the manifest lists others."""
    pinned = {}
    for line in CHECKSUMS.read_text(encoding="utf-8").splitlines():
        digest, name = line.split()
        pinned[name] = digest
    listed = {Path(path).name for path in manifest()["wheels"]} - set(own_wheels())
    if listed != set(pinned):
        raise BuildError(
            "blender_manifest.toml and scripts/wheels.sha256 must name the same wheels; only one names "
            + ", ".join(sorted(listed ^ set(pinned)))
            + "."
        )
    return pinned


def own_wheels() -> dict[str, str]:
    """The wheels of the kernels, which are made here, with their platforms."""
    return {wheel_name(platform, manifest()["version"]): platform for platform in PLATFORMS}


def wheel_platform(name: str) -> str:
    """Blender's platform id for a wheel's file name, such as `linux-x64` for a manylinux x86_64 wheel."""
    tag = name.removesuffix(".whl").split("-")[-1].split(".")[0]
    for system, machines in WHEEL_PLATFORMS.items():
        for machine, id in machines.items():
            if tag.startswith(system) and tag.endswith(f"_{machine}"):
                return id
    raise BuildError(f"{name} is for a platform the extension does not support: {tag}.")


def python_tags(platform: str) -> list[str]:
    """The Pythons that a platform's zip can be for, as SciPy's wheels have them: cp311, cp313 …, the oldest first."""
    names = [name for name in checksums() if name.startswith("scipy-") and wheel_platform(name) == platform]
    return sorted((name.split("-")[2] for name in names), key=_minor)


def fits(name: str, tag: str) -> bool:
    """Whether a wheel is for the Python of a tag: of its own version, or of the stable interface since an older one."""
    _, _, python, abi, _ = name.removesuffix(".whl").split("-")
    return python == tag or python == "py3" or (abi == "abi3" and _minor(python) <= _minor(tag))


def _minor(tag: str) -> int:
    return int(tag.removeprefix("cp3"))


def this_platform() -> str:
    """Blender's platform id of this machine; raises BuildError where the extension has no zip for it."""
    machine = platform.system(), platform.machine()
    if machine not in MACHINES:
        raise BuildError(
            f"the extension has no zip for {' '.join(machine)}; choose one of {', '.join(MACHINES.values())} "
            "with --platform."
        )
    return MACHINES[machine]


def sha256(path: Path) -> str:
    """SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch_wheel(name: str, digest: str) -> None:
    """Download one wheel into wheels/ unless it is there with the right checksum.

    pip of the running interpreter does it, so its configuration (index, proxy, cache) applies.
    Raises BuildError when pip fails or hands over other bytes than the pinned ones.
    """
    target = WHEELS / name
    if target.is_file() and sha256(target) == digest:
        return
    target.unlink(missing_ok=True)
    print(f"Fetching {name}", flush=True)
    project, version, python, abi, platforms = name.removesuffix(".whl").split("-")
    with tempfile.TemporaryDirectory() as folder:
        requirement = Path(folder, "requirement.txt")
        requirement.write_text(f"{project}=={version} --hash=sha256:{digest}\n", encoding="utf-8")
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        command += ["--no-deps", "--only-binary=:all:", "--require-hashes", "--requirement", str(requirement)]
        command += ["--dest", folder, "--implementation", "cp", "--abi", abi]
        command += ["--python-version", python.removeprefix("cp")]
        for tag in platforms.split("."):
            command += ["--platform", tag]
        if subprocess.run(command).returncode != 0:
            raise BuildError(f"pip could not fetch {name}; its message above says why.")
        fetched = Path(folder, name)
        if not fetched.is_file() or sha256(fetched) != digest:
            raise BuildError(f"pip fetched another file than {name} with SHA-256 {digest}.")
        WHEELS.mkdir(exist_ok=True)
        shutil.move(fetched, target)


class Builder(NamedTuple):
    """How Blender's extension builder is started: the words before a subcommand, and those right after it."""

    before: list[str]
    after: list[str]


@cache
def builder() -> Builder:
    """Blender's extension builder: that of the bpy module, or of an application.

    Looks in the running interpreter's bpy, for an application, then in the environments of dev.py; raises BuildError.
    """
    spec = importlib.util.find_spec("bpy")
    if (
        spec is not None
        and spec.origin is not None
        and (own := list(module_builders([Path(spec.origin).parent])))
    ):
        return own[0]
    blender = find_blender()
    if blender is not None:
        return Builder([*blender, "--command", "extension"], [])
    made = list(module_builders(ROOT.glob(".venv/*/[Ll]ib/**/site-packages/bpy")))
    if made:
        return made[0]
    raise BuildError(
        "Blender's builder comes with Blender 4.2 or newer, which is not found here: name the command that starts "
        "it in the environment variable BLENDER, or run `python3 scripts/dev.py build`, which installs Blender as "
        "a module."
    )


def module_builders(folders: Iterable[Path]) -> Iterator[Builder]:
    """The builders in some folders of bpy modules, told of the tags there are."""
    for folder in folders:
        for path in sorted(folder.glob(f"*/{BUILDER}")):
            tags = path.parents[3] / "modules" / "_bpy_internal" / "extensions" / "tags.py"
            yield Builder([sys.executable, str(path)], ["--valid-tags", str(tags)])


def run_builder(subcommand: str, *arguments: str) -> None:
    """Run Blender's builder; raises BuildError with what it says."""
    before, after = builder()
    # An index is made of zips that were built by the tags.
    after = [] if subcommand == "server-generate" else after
    told = run_quietly([*before, subcommand, *after, *arguments])
    if told.returncode != 0:
        raise BuildError(f"Blender's builder failed at `{subcommand}`: {(told.stdout + told.stderr).strip()}")


def stage(folder: Path, platforms: list[str], tag: str = "") -> None:
    """Copy the extension's sources and the wheels of some platforms, of one Python or all, into an empty folder.

    The builder wants every listed wheel, so the other platforms' are empty files: they only reach zips that
    are thrown away with the folder, and the zips kept are the same as from a build of all platforms.
    """
    # What the manifest's paths_exclude_pattern would leave out anyway, and is large or changes while copying.
    skipped = shutil.ignore_patterns(".*", "wheels", "dist", "demo", "build", "tests", "__pycache__")
    shutil.copytree(ROOT, folder, ignore=skipped, dirs_exist_ok=True)
    (folder / "wheels").mkdir()
    wheels, own = checksums(), own_wheels()
    for name, platform_of in own.items():
        if platform_of in platforms:
            zig = [str(python_of("build")), "-m", "ziglang", "cc"]
            make_wheel(folder / "wheels" / name, platform_of, manifest()["version"], zig)
        else:
            (folder / "wheels" / name).touch()
    if tag:
        kept = {name for name in wheels if fits(name, tag)} | set(own)
        _list_only(folder / "blender_manifest.toml", kept)
    for name, digest in wheels.items():
        if tag and not fits(name, tag):
            continue
        if wheel_platform(name) in platforms:
            # Zips may be built side by side.
            with one_at_a_time(ROOT / ".venv" / "wheels"):
                fetch_wheel(name, digest)
            shutil.copyfile(WHEELS / name, folder / "wheels" / name)
        else:
            (folder / "wheels" / name).touch()


def _list_only(path: Path, wheels: set[str]) -> None:
    """Leave out of a manifest's list, which has one a line, all wheels but some."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if ".whl" not in line or line.strip(' ",\n').rpartition("/")[2] in wheels]
    path.write_text("".join(kept), encoding="utf-8")


def build(output: Path, platforms: list[str], tag: str = "") -> list[Path]:
    """Build and validate the zips of some platforms; returns their paths, in the platforms' order.

    tag: of the Python they are for, as cp313; "" for all that a platform has wheels for.

    Raises BuildError when fetching, building or validating fails, output_files.Refused where a zip would take the place
    of anything else.
    """
    facts = manifest()
    names = [f"{facts['id']}-{facts['version']}-{id.replace('-', '_')}" for id in platforms]
    ending = f"-{tag}.zip" if tag else ".zip"
    # What is missing or in the way is said before anything is downloaded.
    check(output, {f"{name}{ending}": ZIP for name in names})
    builder()
    zips = []
    with tempfile.TemporaryDirectory() as scratch:
        source, built = Path(scratch, "source"), Path(scratch, "built")
        built.mkdir()
        stage(source, platforms, tag)
        run_builder("build", "--split-platforms", "--source-dir", str(source), "--output-dir", str(built))
        for name in names:
            path = (built / f"{name}.zip").rename(built / f"{name}{ending}")
            run_builder("validate", str(path))
            print(f"Built and validated {path.name}", flush=True)
            put_all([path], output, ZIP)
            zips.append(output / path.name)
    return zips


def main() -> int:
    """Parse the command line, build, and print each zip with its size."""
    known = manifest()["platforms"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--platform",
        action="append",
        choices=[*known, "all"],
        help="this machine's by default; may be repeated",
    )
    parser.add_argument(
        "--output", type=Path, default=ROOT / "dist", help="folder for the zips, dist/ by default"
    )
    arguments = parser.parse_args()
    try:
        chosen = arguments.platform or [this_platform()]
        zips = build(arguments.output.resolve(), known if "all" in chosen else chosen)
    except (BuildError, CannotCompile, NoInterpreter, SetUpFailed) as error:
        print(f"build.py: {error}", file=sys.stderr)
        return 1
    for path in zips:
        print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")
    print("Install it in Blender: Edit > Preferences > Get Extensions > Install from Disk.")
    return 0


if __name__ == "__main__":
    sys.exit(status_of("build.py", main))
