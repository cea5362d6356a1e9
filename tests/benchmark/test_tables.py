"""From rows to tables, on rows made up for it."""

from sapwood.benchmark import fill_page, leads, method_table


def row(method, K, seed, accuracy):
    told = {"method": method, "annotated": K, "seed": seed}
    return {**told, "accuracy": accuracy, "other": 1 - accuracy}


ROWS = [
    row("sapwood", 1, 0, 0.5),
    row("sapwood", 1, 1, 0.6),
    row("sapwood", 5, 0, 0.7),
    row("sapwood-tuned", 1, 0, 0.1),
    row("rpl", 1, 0, 0.4),
    row("rpl", 1, 1, 0.4),
    row("rpl", 5, 0, 0.9),
    row("rpl0", 1, 0, 0.2),
    row("rpl0", 1, 1, 0.1),
    row("rpl0", 5, 0, 0.2),
    {"method": "rn", "annotated": 1, "seed": 0, "skipped": "torch is not installed"},
]


def test_a_table_has_means_and_deviations_and_the_best_first():
    assert method_table(ROWS).splitlines() == [
        "| | K = 1 | K = 5 |",
        "|---|--:|--:|",
        "| rpl | 40.0 ± 0.0 | 90.0 (1) |",
        "| sapwood | 55.0 ± 7.1 | 70.0 (1) |",
        "| rpl0 | 15.0 ± 7.1 | 20.0 (1) |",
        "| sapwood-tuned | 10.0 (1) | – |",
    ]
    assert method_table(ROWS, "other").splitlines()[2] == "| rpl0 | 85.0 ± 7.1 | 80.0 (1) |"


def test_leads_compare_draw_by_draw_with_the_best_rival_of_each_k():
    text = leads(ROWS)
    assert text.endswith("K = 1: +15.0 ± 5.0 on rpl; K = 5: −20.0 on rpl.")
    assert text.startswith("Lead of *sapwood* on the best rival")
    assert leads(ROWS, own="sapwood-tuned").endswith(": K = 1: −30.0 on rpl.")
    assert "K = 1: −40.0 ± 10.0 on rpl0" in leads(ROWS, "other")
    assert "draw" not in leads(ROWS).partition(":")[2]


def test_a_rival_run_on_an_easy_draw_alone_is_not_the_best_for_it():
    lucky = [row("sapwood", 1, 2, 0.9), row("rpl", 1, 2, 0.8), row("sae", 1, 2, 0.7)]
    assert "on rpl;" in leads([*ROWS, *lucky])


def test_a_run_that_is_not_finished_has_a_table_too():
    ours = [row("sapwood", K, seed, 0.5) for K in (1, 5) for seed in (0, 1)]
    some = [*ours, row("rpl", 1, 1, 0.3), row("sae", 1, 7, 0.9)]
    assert method_table(some).splitlines()[-1] == "| rpl | 30.0 (1) | – |"
    assert leads(some).endswith(": K = 1: +20.0 on rpl (1 draw).")
    assert leads(ours).endswith(": no draw has both.")


def test_a_page_is_rewritten_between_the_markers_of_one_name_only(tmp_path):
    page = tmp_path / "page.md"
    other = "<!-- b: made by me -->\nkept\n<!-- end of b -->"
    text = f"before\n<!-- a: made by me -->\nold\nold\n<!-- end of a -->\nafter\n{other}\n"
    page.write_text(text)
    assert fill_page(page, "a", r"new \1", "me")
    expected = f"before\n<!-- a: made by me -->\nnew \\1\n<!-- end of a -->\nafter\n{other}\n"
    assert page.read_text() == expected


def test_a_page_without_the_markers_stays_as_it_is(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- a: made by me -->\nno end\n")
    assert not fill_page(page, "a", "new", "me")
    assert not fill_page(page, "b", "new", "me")
    assert page.read_text() == "<!-- a: made by me -->\nno end\n"
