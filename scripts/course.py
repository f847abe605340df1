# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the course's texts, docs/course/*.py, and write each as a page with its output and pictures.

A text is a script that any Python runs. `# %%` begins a cell of code, `# %% [markdown]` one of comments, as notebooks
in editors have them. Needs NumPy, SciPy, Matplotlib and hooke.
"""

import argparse
import contextlib
import io
import re
import sys
import time
from pathlib import Path

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt

TEXTS = Path(__file__).resolve().parents[1] / "docs" / "course"
# The texts in the order of a course.
ORDER = ("springs", "oscillator", "lattice", "projective_dynamics", "limits")
CELL = re.compile(r"^# %%(.*)\n", re.MULTILINE)


def cells(text):
    """Cells of a text as pairs (markdown, code), one of which is empty."""
    _, *parts = CELL.split(text)
    for kind, body in zip(parts[::2], parts[1::2], strict=True):
        if "[markdown]" in kind:
            yield re.sub(r"^# ?", "", body, flags=re.MULTILINE).strip(), ""
        else:
            yield "", body.strip()


def page(name, folder):
    """Run a text; returns it as Markdown, and writes its pictures into a folder. Raises what the text raises."""
    source = (TEXTS / f"{name}.py").read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": name}
    written: list[str] = []
    pictures: list[str] = []
    for markdown, code in cells(source):
        if markdown:
            written.append(markdown)
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, f"{name}.py", "exec"), names)
        written.append(f"```python\n{code}\n```")
        if printed.getvalue():
            written.append(f"```text\n{printed.getvalue().rstrip()}\n```")
        for number in plt.get_fignums():
            pictures.append(f"{name}-{len(pictures) + 1}.png")
            plt.figure(number).savefig(folder / pictures[-1], dpi=100, bbox_inches="tight")
            written.append(f"![What these lines draw]({pictures[-1]})")
        plt.close("all")
    title, *rest = written
    return "\n\n".join([title, f"[Download {name}.py]({name}.py)", *rest]) + "\n"


def main():
    """Write the pages of all texts, or of those named."""
    parser = argparse.ArgumentParser(prog="course", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="where pages and pictures go"
    )
    parser.add_argument("texts", nargs="*", default=ORDER, metavar="TEXT", help=f"of {', '.join(ORDER)}")
    chosen = parser.parse_args()
    chosen.output.mkdir(parents=True, exist_ok=True)
    for name in chosen.texts:
        started = time.process_time()
        (chosen.output / f"{name}.md").write_text(page(name, chosen.output), encoding="utf-8", newline="\n")
        print(f"{name}: {time.process_time() - started:.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
