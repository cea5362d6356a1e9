"""Reports: rows → one dictionary → a page that needs nothing but a browser.

A page is a plain dictionary of titles, texts and blocks (tables, figures, cards of pictures …);
:func:`render_page` makes HTML of it. What a report is about is decided by whoever fills the
dictionary, such as :mod:`sapwood.report.demo`.
"""

from sapwood.report.page import render_page, write_page
from sapwood.report.pictures import picture_uri
from sapwood.report.plots import line_plot
from sapwood.report.tables import ResultTable, result_table

__all__ = [
    "ResultTable",
    "line_plot",
    "picture_uri",
    "render_page",
    "result_table",
    "write_page",
]
