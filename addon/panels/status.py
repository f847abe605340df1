# SPDX-License-Identifier: GPL-3.0-or-later
"""How a simulation is, as the main panel draws it."""

from .. import bakes, readout
from ..bakes import played_file
from ..play import range_operator
from ..readout import dismissed_remarks
from ..readout.remedies import REMEDIES, offered
from ..wrapped_text import draw_lines, shortened, wrapped

# Lines of the status where it has little to say.
_LINES = 2


def draw_status(column, obj, scene):
    """Draw how it is, in two lines where all is well."""
    record, progress = obj.hooke.bake, range_operator.progress
    if progress is not None:
        column.progress(factor=progress.fraction, text=progress.sentence())
        draw_lines(column, ["Esc: cancel"], "CANCEL")
    elif record.exists and (wrong := played_file.problem(obj)):
        _draw_message(column, wrong, "ERROR")
    elif record.exists:
        text = f"Baked: frames {record.frame_start}–{record.frame_end} {bakes.summary(obj, brief=True)}"
        _draw_message(column, text, "KEYTYPE_KEYFRAME_VEC")
    else:
        _draw_report(column, readout.report(obj), obj, scene)


def _draw_report(column, report, obj, scene):
    if report.figures:
        draw_lines(column, map(shortened, report.figures), "CHECKMARK" if report.well else "DOT")
    if not report.complaints:
        if report.note:
            _draw_message(column, report.note, "BLANK1" if report.figures else report.icon)
        return
    complaint = report.complaints[0]
    _draw_message(column, complaint.text, complaint.icon)
    remedy, row = offered(complaint, obj, scene), column.row(align=True)
    if remedy is not None:
        label = REMEDIES[remedy].label(obj, scene)
        row.operator("hooke.mend", text=label, icon="CHECKMARK").remedy = remedy
    if len(complaint.vertices):
        row.operator("hooke.select_found", icon="RESTRICT_SELECT_OFF").number = -1
    if dismissed_remarks.possible(complaint):
        other = remedy or len(complaint.vertices)
        row.operator(
            "hooke.put_away", text="" if other else "Put Away", icon="X"
        ).key = dismissed_remarks.key(complaint)


def _draw_message(column, text, icon):
    """Draw a sentence in as many lines as it needs, two at least."""
    lines = wrapped(text)
    draw_lines(column, [*lines, *[""] * (_LINES - len(lines))], icon)
