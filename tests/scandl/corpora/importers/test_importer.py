"""The registry of importers: every one says what it is and parses its own flags."""

from __future__ import annotations

import argparse

import pytest

from scandl.corpora.importers import IMPORTERS
from scandl.errors import ScandlError


@pytest.mark.parametrize("name", list(IMPORTERS))
def test_every_importer_describes_itself(name: str) -> None:
    importer = IMPORTERS[name]
    assert importer.title
    assert importer.obtain
    parser = argparse.ArgumentParser()
    importer.add_arguments(parser)
    assert parser.format_help()


def test_an_unknown_importer_says_which_there_are() -> None:
    with pytest.raises(ScandlError, match="no importer 'cellar'; did you mean 'celer'?"):
        IMPORTERS["cellar"]
