from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from scandl.cli import main
from scandl.cli.cite_command import cite, of_corpus, of_names
from scandl.corpora import Card, Corpus, write_corpus
from scandl.errors import DataError
from scandl.measures.catalogue import METRICS
from scandl.models.catalogue import TRAINED, all_names
from scandl.models.trained_model import shipped_models
from scandl.records import Sentence


def test_no_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cite", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith(
        "found no file, expected the settings of a run: give the folder of a run\n"
    )


def keys(bibtex: str) -> list[str]:
    return re.findall(r"^@\w+\{([^,]+),", bibtex, re.M)


def run(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True)
    (folder / "run.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_run_cites_what_it_used_and_nothing_else(tmp_path: Path) -> None:
    settings = 'corpus = "demo"\nmodels = ["people", "swift", "uniform"]\nmetrics = ["scasim"]\n'
    found = cite(run(tmp_path / "run", settings))
    assert {"scandl", "engbert2005swift", "vondermalsburg2011scasim", "szekely2013energy"} <= set(keys(found))
    assert {"provo2018", "readingbrain_l1", "readingbrain_l2"} <= set(keys(found))  # people learned from them
    assert not {"deng2023eyettention", "dewhurst2012multimatch", "reichle1998ezreader"} & set(keys(found))
    assert len(keys(found)) == len(set(keys(found)))
    assert "@misc{demo," in found
    assert found.count("{") == found.count("}")
    assert "keywords" not in found


def test_every_reference_is_of_something_there_is() -> None:
    bib = files("scandl").joinpath("references.bib").read_text(encoding="utf-8")
    names = [*all_names(), *TRAINED, *shipped_models()]
    assert set(keys(bib)) == set(keys("\n".join(of_names(names, METRICS))))


def test_a_corpus_of_ones_own_is_cited_by_its_card(tmp_path: Path) -> None:
    sentences = {"s": Sentence("s", "A text.")}
    write_corpus(Corpus(Card(name="mine", citation="Me (2026)"), sentences, ()), tmp_path / "mine")
    assert of_corpus(str(tmp_path / "mine")) == "@misc{mine,\n  title = {{mine}},\n  note = {Me (2026)}\n}"
    write_corpus(Corpus(Card(name="own", bibtex="@misc{own}"), sentences, ()), tmp_path / "own")
    assert of_corpus(str(tmp_path / "own")) == "@misc{own}"
    assert of_corpus("gone").startswith("% corpus gone: found nothing")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = run(tmp_path / "run", 'models = ["eyettention"]\n')
    assert main(["cite", str(folder)]) == 0
    assert "@inproceedings{deng2023eyettention" in capsys.readouterr().out
    assert main(["cite", str(folder), "--out", str(tmp_path / "r.bib")]) == 0
    assert (tmp_path / "r.bib").read_text(encoding="utf-8") == cite(folder)
    with pytest.raises(DataError, match=r"run\.toml: found no file, expected the settings of a run"):
        cite(tmp_path)
