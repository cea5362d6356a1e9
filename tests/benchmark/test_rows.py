import json
import multiprocessing
import os

import pytest

from sapwood.benchmark import append_rows, read_rows
from sapwood.benchmark.locks import claimed

ROWS = [{"seed": 0, "λ": 1}, {"seed": 0, "λ": 2}, {"seed": 1, "λ": 1}]


def test_rows_come_back_as_they_were_written(tmp_path):
    path = tmp_path / "new" / "rows.jsonl"
    assert read_rows(path) == []
    append_rows(path, ROWS[:2])
    append_rows(path, ROWS[2:])
    assert read_rows(path) == ROWS
    assert "λ" in path.read_text(encoding="utf-8")


def test_a_line_cut_anywhere_is_left_out_and_swallows_no_later_row(tmp_path):
    path, line = tmp_path / "rows.jsonl", json.dumps(ROWS[0], ensure_ascii=False).encode()
    append_rows(path, ROWS)
    whole = path.read_bytes()
    for length in range(1, len(line)):
        path.write_bytes(whole + line[:length])
        assert read_rows(path) == ROWS
        append_rows(path, ROWS[:1])
        assert read_rows(path) == [*ROWS, ROWS[0]]


def test_a_row_whose_line_end_alone_is_missing_counts(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(json.dumps(ROWS[0]).encode())
    append_rows(path, ROWS[1:])
    assert read_rows(path) == ROWS


def test_what_is_there_is_never_rewritten(tmp_path):
    path = tmp_path / "rows.jsonl"
    append_rows(path, ROWS)
    before, inode = path.read_bytes(), path.stat().st_ino
    append_rows(path, ROWS)
    assert path.read_bytes().startswith(before)
    assert path.stat().st_ino == inode


def test_a_line_separator_inside_a_text_ends_no_row(tmp_path):
    append_rows(tmp_path / "rows.jsonl", [{"skipped": "one\u2028two\nthree"}])
    assert read_rows(tmp_path / "rows.jsonl") == [{"skipped": "one\u2028two\nthree"}]


def _append_many(path, name):
    for i in range(40):
        append_rows(path, [{"name": name, "i": i, "long": "x" * 9000}])


def test_two_processes_append_without_mixing_lines(tmp_path):
    path, context = tmp_path / "rows.jsonl", multiprocessing.get_context("fork")
    others = [context.Process(target=_append_many, args=(path, name)) for name in "ab"]
    for other in others:
        other.start()
    for other in others:
        other.join(timeout=30)
    rows = read_rows(path)
    assert sorted((row["name"], row["i"]) for row in rows) == [
        (name, i) for name in "ab" for i in range(40)
    ]
    assert len(path.read_bytes().splitlines()) == 80


def test_a_full_disk_is_heard_of_and_spoils_nothing(tmp_path, monkeypatch):
    path = tmp_path / "rows.jsonl"
    append_rows(path, ROWS[:1])

    def full(descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            append_rows(path, ROWS[1:2])
    append_rows(path, ROWS[2:])
    assert read_rows(path)[0] == ROWS[0]
    assert read_rows(path)[-1] == ROWS[2]


def _hold(path, held):
    with claimed(path):
        held.send(True)
        held.recv()


def test_a_claim_dies_with_its_process(tmp_path):
    path, context = tmp_path / "claims" / "a.lock", multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    other = context.Process(target=_hold, args=(path, theirs))
    other.start()
    assert ours.poll(30)
    with claimed(path, wait=False) as mine:
        assert not mine
    other.kill()
    other.join(timeout=30)
    with claimed(path, wait=False) as mine:
        assert mine
