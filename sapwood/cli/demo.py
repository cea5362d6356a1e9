"""``sapwood demo``: the whole job on a small problem, in a minute, without a network."""

from __future__ import annotations

from sapwood.cli.output import Json, Quiet, Threads, print_json, print_table, working


def demo(json_: Json = False, quiet: Quiet = False, threads: Threads = None) -> None:
    """Show what unlabelled images add to a few annotations."""
    import numpy as np

    from sapwood.metrics import accuracy
    from sapwood.models import SparseAttributePropagation

    rng = np.random.default_rng(0)
    classes, unseen, k, d, images = 40, 10, 30, 64, 60
    Z = (rng.random((classes, k)) < 0.35) + 0.05
    labels = np.repeat(np.arange(classes), images)
    hidden = Z[labels] + 0.55 * rng.standard_normal((len(labels), k))
    X = np.maximum(hidden @ rng.standard_normal((k, d)) + rng.standard_normal((len(labels), d)), 0)
    train, rows = labels < classes - unseen, []
    candidates = np.arange(classes - unseen, classes)
    with working({}, quiet, threads):
        for K in (1, 5, images):
            y = np.where(np.arange(len(labels)) % images < K, labels, -1)[train]
            found: dict[str, float | str] = {"annotated images a class": K if images > K else "all"}
            for name, steps in (("annotated only", "bpl"), ("with propagation", None)):
                model = SparseAttributePropagation(steps=steps)
                model.fit(X[train], y, class_attributes=Z)
                answers = model.predict(X[~train], classes=candidates)
                found[name] = accuracy(labels[~train], answers)
            rows.append(found)
    if json_:
        print_json(rows)
        return
    cells = [
        [*list(row.values())[:1], *(f"{100 * v:.1f} %" for v in list(row.values())[1:])]
        for row in rows
    ]
    print_table("Accuracy on 10 classes without a single training image", list(rows[0]), cells)
