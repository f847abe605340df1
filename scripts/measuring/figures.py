# SPDX-License-Identifier: GPL-3.0-or-later
"""How plots look, and where they are kept."""

import matplotlib as mpl
import matplotlib.pyplot as plt

from .page import PICTURES
from .palette import few_colours

mpl.use("Agg")
mpl.rcParams.update(
    {
        "font.size": 9.0,
        "axes.titlesize": 9.5,
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "lines.linewidth": 1.6,
        "figure.dpi": 160,
        "savefig.facecolor": "white",
    }
)


def save(figure, name, rendered=False):
    """Write a figure into docs/pictures/ without a date, so that the same numbers give the same file.

    rendered: whether it shows rendered pictures, which a palette makes small.
    """
    PICTURES.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURES / name, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)
    if rendered:
        few_colours(PICTURES / name)
    print(f"  docs/pictures/{name}", flush=True)
