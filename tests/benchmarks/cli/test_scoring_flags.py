"""What nld and score write beside the table."""

from __future__ import annotations

import json
from pathlib import Path

from scandl_eval.cli import main


def test_latex_is_printed_and_written_and_figures_have_their_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = ["sentence_id,reader_id,predicted,human,text"]
    rows += [f"s{s},r{r},0 1 {s % 3},0 {r} 2,a b c" for s in range(4) for r in range(3)]
    Path("preds.csv").write_text("\n".join(rows) + "\n")
    command = ["nld", "--pred", "preds.csv"]
    assert main([*command, "--latex", "--json", "r.json", "--report", "r.tex", "--figures", "figures"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(r"\begin{tabular}{l")
    assert printed.rstrip().endswith(r"\end{tabular}")
    written = json.loads(Path("r.json").read_text())["rows"]
    (mean,) = [row["mean"] for row in written if row["model"] == "preds" and row["metric"] == "nld"]
    assert f"preds & all & nld & {mean:.4f} & " in printed
    assert r"\begin{table}" in Path("r.tex").read_text()
    assert any(path.suffix == ".svg" for path in Path("figures").iterdir())
