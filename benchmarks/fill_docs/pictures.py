"""The curves, drawn from the rows of the first draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from cases import GZSL
from generalized import CLOSELY, SAID

from sapwood.benchmark import Row

OURS, OTHER, SOFT = "#2b7a4b", "#b4533c", "#9a9a9a"
RIVALS = ("#b4533c", "#3b6ea5", "#8a6bb0", "#b58a2b")
Panel = Callable[[plt.Axes, list[Row]], None]


def draw_all(rows: list[Row], folder: Path) -> dict[str, Path]:
    """Draw what the rows allow; return the files by name."""
    drawn: dict[str, tuple[str, Panel]] = {
        "generalized-bias": ("curve", bias_panel),
        "generalized-reliability": ("reliability", reliability_panel),
        "generalized-risk": ("risk", risk_panel),
    }
    files = {}
    for name, (needed, panel) in drawn.items():
        kept = [row for row in rows if needed in row]
        if any(table.of(kept) for table in GZSL.values()):
            files[name] = folder / f"{name}.png"
            _figure(kept, panel, files[name])
    return files


def bias_panel(axes: plt.Axes, rows: list[Row]) -> None:
    """Draw seen against unseen accuracy of our default and of the rivals with the largest H."""
    rivals = [row for row in rows if not row["method"].startswith("sapwood")]
    rivals.sort(key=lambda row: -row["harmonic_mean"])
    ours = [row for row in rows if row["method"] == "sapwood"]
    for row, colour in zip([*ours, *rivals], [OURS] * len(ours) + list(RIVALS), strict=False):
        acc_u, acc_s = 100 * np.array(row["curve"]).T
        width = 2.4 if row in ours else 1.3
        axes.plot(acc_u, acc_s, color=colour, linewidth=width, label=row["method"])
        _spot(axes, [row["acc_u"], row["acc_s"]], colour, filled=True)
        _spot(axes, row["uncalibrated_at"], colour, filled=False)
    _spot(axes, [], SOFT, filled=True, label="calibrated")
    _spot(axes, [], SOFT, filled=False, label="not calibrated")
    axes.set(xlabel="unseen images named correctly (%)", ylabel="seen images named correctly (%)")
    axes.set(xlim=(0, None), ylim=(0, None))
    axes.legend(fontsize=8.5, loc="lower left")


def reliability_panel(axes: plt.Axes, rows: list[Row]) -> None:
    """Draw the share of right answers against the stated confidence, by bins."""
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=1, linestyle=(0, (4, 3)))
    for row, (name, start), colour in _said(rows):
        count, confidence, right = np.array(row[f"{start}reliability"]).T
        axes.plot(confidence, right, color=colour, linewidth=1.8, label=name)
        size = 12 + 200 * count / count.sum()
        axes.scatter(confidence, right, s=size, color=colour, clip_on=False, zorder=3)
    axes.set(xlabel="stated confidence", ylabel="share of right answers")
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.legend(fontsize=8.5, loc="lower right")


def risk_panel(axes: plt.Axes, rows: list[Row]) -> None:
    """Draw the share of wrong answers among the most confident ones."""
    for row, (name, start), colour in _said(rows):
        coverage, risk = 100 * np.array(row[f"{start}risk"]).T
        axes.plot(coverage, risk, color=colour, linewidth=2, label=name)
    axes.set(xlabel="images answered, most confident first (%)", ylabel="wrong answers (%)")
    axes.set(xlim=(0, 100), ylim=(0, None))
    axes.legend(fontsize=8.5, loc="lower right")


def _said(rows: list[Row]) -> Iterator[tuple[Row, tuple[str, str], str]]:
    ours = [row for row in rows if row["method"] == "sapwood"]
    for said, colour in zip(SAID.items(), (OURS, OTHER), strict=True):
        yield from ((row, said, colour) for row in ours)


def _figure(rows: list[Row], panel: Panel, path: Path) -> None:
    shown = [table for table in GZSL.values() if table.of(rows)]
    size = (5.2 * len(shown), 4.4)
    figure, axes = plt.subplots(
        1, len(shown), figsize=size, dpi=110, squeeze=False, layout="constrained", facecolor="white"
    )
    for axis, table in zip(axes[0], shown, strict=True):
        panel(axis, table.of(rows))
        axis.set_title(f"{table.title.split(',')[0]}, K = {CLOSELY}", fontsize=11)
        axis.grid(color="#e4e4e4", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path)
    plt.close(figure)


def _spot(
    axes: plt.Axes, at: list[float], colour: str, filled: bool, label: str | None = None
) -> None:
    x, y = ([100 * at[0]], [100 * at[1]]) if at else ([], [])
    face = colour if filled else "white"
    axes.plot(x, y, "o", markeredgecolor=colour, markerfacecolor=face, markersize=7, label=label)
