"""The playground: the model in JavaScript against the model in Python, and the page in a browser."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import scandl
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.pointer.path_batch import word_features
from scandl.seeds import stream
from scandl.text.context import PROSE, context
from scandl.text.word_facts import bare_word, ends_clause, ends_sentence, n_characters, zipf

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "hooks"))
import playground  # noqa: E402

NODE = shutil.which("node")
CHROMIUM = next((path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None)
WORDS = [
    "The",
    "don’t",
    "O'Brien",
    "o'hara",
    "l'arc",
    "qu'un",
    "well-known",
    "e-mail",
    "man-eating",
    "Straße",
    "1998",
    "3.14",
    "1,000,000",
    "007",
    "42nd",
    "2045",
    "U.S.",
    "a.m.",
    "(so)",
    'over."',
    "well,",
    "…",
    "—",
    "xqzzv",
    "naïve",
    "café",
    "ﬁne",
    "ΛΌΓΟΣ",
    "İstanbul",
    "ılık",
    "I'd've",
    "rock'n'roll",
    "'tis",
    "$5",
    "100%",
    "AT&T",
    "and/or",
    "snake_case",
    "C++",
    "x²",
    "½",
    "mother-in-law's",
    "—well",
    "“Yes,”",
    "U.K",
    "٣",
]
ODD = ["3,500", "O'Brien", "“Well,”", "mother-in-law", "U.S.", "1998", "naïve", "xqzzv", "(now)", "it's", "—"]


def texts(n: int) -> Iterator[str]:
    """Yield sentences and paragraphs, in every third of which words are replaced by odd ones."""
    rng = random.Random(1)
    known = [sentence.text for sentence in open_corpus("demo").sentences.values()] + list(PROSE)
    for k in range(n):
        text = " ".join(rng.sample(known, 1 if k % 4 else rng.randint(3, 7)))
        words = text.split()
        if k % 3 == 0:
            for _ in range(len(words) // 5 + 1):
                words[rng.randrange(len(words))] = rng.choice(ODD)
        yield " ".join(words)


def questions(n: int, readers: int) -> list[dict[str, Any]]:
    """Return what both are asked."""
    return [
        {"text": text, "group": ("L1", "L2")[k % 2], "task": ("", "sentence", "paragraph")[k % 3], "seed": k}
        | {"readers": readers}
        for k, text in enumerate(texts(n))
    ]


def read_by_python(question: Mapping[str, Any]) -> list[list[Any]]:
    """Return positions and durations of each reader."""
    kept = {name: question[name] for name in ("group", "task", "seed", "readers")}
    paths = scandl.generate(question["text"], **kept)
    return [[list(path.positions), list(path.durations or ())] for path in paths]


def in_node(script: str, *told: Any) -> Any:
    """Return what a script prints; ``told`` are its arguments, and ``held`` is the opened model."""
    if NODE is None:
        pytest.skip("node is not installed")
    source = playground.worker_source(parts=playground.PARTS[:-1])
    program = (
        f"{source}\nconst [packed, told] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        f"unpacked(packed).then((held) => console.log(JSON.stringify(({script})(held, ...told))));"
    )
    given = json.dumps([playground.packed(), told])
    done = subprocess.run(
        [NODE, "-e", program], input=given, capture_output=True, text=True, timeout=600, check=True
    )
    return json.loads(done.stdout)


READ = """(held, questions) => questions.map((question) => [...readText(held, question)].slice(1)
    .map(({ positions, durations }) => [positions, durations]))"""


def test_the_same_seed_gives_the_same_readings() -> None:
    asked = questions(8, readers=2)
    assert in_node(READ, asked) == [read_by_python(each) for each in asked]


@pytest.mark.slow
def test_two_hundred_texts_are_read_alike() -> None:
    asked = questions(200, readers=2)
    assert in_node(READ, asked) == [read_by_python(each) for each in asked]


def test_random_numbers_are_those_of_numpy() -> None:
    script = """(held, names) => names.map((name) => { const own = stream(...name);
        return [own.permutation(84), own.random(), stream(...name).random()]; })"""
    names = [[1, "reader", "sim"], [0, "é", 7], [2**32 - 1, "generate", "t1", "sim12", 0], [5, "7"]]
    for name, (order, after, first) in zip(names, in_node(script, names), strict=True):
        own = stream(*name)
        assert (own.permutation(84).tolist(), own.random()) == (order, after)
        assert stream(*name).random() == first


def test_words_are_seen_alike() -> None:
    script = """(held, words) => words.map((word) => [bareWord(word), nCharacters(word), zipf(held, word),
        endsClause(held, word), endsSentence(held, word)])"""
    for word, (bare, length, frequency, clause, sentence) in zip(WORDS, in_node(script, WORDS), strict=True):
        assert (bare, length) == (bare_word(word), n_characters(word)), word
        assert frequency == pytest.approx(zipf(word), abs=1e-12), word
        assert (clause, sentence) == (ends_clause(word), ends_sentence(word)), word


def test_words_are_cut_alike() -> None:
    """Numbers, colons, apostrophes, marks and signs: the cases of Unicode's word breaks."""
    cut = (
        "3:15 a:b x;y 1;2 a,b 1,2 1.a a.1 a_b it's's a·b 1·2 a·1 1'2 1'a a'1 a‧b foo@bar l@s ☃a a☃ a..b a.-b x²y ½"
        " _a_ a\u00adb a\u200db ٣٬٤ 1٬2 a：b 1．2 -a ça-va 1\u20442 AT&T C++ 🙂🙂 a’b l’arc ab’e ‘a a‘b 1‘2"
    )
    tokens = in_node("(held, words) => words.map((word) => tokensOf(held, word))", cut.split())
    for word, found in zip(cut.split(), tokens, strict=True):
        assert found == playground.need("wordfreq", "all").lossy_tokenize(word, "en"), word


def test_features_are_alike_to_the_last_bit_but_surprisal() -> None:
    script = "(held, texts) => texts.map((words) => wordFeatures(held, words).map((row) => [...row]))"
    split = [text.split() for text in texts(9)]
    for words, found in zip(split, in_node(script, split), strict=True):
        own = word_features(words, context=context(words, provider="small"), gain=gain())
        assert own.tolist() == [pytest.approx(row, abs=1e-6) for row in found]


def gain() -> float:
    """Return what the shipped model multiplies surprisal by."""
    return float(playground.facts(playground.read_weights(playground.FILE)[0])["gain"])


def test_the_normal_distribution_is_that_of_scipy() -> None:
    from scipy.special import ndtr, ndtri

    values = [k / 7 for k in range(-70, 71)]
    shares = [1e-6, 1e-4, 0.01, 0.2, 0.5, 0.7, 0.999, 1 - 1e-6]
    below, points = in_node("(held, xs, us) => [xs.map(phi), us.map(phiInverse)]", values, shares)
    assert below == pytest.approx(ndtr(values).tolist(), abs=1e-15)
    assert points == pytest.approx(ndtri(shares).tolist(), abs=1e-9)
    assert all(math.isfinite(x) for x in points)


def test_what_is_loaded_stays_small() -> None:
    assert len(playground.model_script().encode()) < 16e6


# ----- the page in a browser


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page and what drives a browser."""
    if CHROMIUM is None or shutil.which("npm") is None:
        pytest.skip("chromium and npm are needed")
    folder = tmp_path_factory.mktemp("tools")
    (folder / "package.json").write_text("{}")
    npm = ["npm", "install", "--no-audit", "--no-fund", "playwright-core@1"]
    if subprocess.run(npm, cwd=folder, capture_output=True).returncode:
        pytest.skip("npm cannot install")
    shutil.copytree(
        ROOT / "docs" / "playground",
        folder / "site",
        ignore=shutil.ignore_patterns("worker"),
        dirs_exist_ok=True,
    )
    playground.write_page_scripts(folder / "site")
    return folder


def driven(tools: Path, *told: Any) -> Any:
    """Return what the browser's driver found."""
    assert CHROMIUM is not None
    command: Sequence[str | Path] = ["node", Path(__file__).with_name("playground.mjs"), tools]
    done = subprocess.run(
        command,
        input=json.dumps(told),
        capture_output=True,
        text=True,
        timeout=900,
        check=True,
        env=os.environ | {"CHROMIUM": CHROMIUM},
    )
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("door", ["disk", "server"])
def test_the_page_works(tools: Path, door: str) -> None:
    found = driven(tools, door, questions(12, readers=3))
    assert found["problems"] == []
    assert found["elsewhere"] == []
    assert found["read"] == [read_by_python(each) for each in questions(12, readers=3)]
    typed = {"text": "A cat <script>document.title='x'</script> & sat.", "group": "L2", "task": "sentence"}
    own = read_by_python(typed | {"seed": 7, "readers": 5})
    rows = list(found["saved"])
    assert [[row["predicted"], row["durations"]] for row in rows] == [
        [" ".join(map(str, path)), " ".join(str(int(ms)) for ms in durations)] for path, durations in own
    ]
    assert {row["text"] for row in rows} == {typed["text"]}
    assert found["title"] == "Playground: watch simulated readers"
    assert found["heat"] == typed["text"].split()
    assert found["shared"] == found["saved"]  # the link alone, opened anew
    assert found["steps"] == ["1", "2", "1"]
    assert found["refused"] == "Found 99 readers, expected 1 to 48."
    scale, n = found["while_reading"]  # of 400 words by 48 readers: the page answers before they have read
    assert "skipped (%)" in scale
    assert n < 48 == found["readers"]
    assert found["overflow"] <= 0  # at the width of a phone


@pytest.mark.slow
def test_two_hundred_texts_are_read_alike_in_a_browser(tools: Path) -> None:
    asked = questions(200, readers=1)
    assert driven(tools, "questions", asked)["read"] == [read_by_python(each) for each in asked]
