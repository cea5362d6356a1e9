"""The page about refined tags: how many changed, which ones, and the largest changes."""

from sapwood.report.refine.page import refine_page, write_refine_page

__all__ = ["refine_page", "write_refine_page"]
