"""What may stand in the cells of tables, and what positions count from.

Each reader takes text and raises ValueError where it is not what the column means; who knows the
file and row turns that into an error that names them.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact, ScandlError
from scandl.records import Positions, Prediction

if TYPE_CHECKING:
    from scandl.corpora import Corpus


ROUNDING = 1e-6  # a certain path, its logarithms summed in single precision, may end so far above 0
LEAST_LOG_PROB = -1e9  # a path of a thousand fixations, each as improbable as a float can say, has -1e6
LOG_PROB = "a natural log-probability from -1e9 to 0, or -inf"
LARGEST_POSITION = 999_999  # no text has more words; far larger numbers can even hash like small ones
_PATH = re.compile(r"\d{1,18}(?: \d{1,18})*", re.ASCII)
# How pandas and numpy write a list into a cell: [0, 1], (0, 1), [0 1], array([0, 1]), [np.int64(0)].
_LIST = re.compile(r"(?:array\()?[\[(]\s*([^\[\]()]*?)\s*,?\s*[\])](?:\))?")
_TYPED = re.compile(r"np\.\w+\(([^()]*)\)")
_WHOLE = re.compile(r"(\d{1,18})(?:\.0*)?", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|-inf", re.ASCII)
# What no page can show and no word contains; line breaks and tabs may stand in a text, not in a name.
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_NOT_NAME = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
LONGEST_WORD = 10_000  # letters; what looks words up takes the square of that, or all memory
TEXT = f"text without control characters, its words of at most {LONGEST_WORD:,} letters"
NAME = "a name without line breaks and other control characters"
IDENTIFIER = "an identifier without line breaks and other control characters"
# Nearly all positions are small: looking them up checks and reads them twice as fast as int() does.
_SMALL = {str(position): position for position in range(1000)}.__getitem__

LONGEST_MS = 60_000.0
"""Nobody fixates a word for a minute: what is longer is in another unit, or a sum."""
EXPECTED = f"milliseconds above 0 and at most {LONGEST_MS:,.0f}"
SHORTEST_MEDIAN = 5.0
"""Half of all fixations are longer than this in any corpus; in seconds, none is."""
FEWEST = 10
"""Fixations below which a median says nothing."""


def parse_path(text: str) -> Positions:
    """Return the positions of a path, also from a list as pandas writes it; empty text is an empty path.

    >>> parse_path("0 1 1 3"), parse_path("[0, 1, 1, 3]"), parse_path("[np.int64(0), np.int64(2)]")
    ((0, 1, 1, 3), (0, 1, 1, 3), (0, 2))
    """
    if not text:
        return ()
    try:
        return tuple(map(_SMALL, text.split(" ")))
    except KeyError:
        if _PATH.fullmatch(text):
            return tuple(map(int, text.split(" ")))
        found = [_WHOLE.fullmatch(part) for part in _list_parts(text)]
        if not all(found):
            raise ValueError(text) from None
        return tuple(int(match[1]) for match in found if match)


def _list_parts(text: str) -> list[str]:
    """Return the parts of a list that pandas or numpy wrote, ValueError for any other text.

    >>> _list_parts("(0, 1,)"), _list_parts("[ 0  1 10]"), _list_parts("array([], dtype=int64)")
    (['0', '1'], ['0', '1', '10'], [])
    """
    bare = re.sub(r",\s*dtype=\w+(?=\))", "", _TYPED.sub(r"\1", text.strip()))
    inside = _LIST.fullmatch(bare)
    if inside is None:
        raise ValueError(text)
    if not inside[1]:
        return []
    return re.split(r"\s*,\s*" if "," in inside[1] else r"\s+", inside[1])


def join_path(values: Iterable[float]) -> str:
    """Return the cell of a path or of its durations.

    >>> join_path([0, 1.5, 3.0])
    '0 1.5 3'
    """
    return " ".join(f"{value:.10g}" for value in values)


def parse_identifier(text: str) -> str:
    """Return the identifier; there must be one."""
    if not text:
        raise ValueError(text)
    return parse_name(text)


def parse_name(text: str) -> str:
    """Return a name as it stands; ValueError where it breaks the line or holds a control character."""
    if not is_name(text):
        raise ValueError(text)
    return text


def is_name(text: str) -> bool:
    r"""Say whether a text can stand in a table, on a page and on a terminal as the name of something.

    >>> is_name("naïve model, 2nd"), is_name("a\nb"), is_name("a\x1b[2J")
    (True, False, False)
    """
    return text.isprintable() or not _NOT_NAME.search(text)


def parse_text(text: str) -> str:
    """Return a text as it stands; ValueError where it cannot be shown or looked up."""
    if not is_text(text):
        raise ValueError(text)
    return text


def is_text(text: str) -> bool:
    r"""Say whether a text can be shown and its words be looked up; it may have line breaks and tabs.

    >>> is_text("The old man\nthe boats."), is_text("The old\x00 man"), is_text("a" * 20_000)
    (True, False, False)
    """
    if len(text) > LONGEST_WORD and max(map(len, text.split()), default=0) > LONGEST_WORD:
        return False
    return text.isprintable() or not _NOT_TEXT.search(text)


def parse_index(text: str) -> int:
    """Return a whole number from 0."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError(text)
    return int(text)


def parse_duration(text: str) -> float:
    """Return milliseconds, finite and not negative."""
    value = parse_number(text)
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(text)
    return value


def parse_durations(text: str) -> tuple[float, ...]:
    """Return the durations of a path.

    >>> parse_durations("210 180.5"), parse_durations("[210.0, 180.5]")
    ((210.0, 180.5), (210.0, 180.5))
    """
    parts = _list_parts(text) if text[:1] in ("[", "(", "a") else text.split(" ")
    return tuple(parse_duration(part) for part in parts)


def parse_log_prob(text: str) -> float:
    """Return the log-probability of a path.

    >>> parse_log_prob("-inf"), parse_log_prob("1e-9")
    (-inf, 0.0)
    """
    return log_probability(parse_number(text))


def parse_number(text: str) -> float:
    """Return a number in plain ASCII digits: ``float`` takes ``1_0``, ``٣`` and ``infinity`` too."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return float(text)


def log_probability(value: float) -> float:
    """Return the value, of which rounding above 0 is taken away; ValueError where it is no log-probability.

    A path is discrete: it has a probability, not a density, and none is more than certain. Minus
    infinity, an impossible path, is a value.
    """
    if not (LEAST_LOG_PROB <= value <= ROUNDING or value == -math.inf):  # so that NaN is refused too
        raise ValueError(str(value))
    return min(value, 0.0)


def is_duration(ms: float) -> bool:
    """Say whether a number of milliseconds can be the duration of a fixation.

    >>> is_duration(210.5), is_duration(0.0), is_duration(float("nan")), is_duration(1e6)
    (True, False, False, False)
    """
    return 0.0 < ms <= LONGEST_MS


def duration_fault(p: Prediction) -> tuple[str, object, str] | None:
    """Return what is wrong with the durations of a prediction: column, found, expected.

    >>> duration_fault(Prediction("s1", (0, 1), durations=(200.0, -5.0)))
    ('durations', '200 -5', "milliseconds above 0 and at most 60,000, such as '210 180'")
    """
    if p.durations is None:
        return None
    if len(p.durations) != len(p.predicted):
        return "durations", Fact(f"{len(p.durations)} durations"), f"{len(p.predicted)}, one per fixation"
    if all(map(is_duration, p.durations)):
        return None
    return "durations", " ".join(f"{ms:.10g}" for ms in p.durations), f"{EXPECTED}, such as '210 180'"


def seconds_fault(paths: Iterable[Sequence[float] | None]) -> tuple[Fact, str] | None:
    """Return what is wrong with the durations of all paths together: found, expected.

    >>> seconds_fault([(0.21, 0.18), None, (0.25,) * 8])
    ('a median of 0.25', 'milliseconds; these look like seconds, multiply them by 1000')
    >>> seconds_fault([(210.0, 180.0)]) is None
    True
    """
    every = [ms for path in paths if path is not None for ms in path]
    if len(every) < FEWEST or 2 * sum(ms < SHORTEST_MEDIAN for ms in every) <= len(every):
        return None
    found = Fact(f"a median of {sorted(every)[len(every) // 2]:g}")
    return found, "milliseconds; these look like seconds, multiply them by 1000"


FLAG = "--index-base"
HINT = f"; does this file count from 1? {FLAG} 1"


@dataclass(frozen=True, slots=True)
class Bases:
    """What the positions of a source count from, as it stands in its two columns of paths."""

    predicted: int = 0
    human: int = 0
    declared: bool = True  # the user said so

    def as_written(self, column: str, positions: Positions) -> str:
        """Return positions from 0 as they stand in a column of the source.

        >>> Bases(predicted=1).as_written("predicted", (0, 2))
        '1 3'
        """
        base = self.human if column == "human" else self.predicted
        return join_path(position + base for position in positions)

    def expected(self, column: str, n_words: int, largest: int) -> str:
        """Return which positions a sentence has; one that is too large by 1 makes us ask for the base.

        >>> Bases(declared=False).expected("predicted", n_words=7, largest=7)
        'positions 0..6, the sentence has 7 words; does this file count from 1? --index-base 1'
        """
        base = self.human if column == "human" else self.predicted
        hint = HINT if largest == n_words and not self.declared else ""
        return f"positions {base}..{n_words - 1 + base}, the sentence has {n_words} words{hint}"


FROM_ZERO = Bases()
UNSAID = Bases(declared=False)


def bases_of(source: Path, index_base: int | None, predictions: Iterable[Prediction]) -> Bases:
    """Return what a source counts from.

    The base is that of both columns. Only human paths that contain a 0 cannot count from 1: they are
    taken as they stand, and a warning says so.
    """
    if index_base not in (None, 0, 1):
        raise ScandlError(f"index base {index_base!r}: expected 0 or 1 ({FLAG})")
    if not index_base:
        return UNSAID if index_base is None else FROM_ZERO
    if not any(0 in (p.human or ()) for p in predictions):
        return Bases(1, 1)
    warnings.warn(f"{source}: human paths contain 0, so that only predictions count from 1", stacklevel=2)
    return Bases(1, 0)


def from_zero(source: Path, row: int, prediction: Prediction, bases: Bases) -> Prediction:
    """Return a prediction of a source that counts from 1 as one that counts from 0."""
    if 0 in prediction.predicted:
        found = join_path(prediction.predicted)
        raise DataError(source, row, "predicted", found, f"positions from 1, because of {FLAG} 1")
    human = prediction.human
    return replace(
        prediction,
        predicted=_shifted(prediction.predicted, bases.predicted),
        human=None if human is None else _shifted(human, bases.human),
    )


def warn_of_base(source: Path | str, predictions: Sequence[Prediction], corpus: Corpus | None) -> None:
    """Warn of a model none of whose predictions contains 0 while human paths do."""
    by_model: dict[str, list[Prediction]] = {}
    for p in predictions:
        by_model.setdefault(p.model, []).append(p)
    for model, own in by_model.items():
        made = [p.predicted for p in own if p.predicted]
        if not made or any(0 in path for path in made):
            continue
        humans = _humans(own, corpus)
        n = sum(0 in path for path in humans)
        if n:
            warnings.warn(
                f"{source}: position 0 is in none of {len(made)} predictions of {model} but in {n} of "
                f"{len(humans)} human scanpaths: if predictions count from 1, give {FLAG} 1, if from 0 "
                f"{FLAG} 0",
                stacklevel=2,
            )


def _humans(predictions: Iterable[Prediction], corpus: Corpus | None) -> list[Positions]:
    """Return the human paths beside predictions, in their source or in the corpus."""
    beside = [p.human for p in predictions if p.human is not None]
    if beside or corpus is None:
        return beside
    sentences = dict.fromkeys(p.sentence_id for p in predictions)
    return [path.positions for key in sentences for path in corpus.by_sentence.get(key, ())]


def _shifted(positions: Positions, base: int) -> Positions:
    return tuple(position - base for position in positions)
