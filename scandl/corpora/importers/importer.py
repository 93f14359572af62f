"""What an importer is, and the registry it is found in."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from scandl.corpora.corpus import Corpus
from scandl.registry import Registry


@dataclass(frozen=True, slots=True)
class Importer:
    """A layout that ``scandl corpus import`` reads.

    ``run`` gets the parsed arguments that ``add_arguments`` asked for. Both are cheap to import;
    what is heavy is imported when ``run`` works.
    """

    title: str
    obtain: str  # where the files come from
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], Corpus]


IMPORTERS: Registry[Importer] = Registry("importer")
