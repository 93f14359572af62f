from __future__ import annotations

import json
import subprocess
import sys

import pytest

from scandl_eval.cli import main

VECTORS = [  # human, predicted, NLD as words, NLD as scandl
    ("1 2 3 4 5", "1 3 4 4 5", 0.400000, 0.285714),
    ("1 2", "2 1", 1.000000, 0.500000),
    ("1 2", "1 2 1", 0.333333, 0.200000),
    ("1 1 2 3 5 4 5", "1 2 3 4 5", 0.285714, 0.222222),
    ("1 2 4 3 5 6 6", "2 3 5 7", 0.571429, 0.444444),
    ("[]", "1 2", 1.000000, 0.500000),
]


def rows_by_model(found):
    return {row["model"]: row for row in found["rows"]}


@pytest.mark.parametrize(("spec", "column"), [("words", 2), ("scandl", 3)])
def test_the_known_vectors(table, result, spec, column):
    lines = [f"s{i},{predicted},{human}\n" for i, (human, predicted, *_) in enumerate(VECTORS)]
    found, _ = result("--pred", table("sentence_id,predicted,human\n" + "".join(lines)), "--spec", spec)
    (row,) = found["rows"]
    assert row["mean"] == pytest.approx(sum(v[column] for v in VECTORS) / 6, abs=1e-6)
    assert (row["model"], row["setting"], row["metric"], row["n"]) == ("preds", "all", "nld", 6)
    assert found["metric_spec"]["spec"] == spec
    assert found["schema"] == 1


def test_scores_come_before_aggregates(table, tmp_path, result):
    lines = [f"s{i},{predicted},{human}\n" for i, (human, predicted, *_) in enumerate(VECTORS)]
    result(
        "--pred", table("sentence_id,predicted,human\n" + "".join(lines)), "--scores", tmp_path / "scores.csv"
    )
    rows = (tmp_path / "scores.csv").read_text().splitlines()
    assert rows[0] == "model,setting,fold,reader_id,sentence_id,sample,nld"
    assert [float(row.split(",")[-1]) for row in rows[1:]] == pytest.approx([v[2] for v in VECTORS], abs=1e-6)


def test_the_printed_line(table, capsys):
    assert (
        main(["nld", "--quiet", "--pred", str(table("sentence_id,predicted,human\na,0 1,0 2\nb,0 1,0 1\n"))])
        == 0
    )
    assert capsys.readouterr().out == (
        "model | setting | metric | mean   | ± SE folds | 95 % interval     | n\n"
        "preds | all     | nld    | 0.2500 | –          | [-2.9266, 3.4266] | 2\n"
    )


def test_folds_give_the_two_spreads(table, result):
    text = "sentence_id,fold,predicted,human\na,0,0,0\nb,0,1,0\nc,1,0,0\nd,1,0,0\n"
    row = result("--pred", table(text))[0]["rows"][0]
    assert row["sd_folds"] == 0.25
    assert row["se_folds"] == pytest.approx(0.25)
    assert (row["n_folds"], row["mean_of_folds"]) == (2, 0.25)


WITH_TEXT = "reader_id,sentence_id,text,predicted,human\n" + "".join(
    f"r{r},s{s},a b c d e,{predicted},{human}\n"
    for s in range(6)
    for r, (predicted, human) in enumerate([("4 3 0", "0 1 2 3"), ("4 2", "0 1 2 4"), ("3 1", "0 2 3 4")])
)


def test_trivial_readers_and_humans_stand_beside_the_model(table, result):
    found, printed = result("--pred", table(WITH_TEXT))
    rows = rows_by_model(found)
    assert list(rows) == ["preds", "left-to-right", "train-label-dist", "Human"]
    assert [row["kind"] for row in rows.values()] == ["model", "baseline", "baseline", "human"]
    assert rows["left-to-right"]["mean"] == pytest.approx(0.2)
    assert rows["Human"]["mean"] == pytest.approx((0.25 + 0.25 + 0.25 + 0.5 + 0.5 + 0.25) / 6, abs=0.09)
    assert {row["n"] for row in rows.values()} == {18}
    assert (
        "warning: left-to-right, which reads every word once, is better than preds (all): nld -0." in printed
    )
    assert "cross-fitted" in printed
    assert rows["left-to-right"]["diversity_ratio"] == 0
    assert rows["preds"]["energy_sentences"] == 6


def test_a_model_that_reads_well_is_not_warned_about(table, result):
    text = WITH_TEXT.replace("4 3 0,", "0 1 2 3,").replace("4 2,", "0 1 2 4,").replace("3 1,", "0 2 3 4,")
    found, printed = result("--pred", table(text))
    assert found["rows"][0]["mean"] == 0
    assert "warning" not in printed


def test_a_model_with_the_name_of_a_baseline_stands_for_itself(table, result):
    header, *lines = WITH_TEXT.splitlines()
    text = "\n".join([f"model,{header}", *(f"train-label-dist,{line}" for line in lines)]) + "\n"
    found, _ = result("--pred", table(text))
    own = found["rows"][0]
    assert (own["model"], own["kind"]) == ("train-label-dist", "model")
    assert [row["model"] for row in found["rows"]].count("train-label-dist") == 1


def test_without_texts_it_says_what_lacks_and_why(table, result):
    _, printed = result("--pred", table("sentence_id,predicted,human\na,0,0\nb,,0\n"))
    assert "no left-to-right and no train-label-dist row: no texts" in printed
    assert "no Human row: no sentence was read by enough readers" in printed
    assert "no energy distance: no sentence has two human and two generated scanpaths" in printed
    assert "1 empty predictions of preds count as NLD 1: sentence 'b'" in printed
    _, printed = result("--pred", table("sentence_id,predicted,human\na,,[]\nb,,0\n"))
    assert (
        "2 empty predictions of preds count as NLD 1, 0 where the human scanpath is empty too: sentence"
        in printed
    )


def test_files_may_be_named_together_or_one_by_one(tmp_path, result):
    header = "model,reader_id,sentence_id,predicted,human\n"
    files = [tmp_path / f"{name}.csv" for name in "ab"]
    for file in files:
        file.write_text(f"{header}{file.stem},r1,s,0 1,0 1\n{file.stem},r2,s,0,0 2\n")
    together, _ = result("--pred", *files)
    one_by_one, _ = result("--pred", files[0], "--pred", files[1])
    assert one_by_one["rows"] == together["rows"]
    assert {row["model"] for row in together["rows"]} >= {"a", "b"}


def test_repeated_draws_are_not_taken_for_readers(table, result):
    found, printed = result(
        "--pred", table("sentence_id,predicted,human\n" + "a,0 1,0 2\na,0,0 2\na,2,0 2\n" * 2)
    )
    assert list(rows_by_model(found)) == ["preds"]
    assert "most human scanpaths are copies" in printed


def test_simulated_readers_are_not_called_human_in_silence(table, result, toy):
    card = toy / "corpus.toml"
    card.write_text(card.read_text() + 'kind = "simulated"\n')
    _, printed = result("--pred", table("sentence_id,predicted\ns1,0 2\n"), "--corpus", toy)
    assert "the readers of corpus 'toy' are simulated: no row here is human" in printed


def test_an_empty_prediction_is_worth_less_than_1_with_symbols(table, result):
    path = table("sentence_id,predicted,human\na,,0 1\nb,,0 1\n")
    found, printed = result("--pred", path, "--spec", "scandl")
    assert found["rows"][0]["mean"] == 0.5
    assert "2 empty predictions of preds count as one edit per human fixation" in printed


def test_samples_count_once(table, result):
    text = "reader_id,sentence_id,sample,predicted,human\nr,a,0,0,0\nr,a,1,1,0\nr,b,0,1,0\n"
    row = result("--pred", table(text))[0]["rows"][0]
    assert (row["n"], row["mean"]) == (2, 0.75)
    assert row["sd_samples"] == pytest.approx(0.5 / 2**0.5)  # sample 0 has the mean 0.5, sample 1 has 1


def test_same_inputs_same_bytes_but_for_the_date(table, tmp_path):
    path = table(WITH_TEXT)
    found = []
    for name in ("one.json", "two.json"):
        main(["nld", "--pred", str(path), "--json", str(tmp_path / name), "--seed", "5"])
        result = json.loads((tmp_path / name).read_text())
        result["provenance"].pop("date")
        result["provenance"].pop("command")
        found.append(result)
    assert found[0] == found[1]
    assert found[0]["provenance"]["seed"] == 5
    assert str(path) in found[0]["provenance"]["inputs"]


def test_parts_of_one_model_are_joined_and_repetitions_refused(table, result, capsys):
    head = "model,reader_id,sentence_id,predicted,human\n"
    one, two = table(head + "m,r1,a,0,0\n", "one.csv"), table(head + "m,r2,a,1,0\n", "two.csv")
    row = result("--pred", one, two, "--index-base", 0)[0]["rows"][0]
    assert (row["n"], row["mean"]) == (2, 0.5)
    again = table(head + "m,r1,a,0,0\n", "three.csv")
    assert main(["nld", "--pred", str(one), str(again)]) == 2
    assert (
        "three.csv: column 'model': found sentence 'a' of reader 'r1', sample 0, that"
        in capsys.readouterr().err
    )


def test_raw_symbols_are_repaired_as_asked(table, result):
    lists = {
        "predicted_sp_ids": [[0, 1, 4, 2, 4, 127]],
        "original_sp_ids": [[0, 1, 4, 127]],
        "original_sn": ["[CLS] a b c [SEP]"],
        "sn_ids": [7],
        "reader_ids": [1],
    }
    path = table(json.dumps(lists), "fold.json")
    means = {
        (spec, repair): result("--pred", path, "--spec", spec, "--repair", repair)[0]["rows"][0]["mean"]
        for spec in ("words", "scandl")
        for repair in ("clean", "remove-pad", "cut-sep")
    }
    assert means == {
        ("words", "clean"): 0.0,
        ("words", "cut-sep"): 0.0,
        ("words", "remove-pad"): pytest.approx(2 / 3),
        ("scandl", "clean"): 0.0,
        ("scandl", "cut-sep"): 0.0,
        ("scandl", "remove-pad"): pytest.approx(2 / 5),
    }
    assert "needed repair (clean): 1 × after SEP" in result("--pred", path)[1]


BAD = [
    ("", "preds.csv:1: found an empty file, expected a header line with column names"),
    ("a,0 1,0 2\n", "preds.csv:1: column 'predicted': found only the columns a, 0 1, 0 2"),
    ("sentence_id;predicted;human\na;0;0\n", "preds.csv:1: found the delimiter ';', expected ','"),
    (
        "sentence_id,human\na,0\n",
        "preds.csv:1: column 'predicted': found only the columns sentence_id, human",
    ),
    ("predicted,human\n0,0\n", "preds.csv:1: column 'sentence_id': found only the columns predicted, human"),
    ("sentence_id,predicted\na,0\n", "preds.csv: column 'human': found no human scanpath in 1 predictions"),
    (
        "sentence_id,predicted,human\na,0,0\nb,0 x,0\n",
        "preds.csv:3: column 'predicted': found '0 x', expected word",
    ),
    (
        "sentence_id,predicted,human\na,-1 0,0\n",
        "preds.csv:2: column 'predicted': found '-1 0', expected word",
    ),
    (
        "sentence_id,text,predicted,human\na,one two,0 2,0\n",
        "preds.csv:2: column 'predicted': found '0 2', expected",
    ),
    (
        "reader_id,sentence_id,predicted,human\nr,a,0,0\nr,a,0,0\n",
        "preds.csv:3: column 'sentence_id': found reader 'r'",
    ),
    (
        "participant,subject,trial,fix_order,aoi\n1,1,a,0,0\n",
        "preds.csv:1: column 'reader_id': found two candidates",
    ),
    (
        'model,sentence_id,predicted,human\n"a\nb",a,0,0\n',
        "preds.csv:2: column 'model': found 'a\\nb', expected a name without line",
    ),
    ("sentence_id,predicted,human\n", "preds.csv: found no predictions, expected at least one row"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_input_is_one_line(table, capsys, text, message):
    path = table(text)
    assert main(["nld", "--pred", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert f"{path.parent}/{message}" in printed.err


def test_a_missing_file_is_one_line(tmp_path, capsys):
    assert main(["nld", "--pred", str(tmp_path / "none.csv"), "--json", str(tmp_path / "out.json")]) == 2
    assert "none.csv: found no file, expected a CSV or Parquet file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_scores_in_an_unknown_form_are_refused_before_the_work(tmp_path, capsys):
    assert main(["nld", "--pred", str(tmp_path / "none.csv"), "--scores", str(tmp_path / "a.xlsx")]) == 2
    assert capsys.readouterr().err == (
        f"scandl-eval: {tmp_path}/a.xlsx: found the ending '.xlsx', expected a name that ends in .csv or .parquet\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_against_all_readers_needs_a_corpus(table, capsys):
    path = table("sentence_id,predicted,human\na,0,0\n")
    assert main(["nld", "--pred", str(path), "--against", "all-readers"]) == 2
    assert "to compare with all readers of a sentence, give a corpus (--corpus)" in capsys.readouterr().err


def test_the_fast_path_imports_neither_pandas_nor_scipy(table):
    path = table(WITH_TEXT)
    code = (
        "import sys; from scandl_eval.cli import main; main(sys.argv[1:]); "
        "print([name for name in ('pandas', 'scipy', 'numba', 'torch', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "nld", "--quiet", "--pred", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_nld_and_energy_rank_published_simulations_in_reverse(shared, result):
    folder = shared("mertzen")
    files = [folder / "simulated_swift.csv", folder / "simulated_seam.csv"]
    found, printed = result("--pred", *files, "--corpus", folder, "--reference", "all")
    rows = rows_by_model(found)
    names = ("simulated_swift", "simulated_seam", "left-to-right", "Human")
    assert [rows[name]["mean"] for name in names] == pytest.approx([0.6992, 0.7354, 0.6573, 0.7094], abs=5e-5)
    assert {rows[name]["n"] for name in names} == {697}
    # The known values also have paths without a human one, and set paths against the own reader's.
    assert rows["simulated_swift"]["energy_distance"] == pytest.approx(0.1734, abs=5e-3)
    assert rows["simulated_seam"]["energy_distance"] == pytest.approx(0.1049, abs=5e-3)
    assert rows["simulated_swift"]["diversity_ratio"] == pytest.approx(0.715, abs=1e-2)
    assert rows["simulated_seam"]["diversity_ratio"] == pytest.approx(0.952, abs=1e-2)
    assert rows["left-to-right"]["energy_distance"] > 0.59
    assert printed.count("is better than simulated_") == 2
    assert "142 of 1536 predictions have no human scanpath, left out: sentence '" in printed
    assert "and 137 more" in printed
    tested = rows_by_model(result("--pred", *files, "--corpus", folder)[0])
    assert tested["simulated_swift"]["mean"] == rows["simulated_swift"]["mean"]
    assert tested["Human"]["mean"] == pytest.approx(0.7120, abs=5e-5)  # fewer partners, other pairs
