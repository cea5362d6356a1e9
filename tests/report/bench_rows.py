"""Rows as benchmarks would write them, made up."""

import json

import numpy as np

LEVELS = {
    "sapwood": 0.66,
    "sapwood-annotated": 0.6,
    "sapwood-paper": 0.3,
    "rpl0": 0.58,
    "rpl": 0.6,
    "rpl+sap": 0.63,
    "eszsl": 0.55,
    "kernel-ridge": 0.64,
}
WHERE = {
    "version": "0.2.0",
    "commit": "abc1234",
    "python": "3.12.1",
    "numpy": "2.1.0",
    "scipy": "1.14.0",
    "sklearn": "1.6.0",
    "threads": 1,
    "cpu": "A processor",
    "platform": "Linux",
    "started": "2025-01-02T03:04:05+00:00",
    "n_features": 1280,
    "n_train": 8842,
    "n_test": 2946,
    "quick": False,
}


def row(bench, method, K, seed, data="cub", split="paper", **found):
    known = {"bench": bench, "data": data, "split": split, "annotated": K, "seed": seed}
    cost = {"fit_seconds": 0.2 if method == "rpl" else 0.5, "search_seconds": 2.0, "peak_mb": 50.0}
    return {**WHERE, **cost, **known, "method": method, **found}


def contest(bench, counts=(5, 25), seeds=5, **where):
    """Scores that rise with K, with a noise that differs from draw to draw and hits all alike."""
    rows = []
    for K in counts:
        for seed in range(seeds):
            luck = np.random.default_rng(seed).normal(0, 0.01)
            chosen = {"parameters": {"ridge": float(10 ** (seed % 2))}, "tuned": True}
            for i, (method, level) in enumerate(LEVELS.items()):
                own = np.random.default_rng([seed, i, K]).normal(0, 0.002)
                scores = _scores(bench, level + 0.001 * K + luck + own)
                rows.append(row(bench, method, K, seed, **where, **scores, **chosen))
    return rows


def _scores(bench, score):
    if bench == "gzsl":
        return {
            "harmonic_mean": score,
            "acc_u": score - 0.02,
            "acc_s": score + 0.02,
            "ausuc": score / 2,
            "uncalibrated": score - 0.1,
        }
    return {"accuracy": score, "accuracy_over_classes": score - 0.01}


def confusion(classes=50, images=60):
    rng = np.random.default_rng(0)
    counts = np.diag(np.full(classes, images))
    for c in range(classes):
        wrong = rng.integers(0, images // 2)
        counts[c, c] -= wrong
        others = (c + rng.integers(1, 4, wrong)) % classes
        np.add.at(counts[c], others, 1)
    return counts.tolist()


def every_bench():
    """Rows of all benchmarks: two data sets, a skipped pair, curves and payloads."""
    return contests() + forms() + sweeps() + long_fits()


def contests():
    zsl = contest("zsl") + contest("zsl", split="proposed")
    zsl += contest("zsl", data="awa1_lowlevel", seeds=3)
    zsl[0] |= {"confusion": confusion(), "confusion_classes": [f"Bird_{i}" for i in range(50)]}
    gzsl = contest("gzsl")
    for one in gzsl:
        if one["seed"] == 0:
            one["curve"] = [[x / 10, 0.8 * (1 - x / 10)] for x in range(11)]
        if one["method"] == "sapwood":
            one |= {"ece": 0.05, "nll": 1.2, "aurc": 0.3, "raw_ece": 0.4}
    web = contest("external", (1, 5), data="cub+web", split="listed", seeds=1)
    web += contest("external", (1, 5), data="cub+web", split="drawn")
    for one in web:
        if one["method"] == "sapwood":
            one |= {"given": 200, "used": 50}
    return zsl + gzsl + web + [row("zsl", "rn", 5, 0, skipped="torch is not installed")]


def forms():
    """Steps that each gain 2 points, and L1 norms that each lose 1."""
    steps = {"bpl": 0.30, "sap1-bpl": 0.32, "sap1-sap2-bpl": 0.34}
    norms = {"double-l1": 0.32, "single-l1": 0.33, "no-l1": 0.34}
    return [
        row(bench, f"{preset}:{form}", K, seed, accuracy=level + 0.001 * seed)
        for bench, levels in (("ablation", steps), ("propagation", norms))
        for preset in ("paper", "robust")
        for form, level in levels.items()
        for K in (1, 5)
        for seed in (0, 1)
    ]


def sweeps():
    """One parameter that matters, one that does not, and one of the other preset."""
    swept = (
        ("paper", "lambda1", (0.001, 0.01, 0.1), 0.001),
        ("paper", "k_g", (100, 300, 500), 0.03),
        ("robust", "k_g", (5, 10, 20), 0.0),
    )
    return [
        row("sensitivity", f"{preset}:{name}={value:g}", 5, seed, preset=preset, parameter=name,
            value=value, default=i == 1, accuracy=0.3 + slope * i + 0.002 * seed)
        for preset, name, values, slope in swept
        for i, value in enumerate(values)
        for seed in (0, 1)
    ]  # fmt: skip


def long_fits():
    """A loop that settles after five iterations, and one that does not within ten."""
    rows = []
    for method, fall in (("paper", 0.2), ("robust", 0.8)):
        change = [fall**i for i in range(1, 11)]
        found = {"change": change, "accuracy_by_iteration": [0.3 - x / 9 for x in change]}
        if method == "paper":
            found["objective"] = [9.0 + x for x in change]
        rows.append(row("convergence", method, 5, 0, **found))
    return rows


def write(folder, rows):
    folder.mkdir(parents=True, exist_ok=True)
    for one in rows:
        with (folder / f"{one['bench']}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(one) + "\n")
    return folder
