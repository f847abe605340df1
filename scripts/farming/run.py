# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands the variants of a wedge to Dask's scheduler and takes their results in."""

import io
import logging
import os
import queue
import secrets
import shutil
import zipfile
from contextlib import contextmanager
from pathlib import Path

import dask
import distributed
from dask.system import CPU_COUNT
from distributed.system import MEMORY_LIMIT

from . import publishing, task
from .on_worker import TOPIC, Shipment, bake_task, clean

# A worker that dies takes no bake's blame: those that end their bake by want of memory end Blender, not the worker.
_ALLOWED_DEATHS = 50
# How long to wait for a scheduler to answer.
_CONNECT = "10s"


class SchedulerGone(Exception):
    """There is no scheduler, or no longer; the message says which and what to do."""


class DiskFull(Exception):
    """There is no space for results; the message says where."""


def local_size(memory, most):
    """Number of bakes at a time that this machine's cores and memory have room for, at least 1.

    memory: what a bake takes [bytes]; most: number of bakes there are.
    """
    return max(1, min(CPU_COUNT, int(MEMORY_LIMIT // memory), most))


@contextmanager
def connected(address, workers):
    """A Client of the scheduler at an address, or where that is None of a cluster on this machine.

    Raises SchedulerGone.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    threads = {"OMP_NUM_THREADS": max(1, CPU_COUNT // workers)}
    with dask.config.set(
        {
            "distributed.scheduler.allowed-failures": _ALLOWED_DEATHS,
            "distributed.nanny.pre-spawn-environ": threads,
            "distributed.logging": {"distributed": "critical"},
        }
    ):
        if address is not None:
            try:
                client = distributed.Client(address, timeout=_CONNECT, set_as_default=False)
            except (OSError, ValueError) as error:
                raise SchedulerGone(
                    f"there is no Dask scheduler at {address}: start one with `dask scheduler`, or leave --scheduler "
                    "out for a farm on this machine"
                ) from error
            with client:
                yield client
            return
        with (
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            ) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client


@contextmanager
def shipped(client, farm, tools, archive, files):
    """Have the workers of a running cluster, also those to come, hold files that they may not see otherwise."""
    name = f"hooke-farm-{farm}"
    client.register_plugin(Shipment(farm, tools, archive, files), name=name)
    finished = False
    try:
        yield
        finished = True
    finally:
        if client.status == "running":
            client.unregister_worker_plugin(name)
            if finished:
                client.run(clean, farm, on_error="ignore")


def results(client, specs, output, retries, told):
    """Generator of the records of variants, in the order they come, each published in its folder.

    specs: by number; told: called with number and share of the variants at work, and with None now and then. What fails
    is tried again, elsewhere if there is an elsewhere. Raises SchedulerGone, DiskFull; close it to cancel the rest.
    """
    finished: queue.SimpleQueue = queue.SimpleQueue()
    client.subscribe_topic(TOPIC, lambda event: finished.put(event[1]))
    tries, futures = dict.fromkeys(specs, 1), {}
    token = secrets.token_hex(4)

    def submit(numbers, **where):
        keys = [f"bake-{token}-{number}-{tries[number]}" for number in numbers]
        made = client.map(bake_task, [specs[n] for n in numbers], key=keys, pure=False, batch_size=2000, **where)
        for number, future in zip(numbers, made, strict=True):
            futures[number] = future
            future.add_done_callback(lambda future, number=number: finished.put((number, future)))

    try:
        submit(list(specs))
        while futures:
            try:
                event = finished.get(timeout=0.25)
            except queue.Empty:
                told(None, 0.0)
                continue
            if isinstance(event, dict):
                told(event["number"], event["share"])
                continue
            number, future = event
            if futures.get(number) is not future:
                continue
            record = _record(client, specs[number], future, output)
            del futures[number]
            if record["status"] in (task.FAILED, task.FULL) and tries[number] <= retries:
                tries[number] += 1
                submit([number], **_elsewhere(client, record.get("worker")))
                continue
            yield record
    finally:
        if futures and client.status == "running":
            client.cancel(list(futures.values()), force=True)
        client.unsubscribe_topic(TOPIC)


def _record(client, spec, future, output):
    """What became of a future."""
    if future.status in ("cancelled", "lost"):
        raise SchedulerGone("the scheduler is gone")
    try:
        record = future.result()
    except (distributed.CancelledError, distributed.TimeoutError, OSError) as error:
        if client.status != "running":
            raise SchedulerGone("the scheduler is gone") from error
        record = task.unmade(spec, f"{error}")
    except Exception as error:
        # Whatever a worker may raise: it is this variant's alone.
        record = task.unmade(spec, f"{type(error).__name__}: {error}")
    if "folder" in record:
        record = _received(record, output) | {"worker": record["worker"]}
    if record["status"] == task.FULL and record.pop("shared", False):
        raise DiskFull(record["error"])
    return record


def _received(record, output):
    """Publish a folder that came as the bytes of a zip file; returns its record."""
    final = Path(output, record["name"])
    made = final.with_name(f".{final.name}.{secrets.token_hex(4)}")
    try:
        with zipfile.ZipFile(io.BytesIO(record["folder"])) as archive:
            archive.extractall(made)
        return publishing.publish(made, final)
    except OSError as error:
        raise DiskFull(f"{final} cannot be written ({os.strerror(error.errno or 0)})") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _elsewhere(client, worker):
    """Where to try again what failed on a worker: on others, if there are any."""
    others = [address for address in client.scheduler_info(n_workers=-1)["workers"] if address != worker]
    return {"workers": others, "allow_other_workers": True} if others else {}
