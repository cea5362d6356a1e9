"""What tests look up on the page of benchmarks."""

import json

from sapwood.report.bench import Results, bench_page


def page_of(rows):
    skipped = [one for one in rows if one.get("skipped")]
    return bench_page(Results("out", [one for one in rows if not one.get("skipped")], skipped))


def section(page, name):
    (found,) = [one for one in page["sections"] if one["id"] == name]
    return found


def tables(page, name):
    return [block for block in section(page, name)["blocks"] if block["kind"] == "table"]


def words(page, name):
    """All text of a section, cells and captions included."""
    return json.dumps(section(page, name), ensure_ascii=False)


def row_of(table, method):
    return [cells[0] for cells in table["rows"]].index(method)
