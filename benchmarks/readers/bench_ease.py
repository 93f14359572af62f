"""Which of two versions of a sentence is harder: simulated reading, formulas, surprisal and the index.

``python benchmarks/readers/bench_ease.py pairs.csv --out FOLDER`` reads aligned sentences (columns pair_id,
advanced, elementary). It prints for each measure the share of pairs in which the advanced version is the
harder one, of all pairs and of those whose numbers of words differ by at most one in ten. The same call goes
on where it was stopped. The first line names the weights that read.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import pandas as pd

from scandl.models.streamed_generation import PackedModel
from scandl.statistics.clustered import share_interval
from scandl_analysis.reading_ease.ease import ease

EASIER = ("flesch", "frequency", "judged_ease")
"""What is higher of the easier version."""
MEASURES = ("ms_per_word", "ms_per_text", "ms_per_character", "surprisal", "dale_chall", *EASIER)
CLOSE = 0.1
CONTROL = r"[\x00-\x1f\x7f-\x9f]"
"""Signs that a few sentences of OneStopEnglish hold and no text may have."""


def main(argv: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs")
    parser.add_argument("--first", type=int, help="only so many pairs, evenly spread over the file")
    parser.add_argument("--readers", type=int, default=48)
    parser.add_argument("--context", default="auto")
    parser.add_argument("--model", default="people")
    parser.add_argument("--out", help="a folder for the tables, where a stopped call goes on")
    args = parser.parse_args(argv)
    table = pd.read_csv(args.pairs).rename(columns={"pair_id": "item_id"})
    table = table.replace(CONTROL, "", regex=True)
    if args.first:
        table = table.iloc[np.linspace(0, len(table) - 1, args.first).astype(int)]
    told = {"readers": args.readers, "context": args.context, "model": args.model, "out": args.out}
    found = ease(table, by="advanced,elementary", task="sentence", quiet=False, **told)
    print(f"weights of {args.model}: {PackedModel.of(args.model).sha256[:12]}")
    print("\n".join(found.notes))
    wide = found.texts.pivot(index="item_id", columns="system", values=["n_words", *MEASURES])
    n_words = wide["n_words"]
    close = (n_words["advanced"] / n_words["elementary"] - 1).abs() <= CLOSE
    for name in MEASURES:
        harder = (wide[name]["advanced"] - wide[name]["elementary"]) * (-1 if name in EASIER else 1)
        print(f"{name:16}", _share(harder), _share(harder[close]))
    print("\n".join(found.compared()))


def _share(harder: pd.Series[float]) -> str:
    share = float((harder > 0).mean() + 0.5 * (harder == 0).mean())
    low, high = share_interval(share, len(harder))
    return f"{share:.3f} [{low:.3f}, {high:.3f}] of {len(harder)}"


if __name__ == "__main__":
    main()
