"""What users may choose, each option declared once: its flag, its Python argument, its check, its default."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SETTINGS = ("ns", "nr", "nrns", "cross")
SCHEMES = ("shuffled", "paper")


def whole(text: str, least: int = 0) -> int:
    """Return the number that an option was given.

    >>> whole("20")
    20
    """
    if not (text.isascii() and text.isdigit()) or int(text) < least:
        raise argparse.ArgumentTypeError(f"expected a whole number from {least}, found {text!r}")
    return int(text)


def positive(text: str) -> int:
    """Return the number that an option was given, at least 1."""
    return whole(text, 1)


def diagnosable(text: str) -> int:
    """Return a number of draws, at least 4: fewer cannot be diagnosed at all."""
    return whole(text, 4)


def count(text: str, most: int = 1_000_000) -> int:
    """Return how many of something are wanted: more than a million is a slip.

    >>> count("20")
    20
    """
    if len(text) > len(str(most)) + 1 or int(text) > most:
        raise argparse.ArgumentTypeError(f"expected at most {most:,}, found {text[:20]!r}")
    return int(text)


def workers(text: str) -> int:
    """Return a number of processes."""
    return count(str(positive(text)), 1_000)


def listed(text: str) -> tuple[str, ...]:
    """Return the names of an option with commas.

    >>> listed("nld, energy,")
    ('nld', 'energy')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def share(text: str) -> float:
    """Return the share that an option was given, as a percentage or as a number.

    >>> share("1%"), share("0.01")
    (0.01, 0.01)
    """
    try:
        found = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        found = 0.0
    if not 0 < found < 1:
        raise argparse.ArgumentTypeError(f"expected a share such as 1%, found {text[:20]!r}")
    return found


@dataclass(frozen=True, slots=True)
class Option:
    """A choice of the user: ``--index-base N`` on a command line, ``index_base=N`` in Python."""

    name: str
    about: str
    metavar: str | None = None  # None: a switch, or one of the choices
    check: Callable[[str], Any] | None = None
    default: Any = None
    choices: tuple[Any, ...] = ()
    repeated: bool = False  # the flag may be given again: the values are a list
    several: bool = False  # one flag takes several values, too

    @property
    def flag(self) -> str:
        """What is typed.

        >>> OPTIONS["index_base"].flag
        '--index-base'
        """
        return f"--{self.name.replace('_', '-')}"

    @property
    def help(self) -> str:
        """What the option is, with its default."""
        told = f" (default {self.default})" if self.default else ""
        return self.about + told

    def arguments(self) -> dict[str, Any]:
        """Return what argparse is told."""
        if self.metavar is None and not self.choices:
            return {"action": "store_true", "help": self.help}
        told: dict[str, Any] = {"help": self.help, "default": self.default}
        named = {"metavar": self.metavar, "type": self.check, "choices": self.choices}
        told |= {key: value for key, value in named.items() if value}
        if self.repeated:
            told |= {"action": "append"}
        if self.several:
            told |= {"nargs": "+", "action": "extend"}
        return told


def add_options(parser: argparse._ActionsContainer, *names: str) -> None:
    """Add options to a command as they are declared."""
    for name in names:
        add_option(parser, name)


def add_option(parser: argparse._ActionsContainer, name: str, about: str = "", **own: Any) -> None:
    """Add an option of which a command says something of its own: what it is of, that it is required."""
    told = OPTIONS[name].arguments() | ({"help": about} if about else {}) | own
    parser.add_argument(OPTIONS[name].flag, **told)


_DECLARED = (
    # everywhere
    Option("quiet", "print results only, no progress or notes"),
    Option("seed", "seed of all random numbers", "N", whole, 1),
    Option("jobs", "worker processes", "N", workers, 1),
    Option("scheduler", "work on the Dask cluster at this address", "ADDRESS"),
    # what is written
    Option("out", "file or folder to write", "FILE", Path),
    Option("json", "write the result with its provenance", "F"),
    Option("report", "write a report, .html, .pdf, .txt or .tex (its tables)", "F"),
    Option("figures", "write each figure of the report, as SVG and PDF", "DIR"),
    Option("latex", "print the table for LaTeX (booktabs), no notes"),
    Option("all", "every metric, not only those that fit a screen"),
    Option("columns", "with --latex: only these columns, by their headings, with commas", "A,B", listed, ()),
    Option(
        "plot",
        "draw the readings of one text (.png, .svg, .pdf); of more than six, the time on each word",
        "FILE",
        Path,
    ),
    Option("animate", "let them move: .html, .gif, or .mp4 where ffmpeg is", "FILE", Path),
    Option("width", "letters a drawn line may have (default 72)", "N", positive),
    # corpora and folds
    Option("corpus", "name or folder of the corpus", "C"),
    Option("public", "list the public corpora that can be fetched"),
    Option("from", "take the files from this folder instead of fetching them", "FOLDER", Path),
    Option("force", "replace the corpus, not other files beside it"),
    Option("to", "the program it is for", choices=("pymovements", "studio", "eyekit", "json")),
    Option(
        "layout",
        "how texts stand in a monospaced font: left,top,character,line[,columns] in pixels",
        "L",
    ),
    Option("test_corpus", "with cross: the corpus to test on, all of it", "C"),
    Option("setting", "what is new in the test", choices=SETTINGS),
    Option("fold", "number of the fold, from 0; cross has one", "K", int),
    Option("split_seed", "seed of the folds (default 1)", "N", whole),
    Option(
        "scheme",
        "how folds are made: shuffled by the seed (default), or unshuffled as published",
        choices=SCHEMES,
    ),
    Option("split", "a fold that scandl split has written, in place of the others", "FILE", Path),
    Option("shared_only", "leave out sentences with a single reader"),
    # predictions of others, runs
    Option("run", "folder of a benchmark run", "DIR"),
    Option("strict", "fail where a prediction has no human scanpath, or another one than the corpus"),
    Option("metrics", "names of metrics, with commas", "A,B", listed),
    Option("models", "names of models, with commas", "A,B", listed),
    Option(
        "baselines",
        "models that read the same items beside yours: all (uniform, ezreader, swift, people), names, or none"
        " (default left-to-right and train-label-dist, which stand beside all)",
        "A,B",
        listed,
        (),
    ),
    Option("pred", "CSV, Parquet, JSON or JSON lines with predictions", "F", default=[], several=True),
    Option(
        "column",
        "use your own column names: --column predicted=path reads predictions from your column path"
        " (meanings: predicted, human, sentence_id, reader_id, model, text, …); may be repeated",
        "MEANING=NAME",
        default=[],
        repeated=True,
    ),
    Option(
        "index_base",
        "what word positions in the files count from (default 0, with a warning where that looks wrong)",
        check=int,
        choices=(0, 1),
    ),
    # words
    Option(
        "words",
        "table with more columns by sentence_id and word_index, such as scandl-analysis predictors writes",
        "FILE",
    ),
    Option("surprisal", "as in scandl-analysis predictors", "NAME", default="auto"),
    Option(
        "frequency",
        "scale of word frequency",
        default="zipf",
        choices=("zipf", "proportion", "neglog2", "fpm"),
    ),
    Option("spillover", "add the previous word's predictors; first words are left out"),
    Option("keep", "keep the first and last words of sentences", choices=("edges",)),
    Option("measures", "names of measures, with commas", "A,B", listed),
    Option(
        "variant",
        "sr, fpr, ffc, tfc as published with ScanDL, or strictly first pass (default paper)",
        choices=("paper", "firstpass"),
    ),
    # regressions
    Option("draws", "draws of the posterior per chain", "N", diagnosable, 1000),
    Option("chains", "chains of the posterior", "N", positive, 4),
    Option(
        "margin",
        "how large a difference of effects matters: a share of the readers' effect, amounts by measure, or"
        " both, with commas: 0.5,FPRT=5ms (default 0.5)",
        "M",
        listed,
        (),
    ),
    # texts and who reads them
    Option("text", "a sentence or paragraph to read; may be given again", "TEXT", repeated=True),
    Option(
        "text_file",
        "one text a line (line 3 becomes t3, blank lines are left out), or .csv, .jsonl or .parquet with"
        " a column text and perhaps sentence_id; - is standard input",
        "FILE",
    ),
    Option("language", "of the texts, for word frequencies", "L", default="en"),
    Option(
        "given",
        "what is known of the path: positions, ? for one fixation, ... for any number, as in '0 1 ? ... 5';"
        " behind a semicolon conditions: skip 7 (in first pass), back 8 3 (a regression)",
        "PATH",
    ),
    Option("shard", "only the I-th of N equal parts of the file; ids stay", "I/N"),
    Option("samples", "scanpaths per text and reader", "N", count, 1),
    Option(
        "precision", "draw until the standard error of ms per word is at most this share of it", "P", share
    ),
    Option("readers", "simulated readers who differ, each the same in all texts", "N", count, 0),
    Option("group", "their group, such as L1 or L2 (default: the model's)", "G"),
    Option(
        "task",
        "a sentence by itself, a paragraph, or part of one (default: by the text)",
        choices=("sentence", "paragraph", "part"),
    ),
    Option("like", "read like the readers of these scanpaths", "FILE", Path),
    Option("like_lab", "with --readers: as in the laboratory that recorded this corpus", "CORPUS"),
    # models
    Option(
        "model",
        "any model of scandl-eval baseline list (default people), a file of scandl train or scandl export,"
        " or a class of your own such as my_reader.py:MyReader",
        "NAME|FILE",
    ),
    Option("raw", "weights as trained, not their moving average"),
    Option("device", "cpu, cuda or cuda:1 (default: the GPU where there is one)", "D"),
    Option("batch", "scanpaths drawn at once, at most", "N", positive),
    Option(
        "context",
        "who says how expected words are: none, small (default of people), smollm2, auto, or a table",
        "NAME",
    ),
    Option("steps", "denoising steps (default 50)", "K", int),
    Option("keep_symbols", "write the symbols before any repair too, in symbols"),
    # training
    Option("config", "settings as TOML; the paper's without it", "FILE"),
    Option("preset", "paper (default), or small for a CPU", "NAME"),
    Option(
        "set",
        "change one setting, such as training.steps=100; repeatable",
        "a.b=c",
        default=[],
        repeated=True,
    ),
    Option("tensorboard", "log for TensorBoard too, in DIR/tensorboard"),
    Option("restart", "start anew where there is a checkpoint"),
    Option("trials", "cells to try in all (default 60)", "N", int),
    Option("storage", "database of the study (default: DIR/study.db, SQLite)", "URL"),
)

OPTIONS = {option.name: option for option in _DECLARED}
"""Every option that several commands have, or that Python has too, by its name in Python."""
