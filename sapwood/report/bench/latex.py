"""The page's tables in LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: What LaTeX would read as a command, and signs that not every font has.
_SIGNS = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$",
    "−": "$-$", "–": "--", "†": r"$^\dagger$", "→": r"$\to$", "÷": r"$\div$", "λ": r"$\lambda$",
    "“": "``", "”": "''", "×": r"$\times$", "<": r"$<$", ">": r"$>$",
}  # fmt: skip


def render_latex(page: Mapping[str, Any]) -> str:
    r"""Return every table of figures as a ``table`` that needs no package.

    Parameters
    ----------
    page : dict
        From :func:`sapwood.report.bench.bench_page`; tables of words are left out.

    Examples
    --------
    >>> table = {"kind": "table", "columns": ["method", "K = 5"], "rows": [["rpl", "60.0 ± 1.0"]],
    ...          "best": [[0]], "caption": "Accuracy."}
    >>> page = {"sections": [{"id": "zsl", "title": "A", "text": [], "blocks": [table]}]}
    >>> r"rpl & \textbf{60.0 $\pm$ 1.0} \\" in render_latex(page)
    True
    """
    parts = ["% Made by sapwood report. What bold and daggers mean is told in the report."]
    for section in page["sections"]:
        parts += [f"% {section['title']}"]
        title, number = section["title"], 0
        for block in section["blocks"]:
            title = block.get("title", title)
            if block["kind"] == "table" and not block.get("words"):
                number += 1
                parts.append(_table(block, title, f"tab:{section['id']}-{number}"))
    return "\n\n".join(parts) + "\n"


def _table(block: Mapping[str, Any], title: str, label: str) -> str:
    columns = block["columns"]
    best = block.get("best", [[]] * (len(columns) - 1))
    lines = [
        " & ".join([_text(row[0]), *(rf"\textbf{{{_text(cell)}}}" if i in best[j] else _text(cell)
                                     for j, cell in enumerate(row[1:]))]) + r" \\"
        for i, row in enumerate(block["rows"])
    ]  # fmt: skip
    return "\n".join(
        [
            r"\begin{table}[t]",
            r"\centering",
            rf"\begin{{tabular}}{{l{'r' * (len(columns) - 1)}}}",
            r"\hline",
            " & ".join(map(_text, columns)) + r" \\",
            r"\hline",
            *lines,
            r"\hline",
            r"\end{tabular}",
            rf"\caption{{{_text(' '.join([title + ':', block.get('caption', '')]).strip())}}}",
            rf"\label{{{label}}}",
            r"\end{table}",
        ]
    )


def _text(text: str) -> str:
    return "".join(_SIGNS.get(letter, letter) for letter in text)
