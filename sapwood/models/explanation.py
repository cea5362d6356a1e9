"""What is said about the names that images got."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

#: Images that are printed; the others are counted.
PRINTED = 10


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why each image got its name: what put the winner ahead of the runner-up.

    ``parts.sum(axis=1) + bias`` is `lead`.

    Attributes
    ----------
    winner, runner_up : ndarray of shape (n,)
        Labels as `predict` answers them.
    lead : ndarray of shape (n,)
        Score of the winner less that of the runner-up, as in `decision_function`.
    parts : ndarray of shape (n, k)
        What each attribute contributed; negative where it spoke for the runner-up.
    bias : ndarray of shape (n,)
        What the winner has whatever the image shows, less what the runner-up has: what is added
        for classes far from all seen ones (``remoteness``), less the handicap of seen ones
        (``seen_bias_``).
    attribute_names : list of str
    shown : int
        Attributes named in texts; the others are summed up.
    class_names : mapping
        Labels to names, for texts.

    Examples
    --------
    >>> print(Explanation(np.array(["owl"]), np.array(["jay"]), np.array([0.5]),
    ...                   np.array([[0.7, -0.3, 0.0]]), np.array([0.1]), ["eyes", "beak", "tail"],
    ...                   shown=2))
    image 0: owl, ahead of jay by 0.5
      for      eyes +0.7
      against  beak -0.3
      others   +0
      bias     +0.1
    """

    winner: np.ndarray
    runner_up: np.ndarray
    lead: np.ndarray
    parts: np.ndarray
    bias: np.ndarray
    attribute_names: list[str]
    shown: int = 5
    class_names: Mapping[Any, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.lead)

    def top(self, i: int, n: int | None = None) -> list[tuple[str, float]]:
        """Return the n attributes that weighed most in image i, with what each contributed."""
        parts = self.parts[i]
        order = np.argsort(-np.abs(parts), kind="stable")[: self.shown if n is None else n]
        return [(self.attribute_names[j], float(parts[j])) for j in order]

    def text(self, i: int) -> str:
        """Return the account of image i: who won, against whom, and what was for and against."""
        told = self._told(i)
        named = [(part["name"], part["part"]) for part in told["attributes"]]
        lines = [f"{told['winner']}, ahead of {told['runner_up']} by {told['lead']:.4g}"]
        for side, sign in (("for", 1), ("against", -1)):
            words = [f"{name} {part:+.3g}" for name, part in named if sign * part > 0]
            lines += [f"  {side:<7}  {', '.join(words)}"] if words else []
        if len(named) < len(self.attribute_names):
            lines.append(f"  others   {told['others']:+.3g}")
        if self.bias.any():
            lines.append(f"  bias     {told['bias']:+.3g}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; attributes beyond those shown are summed up as ``others``."""
        return {"images": [self._told(i) for i in range(len(self))]}

    def __str__(self) -> str:
        texts = [f"image {i}: {self.text(i)}" for i in range(min(len(self), PRINTED))]
        if len(self) > PRINTED:
            texts.append(f"and {len(self) - PRINTED} images more")
        return "\n".join(texts)

    def _told(self, i: int) -> dict[str, Any]:
        named = self.top(i)
        return {
            "winner": self._name(self.winner[i]),
            "runner_up": self._name(self.runner_up[i]),
            "lead": float(self.lead[i]),
            "attributes": [{"name": name, "part": part} for name, part in named],
            "others": float(self.parts[i].sum() - sum(part for _, part in named)),
            "bias": float(self.bias[i]),
        }

    def _name(self, label: Any) -> Any:
        plain = label.item() if isinstance(label, np.generic) else label
        return self.class_names.get(plain, plain)
