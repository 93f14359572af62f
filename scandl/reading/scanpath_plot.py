"""One scanpath drawn over its sentence, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_scanpath(
    path: Scanpath | Sequence[int], text: Sentence | str | None = None, *, axes: Axes | None = None
) -> Axes:
    """Draw a scanpath over its sentence and return the matplotlib axes.

    Parameters
    ----------
    path
        A scanpath, or the word positions alone.
    text
        The sentence. Generated scanpaths know theirs; those of a corpus need
        ``text=corpus.sentences[path.sentence_id]``.
    axes
        Where to draw; without them a new figure is made.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> axes = plot_scanpath([0, 2, 1], "The cat sat.", axes=Figure().subplots())
    >>> [text.get_text() for text in axes.texts]  # words, then the numbers of fixations
    ['The', 'cat', 'sat.', '1', '2', '3']
    """
    from scandl.reading.scanpath_figure import draw_scanpath, sentence_width

    words = words_of(path, text)
    positions = path.words if isinstance(path, Scanpath) else tuple(path)
    outside = [position for position in positions if not 0 <= position < len(words)]
    if outside:
        raise ScandlError(
            f"plot_scanpath: found position {outside[0]}, expected positions 0..{len(words) - 1}:"
            f" the sentence has {len(words)} words"
        )
    if axes is None:
        from matplotlib import pyplot

        axes = pyplot.figure(figsize=(sentence_width(words), 1.9), layout="constrained").subplots()
    draw_scanpath(axes, words, positions)
    return axes


def words_of(path: Scanpath | Sequence[int], text: Sentence | str | None = None) -> tuple[str, ...]:
    """Return the words a scanpath was read on, from ``text`` or from the scanpath itself.

    >>> words_of(Scanpath("", "t1", (0, 2), text="The cat sat"))
    ('The', 'cat', 'sat')
    >>> words_of(Scanpath("r1", "s1", (0, 2)))
    Traceback (most recent call last):
    scandl.errors.ScandlError: the words of sentence 's1' are not known: give them with text=
    """
    if isinstance(text, Sentence):
        return text.words
    known = text if text is not None else getattr(path, "text", None)
    if known is None:
        which = f"sentence {path.sentence_id!r}" if isinstance(path, Scanpath) else "the sentence"
        raise ScandlError(f"the words of {which} are not known: give them with text=")
    return tuple(known.split())
