# SPDX-License-Identifier: GPL-3.0-or-later
"""What a worker of Dask's is sent: where its copy of Hooke's scripts is, and to bake with them.

The workers have nothing of Hooke's: what is defined within a function travels as it is, not by its name.
"""

# Events with the number of a variant and its share of simulated frames.
TOPIC = "hooke-farm"


def made():
    """The task, a function of a `Variant`'s spec that returns its record, and the plugin class that ships files.

    A worker that sees the folder of results works there. Another one works in a folder of its own, which the
    environment variable HOOKE_FARM_FOLDER may name, with the files of the plugin; its record then has "folder", a zip
    file's bytes.
    """
    import io
    import os
    import zipfile
    from pathlib import Path

    from distributed.diagnostics.plugin import WorkerPlugin

    def local_folder(farm):
        import getpass
        import tempfile

        base = os.environ.get("HOOKE_FARM_FOLDER")
        return Path(base or Path(tempfile.gettempdir(), f"hooke-farm-{getpass.getuser()}"), farm).absolute()

    def places(spec):
        """Folders of this worker, and whether they are those of the farm."""
        shared = spec["shared"]
        if shared is not None and all(Path(shared[name]).exists() for name in ("room", "tools", "input")):
            return shared, True
        local = local_folder(spec["farm"])
        paths = {"tools": local / "tools" / spec["tools"], "input": local / spec["shipped"]}
        paths |= {"output": local / "results", "work": local / "work"}
        return {name: str(path) for name, path in paths.items()}, False

    def scripts(folder):
        """The package farming of a copy of Hooke's scripts, under a name of its own."""
        import importlib
        import importlib.util
        import sys

        name = f"hooke_farm_{Path(folder).name}"
        if name not in sys.modules:
            room = Path(folder, "scripts", "farming")
            spec = importlib.util.spec_from_file_location(
                name, room / "__init__.py", submodule_search_locations=[str(room)]
            )
            assert spec is not None and spec.loader is not None, "the copy holds the package farming"
            package = sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(package)
        return importlib.import_module(f"{name}.task")

    def zipped(folder):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for path in sorted(Path(folder).rglob("*")):
                archive.write(path, path.relative_to(folder))
        return buffer.getvalue()

    def bake(spec):
        from distributed import get_worker

        worker = get_worker()
        key = worker.get_current_task()

        def wanted():
            task = worker.state.tasks.get(key)
            return task is not None and task.state in ("executing", "long-running")

        def told(share):
            worker.log_event("hooke-farm", {"number": spec["number"], "share": share})

        told(0.0)
        found, shared = places(spec)
        record = scripts(found["tools"]).bake(spec | found, wanted, told)
        record |= {"worker": worker.address, "shared": shared}
        folder = Path(found["output"], spec["name"])
        if not shared and folder.is_dir():
            record["folder"] = zipped(folder)
        return record

    class Shipment(WorkerPlugin):
        """Files for workers that do not see the farm's folder; files: bytes by path below the worker's own folder."""

        def __init__(self, farm, tools, archive, files):
            self.farm, self.tools, self.archive, self.files = farm, tools, archive, files

        def setup(self, worker):
            """Write what is not there yet, whoever else on this machine does the same."""
            import secrets

            local, token = local_folder(self.farm), secrets.token_hex(4)
            tools = local / "tools" / self.tools
            if not tools.is_dir():
                partial = tools.with_name(f"{self.tools}.{token}")
                with zipfile.ZipFile(io.BytesIO(self.archive)) as archive:
                    archive.extractall(partial)
                try:
                    os.rename(partial, tools)
                except OSError:
                    if not tools.is_dir():
                        raise
            for name, content in self.files.items():
                path = local / name
                if not path.is_file():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    partial = path.with_name(f"{path.name}.{token}")
                    partial.write_bytes(content)
                    os.replace(partial, path)

    def clean(farm):
        """Remove what a farm left in this worker's own folder, once it is done."""
        import shutil

        shutil.rmtree(local_folder(farm), ignore_errors=True)

    return bake, Shipment, clean


bake_task, Shipment, clean = made()
