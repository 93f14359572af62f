"""Importers: from the layouts of public corpora and of common tools to a corpus.

Each is one function from files to a ``Corpus`` whose card counts what was left out and why.
"""

from scandl.corpora.importers.assemble import Filters
from scandl.corpora.importers.importer import IMPORTERS, Importer
from scandl.corpora.importers.long_table import import_csv, import_dataviewer
from scandl.corpora.importers.pymovements import import_pymovements
from scandl.corpora.importers.recordings.recordings import import_recordings
from scandl.corpora.importers.released_corpus import import_scandl_json

__all__ = [
    "IMPORTERS",
    "Filters",
    "Importer",
    "import_csv",
    "import_dataviewer",
    "import_pymovements",
    "import_recordings",
    "import_scandl_json",
]
