import json

from sapwood.benchmark import append_rows, keep_finished, read_rows

ROWS = [{"seed": 0, "λ": 1}, {"seed": 0, "λ": 2}, {"seed": 1, "λ": 1}]


def seed_of(row):
    return row["seed"]


def test_rows_come_back_as_they_were_written(tmp_path):
    path = tmp_path / "new" / "rows.jsonl"
    assert read_rows(path) == []
    append_rows(path, ROWS[:2])
    append_rows(path, ROWS[2:])
    assert read_rows(path) == ROWS
    assert "λ" in path.read_text(encoding="utf-8")


def test_a_line_cut_short_is_left_out_and_swallows_no_later_row(tmp_path):
    path = tmp_path / "rows.jsonl"
    append_rows(path, ROWS)
    whole = path.read_bytes()
    path.write_bytes(whole + json.dumps(ROWS[0]).encode()[:-3])
    assert read_rows(path) == ROWS
    append_rows(path, ROWS[:1])
    assert read_rows(path) == [*ROWS, ROWS[0]]


def test_half_finished_tasks_are_dropped_and_finished_ones_stay(tmp_path):
    path = tmp_path / "rows.jsonl"
    append_rows(path, ROWS)
    assert keep_finished(path, seed_of, lambda seed: 2) == {0}
    assert read_rows(path) == ROWS[:2]


def test_a_file_without_half_finished_tasks_is_not_touched(tmp_path):
    path = tmp_path / "rows.jsonl"
    append_rows(path, ROWS[:2])
    path.chmod(0o400)
    inode = path.stat().st_ino
    assert keep_finished(path, seed_of, lambda seed: 2) == {0}
    assert path.stat().st_ino == inode
    assert keep_finished(tmp_path / "none.jsonl", seed_of, lambda seed: 2) == set()
