"""Write the golden file of the current format: once for each new format, never again.

python tests/models/golden/make.py
"""

import json
import sys
from pathlib import Path

import numpy as np

from sapwood import SparseAttributePropagation
from sapwood.models.files import FORMAT


def main():
    target = Path(__file__).parent / f"format{FORMAT}.sap"
    if target.exists():
        sys.exit(f"{target.name} exists: later versions must read it as it is")
    rng = np.random.default_rng(0)
    names = ["aardvark", "bee", "coati", "dingo", *(f"éland {n}" for n in range(9))]
    Z = rng.random((len(names), 4))
    labels = np.arange(96) % 12
    X = np.abs(Z[labels] @ rng.random((4, 6)) + 0.1 * rng.standard_normal((96, 6)))
    y = np.array([names[c] if i < 48 else "" for i, c in enumerate(labels)])
    model = SparseAttributePropagation(k_g=5, attribute_map="mixed").fit(
        X, y, class_attributes=Z, class_names=names
    )
    model.save(target)
    expected = {
        "X": X[:6].tolist(),
        "predict": model.predict(X[:6]).tolist(),
        "scores": model.decision_function(X[:6]).tolist(),
        "transform": model.transform(X[:6]).tolist(),
    }
    target.with_suffix(".json").write_text(json.dumps(expected))


if __name__ == "__main__":
    main()
