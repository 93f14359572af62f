"""``scandl cite``: the references of a run, as BibTeX."""

from __future__ import annotations

import argparse
import re
import tomllib
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path

from scandl.cli.commandline import Parser, add_common
from scandl.corpora.corpus import read_card
from scandl.corpora.corpus_folder import find_corpus
from scandl.corpora.public.declaration import public_corpora, read_declaration
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.results import write_text
from scandl.files.tables import no_file
from scandl.measures.catalogue import asked_for, usual_metrics
from scandl.models.trained_model import model_card, shipped_models
from scandl.options import add_option

_KEYWORDS = re.compile(r",?\s*keywords = \{([^}]*)\}")


def cite(run: Path | str) -> str:
    """Return the BibTeX of everything that a benchmark run used.

    What has no entry of its own is named in a line that begins with a per cent sign, which BibTeX skips.

    Parameters
    ----------
    run
        The folder of the run, with its ``run.toml``.
    """
    path = Path(run) / "run.toml"
    if not path.is_file():
        raise DataError(path, None, None, no_file(path), "the settings of a run: give the folder of a run")
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(path, None, None, Fact(error), "TOML") from None
    corpora = [told.get("corpus", "demo"), *([told["test_corpus"]] if told.get("test_corpus") else [])]
    models = [str(name) for name in told.get("models", ())]
    metrics = {metric.name for metric in usual_metrics()}
    metrics |= {name for asked in told.get("metrics", ()) for name in asked_for(asked)}
    shipped = [model_card(name) for name in models if name in shipped_models()]
    learned = [name for card in shipped for corpus in card.corpora for name in corpus.name.split(" and ")]
    of_corpora = "\n".join(of_corpus(name) for name in dict.fromkeys([*corpora, *learned]))
    entries = [*of_names(models, metrics), *re.split(r"\n+(?=[@%])", of_corpora)]
    return "\n\n".join(dict.fromkeys(entries)) + "\n"


def of_names(models: Iterable[str], metrics: Iterable[str]) -> Iterator[str]:
    """Yield the entries of the software, and of these models and metrics.

    >>> [entry.split("{")[1].split(",")[0] for entry in of_names(["swift"], ["scasim"])]
    ['scandl', 'wordfreq', 'engbert2005swift', 'vondermalsburg2011scasim', 'cameron2011clustering']
    """
    used = ["always", *(f"model:{name}" for name in models), *(f"metric:{name}" for name in metrics)]
    bib = files("scandl").joinpath("references.bib").read_text(encoding="utf-8")
    for entry in bib.strip().split("\n\n"):
        found = _KEYWORDS.search(entry)
        patterns = found[1].split() if found else []
        if any(fnmatchcase(name, pattern) for name in used for pattern in patterns):
            yield _KEYWORDS.sub("", entry)


def of_corpus(name: str) -> str:
    """Return the entry of a corpus: that of its card, else of its declaration, else its citation."""
    try:
        folder = find_corpus(name)
        card = read_card(folder / "corpus.toml")
    except ScandlError:
        card = None
    own = card.name if card else Path(name).name
    if card is not None and card.bibtex:
        return card.bibtex.strip()
    if own in public_corpora():
        return read_declaration(own).card.bibtex.strip()
    if card is not None and card.citation:
        key = re.sub(r"[^a-z0-9]", "", own.lower())
        return f"@misc{{{key},\n  title = {{{{{own}}}}},\n  note = {{{card.citation}}}\n}}"
    return f"% corpus {own}: found nothing that says how to cite it"


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Print the BibTeX of everything a benchmark run used: its corpora, those its shipped models learned"
        " from, its models, its metrics, and the software."
    )
    parser.add_argument("folder", type=Path, metavar="RUN", help="folder of a benchmark run")
    add_option(parser, "out", "write it there instead (.bib)")
    add_common(parser)
    parser.set_defaults(run=_cite)


def _cite(args: argparse.Namespace) -> None:

    text = cite(args.folder)
    if args.out:
        write_text(args.out, text)
        print(f"wrote {args.out}")
    else:
        print(text, end="")
