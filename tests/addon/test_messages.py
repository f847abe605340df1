# SPDX-License-Identifier: GPL-3.0-or-later
"""Every message of the add-on says what happened and what to do about it: walked through in the code itself."""

import ast
import re
from itertools import product
from pathlib import Path

import pytest

import hooke

ADDON = Path(hooke.__file__).parent / "addon"
# What people are told by, and which of its arguments is the sentence.
TELLING = {
    "MeshError": 0,
    "ValueError": 0,
    "CacheError": 0,
    "Complaint": 0,
    "Doubt": 0,
    "Decision": 3,
    "poll_message_set": 0,
    "report": 1,
}
# Functions that return sentences.
SENTENCES = {
    "colliders/contact_warnings.py": {"_begins_wrong", "_held"},
    "colliders/finding.py": {"problem_of"},
    "preflight.py": {"mesh_warnings"},
    "sections/collisions.py": {"findings"},
    "sections/force_fields.py": {"hindrance", "_left"},
}
# Remedies that are a button wherever they are named, so that the sentence does not have to say it.
ALWAYS = {"EVERY_FRAME", "MODIFIER", "END", "COLLIDER", "UNIT_SCALE"}
# What another message is put into, which says what to do.
PASSED_ON = re.compile(r"\{[^}]*(?:error|damaged|lost|problem|remedy|_MAKE_LOCAL|message)[^}]*\}")
DO = (
    "activate|add|animate|apply|assign|bake|change|check|choose|clear|clone|close|convert|create|delete|detach|drag|"
    "enable|fill|find|free|give|go|include|install|keep|key|leave|let|link|lower|make|merge|move|name|open|play|press|put|"
    "raise|recalculate|remove|run|save|select|set|show|simulate|turn|update|use|close|unlink|export|report"
)
REMEDY = re.compile(
    rf"\w > [A-Z]|(?:[:;,.]|\bor|\band|\bto|^)\s+(?:first |then |or |and )?(?:{DO})\b|^(?:{DO})\b",
    re.IGNORECASE,
)


def files():
    """Every file of the add-on."""
    return [path.relative_to(ADDON).as_posix() for path in sorted(ADDON.rglob("*.py"))]


def texts(node, known):
    """What a node may be as a text, with what is put into it in braces."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.FormattedValue):
        return texts(node.value, known) or [f"{{{ast.unparse(node.value)}}}"]
    if isinstance(node, ast.JoinedStr):
        return ["".join(chosen) for chosen in product(*(texts(part, known) for part in node.values))]
    if isinstance(node, ast.IfExp):
        return texts(node.body, known) + texts(node.orelse, known)
    if isinstance(node, ast.Name):
        return known.get(node.id, [])
    return []


def assigned(function):
    """Texts by the names that a function gives them."""
    known = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            known.setdefault(node.targets[0].id, []).extend(texts(node.value, {}))
    return known


def is_plain(call):
    """Whether a call tells that all is done, or has a button beside the sentence."""
    words = {
        node.value for argument in call.args for node in ast.walk(argument) if isinstance(node, ast.Constant)
    }
    return (getattr(call.func, "attr", "") == "report" and "INFO" in words) or bool(words & ALWAYS)


def messages(path):
    """Every message of a file: its line, and the text."""
    tree = ast.parse((ADDON / path).read_text(encoding="utf-8"))
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        known, returns = assigned(function), function.name in SENTENCES.get(path, ())
        for node in ast.walk(function):
            found = []
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                place = 0 if name == "append" and returns else TELLING.get(name)
                if place is not None and len(node.args) > place and not is_plain(node):
                    found = texts(node.args[place], known)
            elif returns and isinstance(node, (ast.Return, ast.ListComp)):
                found = texts(getattr(node, "elt", None) or node.value, known)
            yield from ((node.lineno, text) for text in found if text)


def says_what_to_do(text):
    """Whether a message does, or is a part of one that does: what begins with "it" is put into another."""
    return text.startswith("it ") or bool(REMEDY.search(text) or PASSED_ON.search(text))


def test_every_message_says_what_to_do():
    found = ((path, line, text) for path in files() for line, text in messages(path))
    assert [f"{path}:{line}: {text}" for path, line, text in found if not says_what_to_do(text)] == []


def test_messages_are_found():
    assert sum(len(list(messages(path))) for path in files()) > 120


@pytest.mark.parametrize(
    "text",
    ["'Cloth' has no faces", "The solver lags", "Waits for frame 1 to start from", "'Cylinder' has left"],
)
def test_what_leaves_people_alone_is_noticed(text):
    assert not says_what_to_do(text)
