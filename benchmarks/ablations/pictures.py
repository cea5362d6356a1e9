"""The differences as bars."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from changes import DEFAULT
from shared import ANNOTATED
from tables import ORDERED, collected, differences

from sapwood.benchmark import Row, signed

Lead = dict[tuple[str, str], list[float]]
#: Longer bars are cut here and tell their length in words.
CUT = -10.0
GAIN, LOSS, SOFT = "#2b7a4b", "#b4533c", "#9a9a9a"
#: Smaller differences are drawn pale.
NOISE = 0.5


def draw(rows: list[Row], path: Path) -> None:
    """Draw one panel for each K, changes in groups, the most harmful first."""
    lead = {
        key: values
        for key, values in differences(collected(rows)).items()
        if key[0] != DEFAULT and key[0] not in ORDERED
    }
    places = _places(lead)
    figure, axes = plt.subplots(
        1,
        len(ANNOTATED),
        sharey=True,
        figsize=(12, 0.215 * max(places.values()) + 1.3),
        dpi=100,
        layout="constrained",
    )
    for column, (axis, K) in enumerate(zip(axes, ANNOTATED, strict=True)):
        _panel(axis, places, [lead[key][column] for key in places])
        axis.set_title(f"K = {K}", fontsize=11)
    _name(axes[0], places)
    title = "points of accuracy on unseen classes, change minus default"
    figure.supxlabel(f"{title} (grey: less than {NOISE}; bars end at {signed(CUT)})", fontsize=10)
    figure.savefig(path)
    plt.close(figure)


def _places(lead: Lead) -> dict[tuple[str, str], float]:
    """Return the height of each change, with room for a title above each group."""
    places, y = {}, 0.0
    for group in dict.fromkeys(group for group, _ in lead):
        y += 1.4
        for key in sorted((k for k in lead if k[0] == group), key=lambda k: np.mean(lead[k])):
            places[key] = y
            y += 1.0
    return places


def _panel(axis: plt.Axes, places: dict[tuple[str, str], float], values: list[float]) -> None:
    for y, value in zip(places.values(), values, strict=True):
        colour = SOFT if abs(value) < NOISE else GAIN if value > 0 else LOSS
        shown = max(value, CUT)
        axis.barh(y, shown, height=0.72, color=colour)
        inside = value < CUT
        axis.text(
            shown + (0.15 if inside or value >= 0 else -0.15),
            y,
            signed(value),
            va="center",
            ha="left" if inside or value >= 0 else "right",
            fontsize=7.5,
            color="white" if inside else "#333333",
        )
    axis.axvline(0, color="#333333", linewidth=0.8)
    axis.set_xlim(CUT, 2.6)
    axis.grid(axis="x", color="#e4e4e4", linewidth=0.6)
    axis.set_axisbelow(True)
    axis.tick_params(axis="y", length=0)
    axis.spines[["top", "right", "left"]].set_visible(False)


def _name(axis: plt.Axes, places: dict[tuple[str, str], float]) -> None:
    groups = list(dict.fromkeys(group for group, _ in places))
    ticks = list(places.values())
    labels = [name for _, name in places]
    for group in groups:
        ticks.append(min(y for key, y in places.items() if key[0] == group) - 1)
        labels.append(group)
    axis.set_yticks(ticks, labels, fontsize=8.5)
    for label in axis.get_yticklabels()[-len(groups) :]:
        label.set_fontweight("bold")
    axis.set_ylim(max(places.values()) + 0.8, 0)
