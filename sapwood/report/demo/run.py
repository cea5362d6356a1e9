"""The demo from the seed to the page."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from sapwood._version import __version__
from sapwood.data.world import AttributeWorld, make_attribute_world, write_attribute_world
from sapwood.errors import InputError
from sapwood.report.demo import closing, inside, opening, predictions, trust
from sapwood.report.demo.experiment import Progress, Study, run_study
from sapwood.report.page import write_page

#: Names inside the output folder.
PAGE, DATA = "report.html", "data"


def run_demo(
    out: str | os.PathLike[str],
    seed: int = 0,
    progress: Progress | None = None,
    *,
    world: AttributeWorld | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Draw the creatures, fit, compare, and write the data and a report into a folder.

    Parameters
    ----------
    out : path
        The folder; it is made if need be.
    seed : int
        Of the pictures.
    progress : callable, optional
        Called with what is being done and the share of it that is done.
    world : AttributeWorld, optional
        Another world than the one of the seed.
    **options
        For :func:`run_study`: ``annotated`` and ``draws``.

    Returns
    -------
    dict
        ``rows`` (one a fit), ``table`` (the text to print), ``report`` and ``data`` (paths).

    Examples
    --------
    >>> world = make_attribute_world(seen=4, unseen=2, strangers=1, per_class=6, web=8, size=32)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = run_demo(folder, world=world, annotated=[1], draws=1)
    ...     result["report"].name, len(result["rows"])
    ('report.html', 7)
    """
    out = Path(out)
    _check_writable(out)
    told = progress or (lambda stage, share: None)
    world = world or make_attribute_world(seed, progress=told)
    write_attribute_world(world, out / DATA, progress=told)
    study = run_study(world, progress=told, **options)
    told("writing the report", 0.0)
    report = write_page(demo_page(world, study, seed=seed), out / PAGE)
    told("writing the report", 1.0)
    table = opening.demo_table(study.rows).text()
    return {"rows": study.rows, "table": table, "report": report, "data": out / DATA}


def demo_page(world: AttributeWorld, study: Study, *, seed: int = 0) -> dict[str, Any]:
    """Return the whole report as one dictionary for :func:`sapwood.report.render_page`."""
    return {
        "title": "Naming creatures nobody has annotated",
        "lead": opening.lead(world, study),
        "hero": opening.hero(world, study),
        "facts": opening.facts(study),
        "rows": study.rows,
        "sections": [
            opening.results(study),
            opening.creatures(world),
            inside.propagated(world, study),
            predictions.predicted(world, study),
            trust.trusted(world, study),
            inside.neighbours(world, study),
            inside.convergence(world, study),
            closing.elsewhere(world),
            closing.your_own(DATA),
        ],
        "footer": f"Made by sapwood {__version__} from seed {seed}; the same seed draws the same "
        "pictures. Creatures, names and tags are made up.",
    }


def _check_writable(out: Path) -> None:
    """Refuse before the work what would fail after it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out):
            pass
    except OSError as error:
        raise InputError(
            f"cannot write into {out}: {error.strerror or error}; give another folder"
        ) from None
