# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader of binary glTF 2.0 written after its specification, independent of Blender: struct, json and NumPy."""

import json
import struct
from pathlib import Path

import numpy as np

_KINDS = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class Gltf:
    """The document of a .glb file and its one buffer."""

    def __init__(self, path):
        content = Path(path).read_bytes()
        magic, version, length = struct.unpack_from("<4sII", content)
        assert (magic, version, length) == (b"glTF", 2, len(content))
        chunks, offset = {}, 12
        while offset < length:
            size, kind = struct.unpack_from("<I4s", content, offset)
            chunks[kind] = content[offset + 8 : offset + 8 + size]
            offset += 8 + size
        self.document = json.loads(chunks[b"JSON"])
        self._buffer = chunks[b"BIN\0"]

    def accessor(self, index):
        """Values of an accessor, sparse ones filled in, shape (count, width)."""
        accessor = self.document["accessors"][index]
        kind, width = _KINDS[accessor["componentType"]], _WIDTHS[accessor["type"]]
        values = np.zeros((accessor["count"], width), dtype=kind)
        if "bufferView" in accessor:
            start = accessor.get("byteOffset", 0)
            values[:] = self._view(accessor["bufferView"], start, kind, values.size).reshape(values.shape)
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            where, what = sparse["indices"], sparse["values"]
            at = self._view(
                where["bufferView"],
                where.get("byteOffset", 0),
                _KINDS[where["componentType"]],
                sparse["count"],
            )
            values[at] = self._view(
                what["bufferView"], what.get("byteOffset", 0), kind, sparse["count"] * width
            ).reshape(-1, width)
        return values

    def _view(self, index, offset, kind, count):
        view = self.document["bufferViews"][index]
        assert "byteStride" not in view
        start = view.get("byteOffset", 0) + offset
        return np.frombuffer(self._buffer, kind, count, start)

    def morphed(self, name, time):
        """Positions of the vertices of a node's mesh at a time [s], float64, in the file's axes (y up).

        Weights are interpolated linearly, as their sampler says.
        """
        number = next(i for i, node in enumerate(self.document["nodes"]) if node["name"] == name)
        (primitive,) = self.document["meshes"][self.document["nodes"][number]["mesh"]]["primitives"]
        positions = self.accessor(primitive["attributes"]["POSITION"]).astype(np.float64)
        for target, weight in zip(primitive["targets"], self.weights(number, time), strict=True):
            positions += weight * self.accessor(target["POSITION"])
        return positions

    def weights(self, node, time):
        """Weights of a node's morph targets at a time [s]."""
        (animation,) = self.document["animations"]
        (channel,) = (c for c in animation["channels"] if c["target"] == {"node": node, "path": "weights"})
        sampler = animation["samplers"][channel["sampler"]]
        assert sampler.get("interpolation", "LINEAR") == "LINEAR"
        times = self.accessor(sampler["input"])[:, 0]
        values = self.accessor(sampler["output"]).reshape(len(times), -1)
        return np.array([np.interp(time, times, column) for column in values.T])
