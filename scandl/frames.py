"""Records as pandas tables, in the columns that files of them have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from scandl.errors import ScandlError
from scandl.files.prediction_files import prediction_columns
from scandl.files.prediction_inputs import sample_numbers
from scandl.records import Prediction, Scanpath

if TYPE_CHECKING:
    import pandas as pd

    from scandl.corpora.corpus import Corpus


def to_frame(source: Corpus | Iterable[Scanpath] | Iterable[Prediction]) -> pd.DataFrame:
    """Return scanpaths as a table with one row per fixation, predictions with one row per prediction.

    The columns are those of files: what ``frame.to_csv(file, index=False)`` writes can be scored.
    Several scanpaths of one reader in one sentence are numbered in the column ``sample``.

    Parameters
    ----------
    source
        A corpus, scanpaths, or predictions.

    Returns
    -------
    pandas.DataFrame
        One row per fixation; of predictions one row each.

    Examples
    --------
    >>> to_frame([Scanpath("r1", "s1", (0, 2), text="The cat sat")])
      reader_id sentence_id  sample  fixation_index  word_index word
    0        r1          s1       0               0           0  The
    1        r1          s1       0               1           2  sat
    >>> to_frame([Prediction("s1", (0, 2), human=(0, 1), model="mine")])[["model", "predicted", "human"]]
      model predicted human
    0  mine       0 2   0 1
    """
    own = getattr(source, "to_frame", None)
    if own is not None:
        return own()
    records: list[Any] = list(source)  # type: ignore[arg-type]  # a corpus has a method of its own
    kinds = {type(record) for record in records}
    if kinds <= {Scanpath}:
        return fixation_frame(records)
    if kinds == {Prediction}:
        return prediction_frame(records)
    found = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise ScandlError(f"to_frame: found {found}, expected a corpus, scanpaths or predictions")


def fixation_frame(
    paths: Sequence[Scanpath], texts: dict[str, str] | None = None, *, numbered: bool = True
) -> pd.DataFrame:
    """Return one row per fixation; durations and words are columns where every scanpath has them.

    ``texts`` gives the sentences by id to paths that do not carry their own.
    """
    import numpy as np
    import pandas as pd

    lengths = [path.n_fixations for path in paths]
    known = texts or {}
    texts_read = [path.text or known.get(path.sentence_id) for path in paths]
    columns: dict[str, Any] = {
        "reader_id": np.repeat(_objects(path.reader_id for path in paths), lengths),
        "sentence_id": np.repeat(_objects(path.sentence_id for path in paths), lengths),
    }
    if numbered:
        columns["sample"] = np.repeat(np.array(sample_numbers(paths), int), lengths)
    columns["fixation_index"] = np.concatenate([np.arange(n) for n in lengths] or [np.empty(0, int)])
    columns["word_index"] = np.array([word for path in paths for word in path.positions], int)
    if paths and all(path.durations is not None for path in paths):
        columns["duration_ms"] = np.array([ms for path in paths for ms in path.durations or ()], float)
    if paths and None not in texts_read:
        split = {text: text.split() for text in texts_read if text is not None}
        columns["word"] = _objects(
            split[text][word]
            for path, text in zip(paths, texts_read, strict=True)
            for word in path.positions
            if text is not None
        )
    return pd.DataFrame(columns)


def prediction_frame(predictions: Sequence[Prediction]) -> pd.DataFrame:
    """Return one row per prediction, in the columns of a prediction file."""
    import pandas as pd

    columns: dict[str, Any] = {**prediction_columns(predictions)}
    columns["sample"] = [p.sample for p in predictions]
    if "log_prob" in columns:
        columns["log_prob"] = [p.log_prob for p in predictions]
    return pd.DataFrame(columns)


def _objects(values: Iterable[str]) -> Any:
    import numpy as np

    return np.array(list(values), dtype=object)
