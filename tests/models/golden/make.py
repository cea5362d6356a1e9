"""Write the golden file of the current format; run once for each new format, never again."""

import json
from pathlib import Path

import numpy as np

from sapwood import SparseAttributePropagation
from sapwood.models.files import FORMAT

rng = np.random.default_rng(0)
Z = rng.random((5, 4))
labels = np.arange(40) % 4
X = np.abs(Z[labels] @ rng.random((4, 6)) + 0.1 * rng.standard_normal((40, 6)))
y = np.where(np.arange(40) < 12, labels, -1)
names = ["aardvark", "bee", "coati", "dingo", "éland"]
text = np.array([names[c] if c >= 0 else "" for c in y])
model = SparseAttributePropagation(k_g=5).fit(X, text, class_attributes=Z, class_names=names)
target = Path(__file__).parent / f"format{FORMAT}.sap"
model.save(target)
expected = {
    "X": X[:6].tolist(),
    "predict": model.predict(X[:6]).tolist(),
    "scores": model.decision_function(X[:6]).tolist(),
    "transform": model.transform(X[:6]).tolist(),
}
target.with_suffix(".json").write_text(json.dumps(expected))
