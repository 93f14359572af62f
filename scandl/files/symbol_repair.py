"""From the symbols of a model in ScanDL's alphabet to word positions.

The released code writes CLS as 0, word k as k (1-based), SEP as M + 1 for a sentence of M words,
and PAD as 127. A model may place any of them anywhere; how that is repaired changes the score, so
each way has a name and every repair is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from scandl.files.cell_values import parse_path
from scandl.records import Positions

CLS = 0
RELEASED_PAD = 127
REPAIR_COLUMN = "repairs"
"""The column that tells, of each generated path, which repairs it needed."""
SYMBOL_COLUMN = "symbols"
"""The column that has the symbols of a generated path before any repair, in this alphabet."""
_BETWEEN = "; "


def clean(ids: Sequence[int], n_words: int, pad: int = RELEASED_PAD) -> tuple[tuple[int, ...], Counter[str]]:
    """Return 0-based word positions and how often each repair was needed.

    A leading CLS is dropped, the path ends at the first SEP or PAD, and what is not a word of
    the sentence is taken out.

    >>> clean([0, 1, 3, 2, 4, 127, 127], n_words=3)
    ((0, 2, 1), Counter())
    >>> words, repairs = clean([1, 0, 9, 2, 127], n_words=3)
    >>> words, sorted(repairs)
    ((0, 1), ['inner CLS', 'no CLS', 'no SEP', 'not a word'])
    """
    repairs: Counter[str] = Counter()
    body = list(ids)
    if body[:1] == [CLS]:
        body = body[1:]
    else:
        repairs["no CLS"] += 1
    end = next((i for i, symbol in enumerate(body) if symbol in (n_words + 1, pad)), len(body))
    if end == len(body) or body[end] != n_words + 1:
        repairs["no SEP"] += 1
    elif any(symbol != pad for symbol in body[end + 1 :]):
        repairs["after SEP"] += 1
    words = []
    for symbol in body[:end]:
        if 1 <= symbol <= n_words:
            words.append(symbol - 1)
        else:
            repairs["inner CLS" if symbol == CLS else "not a word"] += 1
    if not words:
        repairs["empty"] += 1
    return tuple(words), repairs


def joined(repairs: Counter[str]) -> str:
    """Return the kinds of repair as one cell of the column ``repairs``.

    >>> joined(Counter({"no SEP": 1, "inner CLS": 3}))
    'inner CLS; no SEP'
    """
    return _BETWEEN.join(sorted(repairs))


def repaired_paths(cells: Iterable[str]) -> Counter[str]:
    """Count the paths that needed each kind of repair.

    >>> repaired_paths(["no SEP", "", "inner CLS; no SEP"])
    Counter({'no SEP': 2, 'inner CLS': 1})
    """
    return Counter(kind for cell in cells for kind in cell.split(_BETWEEN) if kind)


def kept_symbols(extra: Mapping[str, str]) -> Positions | None:
    """Return the symbols before any repair, where a path tells them.

    >>> kept_symbols({"symbols": "0 1 3 127"}), kept_symbols({})
    ((0, 1, 3, 127), None)
    """
    return parse_path(extra[SYMBOL_COLUMN]) if SYMBOL_COLUMN in extra else None


def remove_pad(ids: Sequence[int], pad: int = RELEASED_PAD) -> tuple[int, ...]:
    """Strip trailing PAD and nothing else: what the published scores were computed on.

    >>> remove_pad([0, 1, 127, 4, 127, 127])
    (0, 1, 127, 4)
    """
    end = len(ids)
    while end and ids[end - 1] == pad:
        end -= 1
    return tuple(ids[:end])


def cut_sep(ids: Sequence[int], n_words: int) -> tuple[int, ...]:
    """Cut after the first SEP.

    >>> cut_sep([0, 1, 4, 2, 4], n_words=3)
    (0, 1, 4)
    """
    sep = n_words + 1
    return tuple(ids[: list(ids).index(sep) + 1]) if sep in ids else tuple(ids)


def frame(words: Sequence[int], n_words: int) -> tuple[int, ...]:
    """Put 0-based positions into the alphabet: CLS, 1-based words, SEP.

    >>> frame([0, 2, 1], n_words=3)
    (0, 1, 3, 2, 4)
    """
    return (CLS, *(word + 1 for word in words), n_words + 1)
