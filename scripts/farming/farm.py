# SPDX-License-Identifier: GPL-3.0-or-later
"""A wedge at work: what of it is done, what the rest is told, and where."""

import contextlib
import hashlib
import socket
from collections import Counter
from pathlib import Path

from . import fingerprint, output_folder, run, tables, task, tools


class Farm:
    """The variants of a wedge, and the folder of their results.

    options: of `arguments.parse`; room: of `output_folder.opened`; digests: checksum of each file; blender: the command
    to bake with as one text, or None for whatever a worker has.
    """

    def __init__(self, options, room, variants, digests, blender):
        self.options, self.room, self.variants = options, room, variants
        self._digests, self._blender = digests, blender
        self._fingerprint = fingerprint.of_hooke(fingerprint.HOOKE)
        found = {variant.number: self._record(variant).get("status") for variant in variants}
        # How many variants the folder has of each status. What is unusable would end the same way again.
        self.statuses = Counter(found.values())
        self.missing = [
            variant for variant in variants if found[variant.number] not in (task.DONE, task.UNUSABLE)
        ]

    def work(self, progress):
        """Generator: bake what is missing, yielding records as they come. Raises as `run.connected`, `run.results`."""
        if not self.missing:
            return
        options = self.options
        workers = options.workers or run.local_size(options.memory, len(self.missing))
        names = {variant.number: variant.name for variant in self.missing}

        def told(number, share):
            if number in names:
                progress.reach(number, names[number], share)
            progress.show()

        archive = tools.packed()
        name = hashlib.sha256(archive).hexdigest()[:16]
        if options.files_by != "task":
            (self.room / "tools").mkdir(exist_ok=True)
            tools.unpack(archive, self.room / "tools" / name)
        with run.connected(options.scheduler, workers) as client:
            specs = {variant.number: self._spec(variant, name, workers) for variant in self.missing}
            gone = f"the scheduler at {options.scheduler or 'this machine'} is gone"
            try:
                with self._shipment(client, name, archive):
                    yield from run.results(client, specs, options.output, options.retries, told)
            except run.SchedulerGone as error:
                raise run.SchedulerGone(gone) from error

    def rows(self):
        """What the tables say of every variant, in the wedge's order."""
        return tables.rows((variant, self._record(variant)) for variant in self.variants)

    def _record(self, variant):
        return output_folder.record(self.options.output, variant)

    @property
    def _id(self):
        """A name for what workers keep of this farm."""
        return hashlib.sha256(f"{socket.gethostname()}:{self.options.output}".encode()).hexdigest()[:16]

    def _shipped(self, file):
        """Where a file lies in the folder of a worker that does not see it here."""
        return f"files/{self._digests[file][:32]}/{Path(file).name}"

    def _shipment(self, client, name, archive):
        """What has the workers hold files that they may not see; nothing where all must see them."""
        if self.options.files_by == "folder" or self.options.scheduler is None:
            return contextlib.nullcontext()
        files = {variant.file for variant in self.missing}
        content = {self._shipped(file): Path(file).read_bytes() for file in files}
        return run.shipped(client, self._id, name, archive, content)

    def _spec(self, variant, tools_name, workers):
        """What a worker is told of a variant, as JSON holds it."""
        options, room = self.options, self.room
        shared = {
            "room": str(room),
            "tools": str(room / "tools" / tools_name),
            "input": variant.file,
            "output": str(options.output),
            "work": str(room / "work"),
        }
        return {
            "number": variant.number,
            "name": variant.name,
            "key": variant.key,
            "file": variant.file,
            "object": variant.object,
            "settings": dict(variant.settings),
            "arguments": list(variant.words),
            "shared": shared if options.files_by != "task" else None,
            "farm": self._id,
            "tools": tools_name,
            "shipped": self._shipped(variant.file),
            "fingerprint": self._fingerprint,
            "blender": self._blender,
            "pictures": options.pictures,
            "size": list(options.size),
            "threads": max(1, run.CPU_COUNT // workers) if options.scheduler is None else 1,
        }
