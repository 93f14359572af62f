"""Pilot the stimuli of Mertzen et al. beside the people who read them: the table of docs/results.md.

``python benchmarks/readers/pilot_mertzen.py CORPUS OUT [FLAGS of scandl-analysis pilot …]`` writes the
stimuli that the corpus holds (the critical word is the main verb, the second word of what all conditions of
an item end with), pilots them, prints effects as Markdown, people beside models, and writes
``OUT/pilot_recovery.json``, which the package keeps in ``scandl_analysis/published``.
"""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from scandl_analysis.cli import main as analysis

CONTRAST = "animacy*subjecthood"
FLAGS = (
    "--models",
    "people,ezreader,swift",
    "--contrast",
    CONTRAST,
    "--readers",
    "56",
    "--effect",
    "TFT=25ms",
    "--experiments",
    "100",
    "--surprisal",
    "trigram",
)


def stimuli(corpus: Path) -> list[dict[str, str]]:
    """Return the stimuli with the main verb marked."""
    texts = {row["sentence_id"]: row["text"].split() for row in _rows(corpus / "sentences.csv")}
    items: dict[str, list[dict[str, str]]] = {}
    for row in sorted(_rows(corpus / "items.csv"), key=lambda row: row["condition"]):
        items.setdefault(row["item_id"], []).append(row)
    found = []
    for item in sorted(items, key=int):
        versions = [texts[row["sentence_id"]] for row in items[item]]
        shared = 0
        while len({tuple(words[-shared - 1 :]) for words in versions}) == 1:
            shared += 1
        for row, words in zip(items[item], versions, strict=True):
            verb = len(words) - shared + 1
            marked = [f"*{word}*" if k == verb else word for k, word in enumerate(words)]
            found.append(
                {
                    "item_id": item,
                    "condition": row["condition"],
                    "text": " ".join(marked),
                    "animacy": row["distractor_animacy"],
                    "subjecthood": row["distractor_subjecthood"],
                }
            )
    return found


def table(effects: Path) -> list[str]:
    """Return the effects as Markdown: a row per region, measure and contrast, a column per source."""
    rows = _rows(effects)
    sources = list(dict.fromkeys(row["source"] for row in rows))
    by_cell = {(row["region"], row["measure"], row["contrast"], row["source"]): row for row in rows}
    keys = list(dict.fromkeys((row["region"], row["measure"], row["contrast"]) for row in rows))
    lines = [f"| region | measure | contrast | {' | '.join(sources)} |", "|---" * (3 + len(sources)) + "|"]
    for key in keys:
        cells = [_cell(by_cell.get((*key, source))) for source in sources]
        lines.append(f"| {' | '.join(key)} | {' | '.join(cells)} |")
    return lines


def recovery(effects: Path) -> dict[str, object]:
    """Return every effect of the models beside that of people, for reports."""
    rows = _rows(effects)
    people = {
        (r["region"], r["measure"], r["contrast"]): _interval(r) for r in rows if r["source"] == "human"
    }
    found = [
        {
            "source": row["source"],
            "region": row["region"],
            "measure": row["measure"],
            "contrast": row["contrast"],
            "human": people[_key(row)],
            "effect": _interval(row),
        }
        for row in rows
        if row["source"] != "human" and _key(row) in people
    ]
    return {"corpora": [{"name": "mertzen", "made_by": " ".join(["pilot", *FLAGS]), "effects": found}]}


def _key(row: dict[str, str]) -> tuple[str, ...]:
    return row["region"], row["measure"], row["contrast"]


def _interval(row: dict[str, str]) -> list[float]:
    return [round(float(row[name]), 4) for name in ("effect", "ci95_low", "ci95_high")]


def _cell(row: dict[str, str] | None) -> str:
    """Return an effect with its interval, in ms where there are any; bold where it leaves out 0."""
    if row is None:
        return "–"
    name, digits = ("ms", 0) if row["ms"] else ("effect", 2)
    low, high = ("ms_ci95_low", "ms_ci95_high") if row["ms"] else ("ci95_low", "ci95_high")
    value, a, b = (f"{float(row[column]):+.{digits}f}".replace("-", "−") for column in (name, low, high))
    clear = float(row["ci95_low"]) > 0 or float(row["ci95_high"]) < 0
    return f"**{value}** [{a}, {b}]" if clear else f"{value} [{a}, {b}]"


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def main() -> int:
    """Write stimuli, pilot them, print the table."""
    corpus, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    rows = stimuli(corpus)
    with (out / "stimuli.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    flags = [*FLAGS, "--stimuli", str(out / "stimuli.csv"), "--humans", str(corpus), "--out", str(out)]
    code = analysis(["pilot", *flags, *sys.argv[3:]])
    print("\n".join(table(out / "effects.csv")))
    told = json.dumps(recovery(out / "effects.csv"), ensure_ascii=False)
    lines = told.replace('{"source"', '\n{"source"')
    (out / "pilot_recovery.json").write_text(f"{lines}\n", encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())
