"""The documentation's tables and pictures, from rows made up for it."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def load(load_benchmark):
    return lambda *names: load_benchmark("fill_docs", *names)


def row(method, K, seed, accuracy, data="cub", split="paper", **more):
    told = {"data": data, "split": split, "annotated": K, "seed": seed, "method": method}
    return {**told, "accuracy": accuracy, **more}


ZSL = [
    row("sapwood", 1, 0, 0.5),
    row("sapwood-tuned", 1, 0, 0.6),
    row("rpl", 1, 0, 0.45),
    row("conse0", 1, 0, 0.1),
    row("rpl", 15, 0, 0.9),
    row("sae0", 1, 0, 0.99, data="awa1_lowlevel"),
]


def test_a_table_has_its_own_rows_and_two_leads(load):
    (accuracy,) = load("accuracy")
    skipped = {**row("rn", 1, 0, 0), "skipped": "torch is not installed"}
    text = accuracy.table_text([*ZSL, skipped], "cub")
    assert text.startswith("### CUB, the paper's 150/50 split\n\n| | K = 1 | K = 15 |")
    assert "sae" not in text
    assert "rn" not in text.replace("learn", "")
    assert "K = 1: +5.0 on rpl" in text
    assert text.endswith("K = 1: +15.0 on rpl.")


def test_columns_are_counted_by_how_the_default_stands(load):
    (accuracy,) = load("accuracy")
    scores = {1: (0.5, 0.4), 5: (0.4, 0.44), 10: (0.4, 0.5)}
    rows = [
        row(method, K, seed, scores[K][i] + 0.05 * i * seed)
        for K in scores
        for seed in (0, 1)
        for i, method in enumerate(("sapwood", "rpl"))
    ]
    rows += [row("sapwood", 25, 0, 0.1), row("sapwood", 25, 1, 0.1)]
    assert accuracy.standing_text(rows) == (
        "Of the 3 columns of the tables below the default is ahead of every rival in 1, and behind "
        "the best in 2, by (± standard error of the difference; that of the rival's own mean): "
        "CUB, the paper's 150/50 split, K = 5: −6.50 ± 2.50 on rpl (2.50); "
        "CUB, the paper's 150/50 split, K = 10: −12.50 ± 2.50 on rpl (2.50)."
    )
    rows = [row("sapwood", K, 0, 0.5) for K in (1, 5)] + [row("sapwood", 1, 1, 0.7)]
    rows += [row("rpl", 1, 0, 0.4), row("rpl", 1, 1, 0.6), row("rpl", 5, 0, 0.6)]
    assert accuracy.standing_text(rows).endswith(
        "is ahead of every rival in 1, and behind the best in 0. In 1 more there is one draw."
    )


def test_leads_of_added_draws_stand_apart(load):
    (added,) = load("added")
    rows = [
        row(method, 5, seed, accuracy, data="awa1_lowlevel")
        for method, seeds, accuracy in (
            ("sapwood", (0, 1, 10, 11), 0.5),
            ("kernel-ridge0", (0, 1, 10), 0.4),
            ("rpl0", (9,), 0.3),
        )
        for seed in seeds
    ]
    rows += [row("sapwood", 5, 9, 0.6, data="awa1_lowlevel"), row("sapwood", 5, 0, 0.9)]
    assert added.table_text(rows).splitlines()[2:6] == [
        "| paper's split | kernel-ridge0 | first 10 | +10.0 ± 0.0 |",
        "| paper's split | kernel-ridge0 | added | +10.0 |",
        "| paper's split | rpl0 | first 10 | +30.0 |",
        "| paper's split | rpl0 | added | – |",
    ]


def test_the_readme_has_chosen_rows_and_columns_only(load):
    (accuracy,) = load("accuracy")
    assert accuracy.readme_text(ZSL).splitlines() == [
        "| | K = 1 |",
        "|---|--:|",
        "| sapwood | 50.0 |",
        "| rpl | 45.0 |",
    ]


def generalized(method, K, seed, H, **more):
    scores = ("acc_u", "acc_s", "uncalibrated", "ausuc", "ceiling", "harmonic_mean_over_classes")
    return row(method, K, seed, H, **dict.fromkeys(scores, H / 2), harmonic_mean=H, **more)


CURVE = {"curve": [[0, 0.6], [0.4, 0.4], [0.5, 0]], "uncalibrated_at": [0.1, 0.6]}
SAID = {
    f"{start}{name}": value
    for start, plus in (("", 0), ("raw_", 1), ("seen_", 2))
    for name, value in {
        "ece": 0.1 + plus,
        "nll": 1.0 + plus,
        "aurc": 0.05 + plus,
        "reliability": [[10, 0.2, 0.3], [20, 0.9, 0.8]],
        "risk": [[0.1, 0.0], [1.0, 0.3]],
    }.items()
}
GZSL = [
    *(generalized("sapwood", K, seed, 0.4 + seed / 100) for K in (1, 5) for seed in (1, 2)),
    *(generalized("rpl", K, seed, 0.4) for K in (1, 5) for seed in (1, 2)),
    generalized("sapwood", 5, 0, 0.4, **CURVE, **SAID),
    generalized("rpl", 5, 0, 0.3, **CURVE),
]


def test_generalized_tables_have_the_lead_and_all_scores(load):
    (tables,) = load("generalized")
    text = tables.table_text(GZSL, "generalized-cub")
    assert "| sapwood | 41.5 ± 0.7 (2) | 41.0 ± 1.0 |" in text
    assert "K = 1: +1.5 ± 0.5 on rpl" in text
    half, whole = "20.8 ± 0.4", "41.5 ± 0.7"
    assert f"| sapwood | {half} | {half} | {whole} | {half} | {half} | {half} | {half} |" in text
    said = tables.probabilities(GZSL).splitlines()
    assert said[0] == "CUB, the paper's 150/50 split, K = 5:"
    assert "| predict_proba | 0.100 | 1.000 | 0.050 |" in said
    assert "| softmax of raw similarities | 1.100 | 2.000 | 1.050 |" in said
    assert "| predict_proba, seen classes | 2.100 | 3.000 | 2.050 |" in said
    assert not any("similarities, seen classes" in line for line in said)


FATE = {"given": 10, "used": 4, "reasons": {"near": 4, "far": 6}}
ALL = {"given": 10, "used": 10, "reasons": {"propagated": 10}}
WEB = {"data": "cub+web", "split": "drawn"}
EXTERNAL = [
    *(row("sapwood-ignoring", K, seed, 0.5, **WEB) for K in (1, 5) for seed in (0, 1)),
    *(row("sapwood", K, 0, 0.51, **WEB, **FATE) for K in (1, 5)),
    row("sapwood", 1, 1, 0.53, **WEB, **ALL),
    row("sapwood-all", 1, 0, 0.4, **WEB, **ALL),
    *(row("rpl", 1, seed, 0.5, **WEB) for seed in (0, 1)),
]


def test_tables_tell_what_web_images_are_worth_and_how_many_were_used(load):
    (tables,) = load("external")
    lines = tables.table_text(EXTERNAL, "web-drawn").splitlines()
    assert "| sapwood | +2.0 ± 1.0 | +1.0 |" in lines
    assert "| sapwood-all | −10.0 | – |" in lines
    assert "| | web images | used | far | near | propagated |" in lines
    assert "| K = 1 | 10 | 7 | 3 | 2 | 5 |" in lines
    assert "| K = 5 | 10 | 4 | 6 | 4 | 0 |" in lines
    assert any("K = 1: +2.0 ± 1.0 on rpl" in line for line in lines)


def stress_rows():
    from sapwood.benchmark.stress import KINDS

    for seed in (0, 1):
        yield row("sapwood-ignoring", 1, seed, 0.5)
        for i, kind in enumerate(KINDS):
            told = {"strangeness": None if i else 0.04 + seed / 20}
            yield row(kind, 1, seed, 0.5 + (2 - i + seed) / 100, **FATE, **told)


def test_the_stress_table_has_a_line_for_each_kind(load):
    (tables,) = load("external")
    lines = tables.stress_text(list(stress_rows()), "stress-cub").splitlines()
    assert lines[-5] == "| all of seen classes | +2.5 ± 0.5 | 40 | 0.04 to 0.09 |"
    assert lines[-1] == "| all copies of one image | −1.5 ± 0.5 | 40 | – |"


def test_random_annotations_are_averaged_and_compared_seed_by_seed(load):
    (tables,) = load("suggestions")
    found = {0: (0.5, 0.7, (0.6, 0.64)), 1: (0.4, 0.6, (0.5, 0.5))}
    rows = []
    for seed, (first, suggested, drawn) in found.items():
        rows += [row("first", 1, seed, first), row("suggested", 1, seed, suggested)]
        rows += [row(f"random-{i}", 1, seed, a) for i, a in enumerate(drawn)]
    others = [row("first", 1, 0, 0.9, data="demo"), row("first", 1, 0, 0.9, split="proposed")]
    others.append({**others[0], "data": "cub", "seed": 2, "skipped": "too few images"})
    del others[-1]["accuracy"]
    assert tables.table_text([*rows, *others]).splitlines()[2:] == [
        "| 150 drawn at random | – |  |",
        "| 150 chosen by `suggest_images` | – | – |",
        "| one image of each seen class | 45.0 ± 7.1 | −11.0 ± 1.0 |",
        "| and 150 drawn at random | 56.0 ± 8.5 |  |",
        "| and 150 chosen by `suggest` | 65.0 ± 7.1 | +9.0 ± 1.0 |",
    ]


SIA = [
    row(method, 3213, seed, 0, "flickr8k_tags", "given", **scores)
    for seed in (0, 1)
    for method, scores in {
        "sinn": {"mAP": 0.4 + 0.02 * seed, "C-F1": 0.5},
        "sapwood": {"mAP": 0.5, "C-F1": 0.5, "C-F1_own": 0.3},
        "svm": {"mAP": 0.1, "C-F1": 0.1},
        "ria+tags": {"mAP": 0.2, "C-F1": 0.1},
    }.items()
]


def test_annotators_stand_in_the_order_of_the_paper_and_others_by_their_score(load):
    (annotators,) = load("annotators")
    others = [{**SIA[0], "data": "demo", "method": "cnn-rnn"}, {**SIA[0], "annotated": 100}]
    tables = annotators.tables([*SIA, *others])
    assert tables["annotators"].splitlines()[2:] == [
        "| **sapwood** | 50.0 ± 0.0 | 50.0 ± 0.0 | – | – | – | 30.0 ± 0.0 |",
        "| sinn | 41.0 ± 1.4 | 50.0 ± 0.0 | – | – | – | – |",
    ]
    assert [line.split()[1] for line in tables["annotators-others"].splitlines()[2:]] == [
        "ria+tags",
        "svm",
    ]


ROWS = {"zsl": ZSL, "gzsl": GZSL, "external": EXTERNAL, "suggest": [row("first", 1, 0, 0.5)]}


def test_every_table_has_its_place_in_the_documentation(load, tmp_path):
    (pages,) = load("pages")
    (tmp_path / "docs").mkdir()
    for page in (pages.README, pages.ACCURACY, pages.BEYOND, pages.TAGS, pages.TRUST):
        (tmp_path / page).write_bytes((ROOT / page).read_bytes())
    rows = {**ROWS, "stress": list(stress_rows()), "sia": SIA}
    wanted = {f"{page}: {name}" for page, name, _ in pages.texts(rows)}
    wanted |= {f"{pages.BEYOND}: {name}" for name in pages.CAPTIONS}
    assert set(pages.fill_all(rows, tmp_path)) == wanted
    assert len(wanted) == 14
    assert "| conse0 | 10.0 | – |" in (tmp_path / pages.ACCURACY).read_text()
    for name in pages.CAPTIONS:
        picture = tmp_path / "docs" / "images" / f"{name}.png"
        assert picture.read_bytes()[1:4] == b"PNG"


def test_every_place_in_the_documentation_has_its_table(load):
    pages, cases = load("pages", "cases")
    places = {
        pages.ACCURACY: ["standing", "added-draws", *cases.ZSL],
        pages.BEYOND: [
            *cases.GZSL, *cases.EXTERNAL, *cases.STRESS, "probabilities", *pages.CAPTIONS,
        ],
        pages.README: ["cub"],
        pages.TAGS: ["annotators", "annotators-others"],
        pages.TRUST: ["suggest"],
    }  # fmt: skip
    for page, names in places.items():
        text = (ROOT / page).read_text()
        assert text.count(f"made by {pages.MAKER} -->") == len(names)
        for name in names:
            assert f"<!-- {name}: made by {pages.MAKER} -->" in text
            assert f"<!-- end of {name} -->" in text


def test_methods_with_rows_of_several_commits_are_told(load):
    (commits,) = load("commits")
    found = [
        row(method, K, 0, 0.5, commit=commit)
        for method, seen in (("sapwood", ["a" * 12]), ("rpl", ["a" * 12, "b" * 12]))
        for K, commit in enumerate([*seen, seen[-1]])
    ]
    found += [row("eszsl", K, 0, 0.5, commit=c) for K, c in ((1, "b" * 12), (5, "a" * 12))]
    found += [row("sae", K, 0, 0.5, commit=c) for K, c in ((1, "c" * 12), (5, "c" * 12 + "-dirty"))]
    suggested = [row("first", 1, seed, 0.5, commit=c * 12) for seed, c in enumerate("ab")]
    rows = {"zsl": found, "gzsl": [], "external": [], "stress": [], "suggest": suggested, "sia": []}
    assert list(commits.mixed(rows)) == [
        "zsl cub: rows of several commits: rpl, eszsl (aaaaaaa, bbbbbbb); "
        "sae (ccccccc, ccccccc-dirty)",
        "suggest suggest: rows of several commits: first (aaaaaaa, bbbbbbb)",
    ]


def test_pages_without_rows_stay_as_they_are(load, tmp_path):
    (pages,) = load("pages")
    (tmp_path / "docs").mkdir()
    nothing = {name: [] for name in ("zsl", "gzsl", "external", "stress", "suggest", "sia")}
    assert list(pages.fill_all(nothing, tmp_path)) == []


def test_the_documentation_shows_the_rows_that_are_committed(load):
    """Run `make docs-tables` where it does not."""
    (pages,) = load("pages")
    found = list(pages.texts(pages.rows_in(ROOT / "benchmarks" / "results")))
    assert len(found) > 18
    for page, name, text in found:
        assert f"<!-- {name}: made by {pages.MAKER} -->\n{text}\n" in (ROOT / page).read_text(), (
            name
        )
