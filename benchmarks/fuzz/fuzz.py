"""Attack the commands with files that nobody should write: ``python benchmarks/fuzz/fuzz.py --attacks 500``.

Each attack damages something, or writes the same in another way, and calls a command. An oracle judges what
happened: no traceback, exit code 0, 1 or 2, one line for 2, inputs untouched, nothing half-written; and where
only the way of writing was another, the number of an independent definition. A fault is printed with its
number, which repeats it (``--only N``); the exit code is 1 if there is any.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import random
import shlex
import shutil
import string
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

COLUMNS = ("reader_id", "sentence_id", "model", "text", "human", "predicted", "durations")
TEXT = "The old man the boats today."
CELLS = (
    "",
    " ",
    "nan",
    "inf",
    "-1",
    "1e9",
    "0 x",
    "0,1",
    "[0, 1]",
    "None",
    "0" * 400,
    "９",
    "\x1b[2J",
    "=1+1",
)
CELLS += (
    "0 1 99999999999999999999",
    "0.5",
    "0 -0",
    "1e400",
    "\ud7ff\u202e",
    "'",
    '"',
    "a\tb",
    "0 1\n2",
    "True",
)
FORMULAS = (
    "",
    "~",
    "tfc ~",
    "~ x",
    "tfc ~ (",
    "tfc ~ a:b:c",
    "tfc ~ 1 / 0",
    "tfc ~ __import__('os')",
    "tfc ~ True",
)
FORMULAS += ("tfc ~ " + " + ".join(["length"] * 500), "tfc ~ " + "-" * 3000 + "length", "tfc ~ 'length'")
FORMULAS += ("tfc ~ " + " * ".join(f"x{n}" for n in range(22)), "tfc ~ length + (1 |", "tfc ~ (1 | nobody)")
SETTINGS = (
    "models = [1]",
    "models = ['unifrom']",
    "folds = [-1]",
    "folds = [9]",
    "folds = 3",
    "samples = 1e9",
)
SETTINGS += ("samples = 0", "samples = true", "seed = 'a'", "x = 1", "settings = ['ms']", "= 1", "[a]\nb = 1")
SETTINGS += (
    "resamples = -1",
    "resamples = 'x'",
    "\x00",
    "scheme = 'none'",
    "calibration = [1]",
    "models = []",
)
PLACES = ("/dev/null/x.csv", "/proc/x.csv", "x.nothing", ".", "no\nname.csv", "n" * 300 + ".csv", "../.")


@dataclass(frozen=True)
class Row:
    """A prediction beside a human path."""

    reader: str
    sentence: str
    human: tuple[int, ...]
    predicted: tuple[int, ...]

    def cells(self) -> dict[str, str]:
        """Return the row as a table has it."""
        times = " ".join(["200"] * len(self.predicted))
        paths = {"human": " ".join(map(str, self.human)), "predicted": " ".join(map(str, self.predicted))}
        return {
            "reader_id": self.reader,
            "sentence_id": self.sentence,
            "model": "mine",
            "text": TEXT,
            "durations": times,
        } | paths


@dataclass
class Attack:
    """A call, what it may write, and the numbers that it has to give where they are known."""

    call: list[str]
    outputs: tuple[str, ...] = ()
    expected: float | None = None  # mean NLD
    refused: bool = False  # must not be taken for good
    then: list[str] = field(default_factory=list)  # a call that has to succeed where this one does
    shell: str = ""  # how a shell calls it, with {call} for the call: streams, environment
    note: str = ""


@dataclass
class Outcome:
    """What a call did."""

    code: int | None
    printed: str
    said: str
    raised: str = ""
    faults: list[str] = field(default_factory=list)


def rows(rng: random.Random, n_readers: int = 3, n_sentences: int = 4) -> list[Row]:
    """Return a small set of predictions."""
    words = len(TEXT.split())

    def path() -> tuple[int, ...]:
        return tuple(rng.randrange(words) for _ in range(rng.randrange(1, 9)))

    return [Row(f"r{r}", f"s{s}", path(), path()) for r in range(n_readers) for s in range(n_sentences)]


def slow_nld(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """Return the edit distance by its definition, divided by the longer length.

    >>> slow_nld((0, 1, 2, 3), (0, 1, 1, 3))
    0.25
    """
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        current = [i]
        for j, y in enumerate(b, start=1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (x != y)))
        previous = current
    longest = max(len(a), len(b))
    return previous[-1] / longest if longest else 0.0


def as_csv(
    table: list[dict[str, str]], *, separator: str = ",", end: str = "\n", quoted: bool = False
) -> str:
    """Return a table as text."""

    def cell(value: str) -> str:
        needs = quoted or any(sign in value for sign in (separator, '"', "\n", "\r"))
        return '"' + value.replace('"', '""') + '"' if needs else value

    names = list(table[0])
    lines = [names, *([row[name] for name in names] for row in table)]
    return end.join(separator.join(map(cell, line)) for line in lines) + end


def equivalents(rng: random.Random, folder: Path) -> Attack:
    """Write the same predictions in another way: the numbers stay."""
    known = rows(rng)
    table = [row.cells() for row in known]
    expected = sum(slow_nld(row.human, row.predicted) for row in known) / len(known)
    rng.shuffle(table)
    names = list(COLUMNS)
    rng.shuffle(names)
    table = [{name: row[name] for name in names} for row in table]
    form = rng.choice(
        ["plain", "quoted", "crlf", "bom", "extra", "json", "jsonl", "two files", "blank lines"]
    )
    files = [folder / "preds.csv"]
    text = as_csv(table, quoted=form == "quoted", end="\r\n" if form == "crlf" else "\n")
    if form == "bom":
        text = "\ufeff" + text
    if form == "extra":
        text = as_csv([row | {"my own": rng.choice(["", "x", "1,5"])} for row in table])
    if form == "blank lines":
        text = text + "\n\n"
    if form in ("json", "jsonl"):
        files = [folder / f"preds.{form}"]
        text = json.dumps(table) if form == "json" else "\n".join(map(json.dumps, table)) + "\n"
    if form == "two files":
        files.append(folder / "more.csv")
        cut = rng.randrange(1, len(table))
        files[1].write_text(as_csv(table[cut:]), encoding="utf-8")
        text = as_csv(table[:cut])
    files[0].write_bytes(text.encode())
    call = ["scandl-eval", "nld", "--pred", *map(str, files), "--json", str(folder / "out.json")]
    return Attack(call, ("out.json",), expected, note=form)


def cells(rng: random.Random, folder: Path) -> Attack:
    """Put a strange value into a cell."""
    table = [row.cells() for row in rows(rng)]
    for _ in range(rng.randrange(1, 4)):
        rng.choice(table)[rng.choice(COLUMNS)] = rng.choice(CELLS)
    (folder / "preds.csv").write_bytes(as_csv(table).encode(errors="replace"))
    command = rng.choice(["nld", "score", "validate"])
    more = ["--metrics", "nld,energy,diversity,nld-time"] if command == "score" else []
    return Attack(["scandl-eval", command, "--pred", str(folder / "preds.csv"), *more])


def damaged(rng: random.Random, content: bytes) -> bytes:
    """Return bytes with something cut, doubled, flipped or put in."""
    kind, at = rng.randrange(6), rng.randrange(max(1, len(content)))
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + content[at // 2 :]
    if kind == 2:
        return content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]
    if kind == 3:
        return (
            content[:at]
            + rng.choice([b"\x00", b"\xff\xfe", b'"', b"\r", b",,,,", b"[" * 3000])
            + content[at:]
        )
    if kind == 4:
        return b""
    return bytes(rng.randrange(256) for _ in range(300))


def structures(rng: random.Random, folder: Path) -> Attack:
    """Damage the file as a whole."""
    table = [row.cells() for row in rows(rng)]
    ending = rng.choice(["csv", "json", "jsonl", "parquet"])
    text = as_csv(table) if ending in ("csv", "parquet") else json.dumps(table)
    path = folder / f"preds.{ending}"
    path.write_bytes(damaged(rng, text.encode()))
    return Attack(["scandl-eval", rng.choice(["nld", "validate"]), "--pred", str(path)])


def small_corpus(folder: Path) -> Path:
    """Write a corpus of three sentences and two readers."""
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "corpus.toml").write_text('name = "small"\nlanguage = "en"\nkind = "simulated"\n')
    sentences = "".join(f"s{n},{TEXT}\n" for n in range(3))
    (corpus / "sentences.csv").write_text("sentence_id,text\n" + sentences)
    fixations = [f"r{r},s{s},{i},{i + r},210" for r in range(2) for s in range(3) for i in range(3)]
    head = "reader_id,sentence_id,fixation_index,word_index,duration_ms\n"
    (corpus / "fixations.csv").write_text(head + "\n".join(fixations) + "\n")
    return corpus


def corpora(rng: random.Random, folder: Path) -> Attack:
    """Damage a file of a corpus."""
    corpus = small_corpus(folder)
    path = rng.choice(sorted(corpus.iterdir()))
    path.write_bytes(damaged(rng, path.read_bytes()))
    out = ["--out", str(folder / "measures.csv")]
    calls = [["scandl", "corpus", "check", str(corpus)], ["scandl", "corpus", "show", str(corpus)]]
    calls += [["scandl-analysis", "measures", "--corpus", str(corpus), *out]]
    return Attack(rng.choice(calls), ("measures.csv",))


def importers(rng: random.Random, folder: Path) -> Attack:
    """Import a damaged long table; what is written must be a corpus."""
    fixations, sentences = folder / "fixations.csv", folder / "sentences.csv"
    table = [["r1", "s1", str(i), str(i), "200"] for i in range(5)]
    for _ in range(rng.randrange(3)):
        rng.choice(table)[rng.randrange(5)] = rng.choice(CELLS).replace("\n", " ").replace(",", ";")
    head = "reader_id,sentence_id,fixation_index,word_index,duration_ms\n"
    fixations.write_bytes((head + "".join(",".join(row) + "\n" for row in table)).encode(errors="replace"))
    sentences.write_text(f"sentence_id,text\ns1,{TEXT}\n")
    if rng.random() < 0.3:
        fixations.write_bytes(damaged(rng, fixations.read_bytes()))
    call = ["scandl", "corpus", "import", "csv", str(fixations), str(sentences), "--index-base", "0"]
    out = str(folder / "imported")
    return Attack([*call, "--out", out], ("imported",), then=["scandl", "corpus", "check", out])


def formulas(rng: random.Random, folder: Path) -> Attack:
    """Fit what is no formula."""
    formula = rng.choice(FORMULAS) + rng.choice(["", "", " + )", "\x00", " | x", " ~ y", " + é"])
    return Attack(
        ["scandl-analysis", "fit", "--engine", "laplace", "--corpus", str(small_corpus(folder)), formula]
    )


def configurations(rng: random.Random, folder: Path) -> Attack:
    """Run a configuration of which a line cannot be."""
    path = folder / "run.toml"
    known = {"models": "['uniform']", "settings": "['ns']", "folds": "[0]", "resamples": "20"}
    wrong = rng.choice(SETTINGS)
    lines = [f"{name} = {value}" for name, value in known.items() if not wrong.startswith(name)]
    path.write_text("\n".join([*lines, wrong]) + "\n")
    call = ["scandl-eval", "run", "--corpus", str(small_corpus(folder)), "--config", str(path)]
    return Attack([*call, "--out", str(folder / "run")], ("run",), refused=True)


def weights(rng: random.Random, folder: Path) -> Attack:
    """Read with a model of which some bytes are others: it is refused, or they carried nothing."""
    from scandl.models.trained_model import shipped_file

    content = shipped_file("demo").read_bytes()
    path = folder / "model.npz"
    path.write_bytes(damaged(rng, content))
    out = str(folder / "paths.csv")
    call = ["scandl", "generate", "--model", str(path), "--text", TEXT, "--out", out]
    return Attack(call, ("paths.csv",), refused=path.read_bytes() != content)


def run_folders(rng: random.Random, folder: Path) -> Attack:
    """Change a file of the run that ships; ``verify`` has to see it."""
    import scandl_analysis

    run = folder / "run"
    shutil.copytree(Path(str(scandl_analysis.__file__)).parent / "demo_run", run)
    path = rng.choice([path for path in sorted(run.rglob("*")) if path.is_file()])
    before = path.read_bytes()
    path.write_bytes(damaged(rng, before))
    return Attack(["scandl-eval", "verify", str(run)], refused=path.read_bytes() != before)


def outputs(rng: random.Random, folder: Path) -> Attack:
    """Write to where nothing can be written, or over an input."""
    (folder / "preds.csv").write_text(as_csv([row.cells() for row in rows(rng)]))
    place = rng.choice([*PLACES, str(folder / "preds.csv")])
    flag = rng.choice(["--json", "--scores", "--report"])
    return Attack(["scandl-eval", "nld", "--pred", str(folder / "preds.csv"), flag, place], ("x.nothing",))


def arguments(rng: random.Random, folder: Path) -> Attack:
    """Call commands with what they do not know."""
    words = [
        "--text",
        "--model",
        "uniform",
        "--samples",
        "-1",
        "--seed",
        "1e3",
        "--readers",
        "x",
        "--",
        "\x00",
        "",
    ]
    words += [
        "".join(rng.choices(string.printable, k=5)),
        "--out",
        "nothing",
        "--steps",
        "0",
    ]
    room = rng.choice(["scandl", "scandl-eval", "scandl-analysis"])
    command = rng.choice(
        ["generate", "nld", "fit", "models", "split", "measures", "baseline", "report", "compare"]
    )
    return Attack([room, command, *rng.sample(words, rng.randrange(5))], refused=True)


SHELLS = ("{call} >&-", "{call} <&-", "{call} 2>&-", "{call} | head -c 1", "MPLBACKEND=nosuch {call}")
SHELLS += ("LC_ALL=C PYTHONIOENCODING=ascii {call}", "COLUMNS=1 {call}", "env -u HOME -u PATH {call}")
SHELLS += ("TMPDIR=/nowhere {call}", "SCANDL_CACHE=/dev/null {call}", "SCANDL_CORPORA=/dev/null:x {call}")


def environments(rng: random.Random, folder: Path) -> Attack:
    """Call from a shell whose streams are closed or whose variables are strange."""
    (folder / "preds.csv").write_text(as_csv([row.cells() for row in rows(rng)]))
    nld = ["scandl-eval", "nld", "--pred", str(folder / "preds.csv"), "--report", str(folder / "page.html")]
    reading = ["scandl", "generate", "--model", "uniform", "--text", TEXT, "--plot", str(folder / "path.png")]
    stream = ["scandl", "generate", "--model", "uniform", "--text-file", "-"]
    call = rng.choice([nld, reading, stream, ["scandl", "corpus", "list"]])
    end = " </dev/null" if call is stream else ""
    return Attack(call, ("page.html", "path.png"), shell=rng.choice(SHELLS) + end)


KINDS: tuple[Callable[[random.Random, Path], Attack], ...] = (
    *(equivalents, cells, structures, corpora, importers, formulas, configurations, weights, run_folders),
    *(outputs, arguments, environments),
)


def called_by_shell(attack: Attack) -> Outcome:
    """Call a command as another process."""
    call = shlex.join([sys.executable, "-m", attack.call[0].replace("-", "_"), *attack.call[1:], "--quiet"])
    line = attack.shell.format(call=call)
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr, done.stderr * ("Traceback" in done.stderr))


def called(call: list[str]) -> Outcome:
    """Call a command in this process."""
    printed, said = io.StringIO(), io.StringIO()
    main = import_module(f"{call[0].replace('-', '_')}.cli").main
    code: int | None = None
    raised = ""
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said), warnings.catch_warnings():
        warnings.simplefilter("always")
        try:
            code = main([*call[1:], "--quiet"] if "--" not in call else call[1:])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 2
        except Exception:  # whatever it is, it is the fault that is looked for
            raised = traceback.format_exc()
    return Outcome(code, printed.getvalue(), said.getvalue(), raised)


def fingerprints(folder: Path) -> dict[Path, str]:
    """Return a digest of every file."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def judged(attack: Attack, folder: Path) -> Outcome:
    """Call, and say what is wrong with what happened."""
    before = fingerprints(folder)
    found = called_by_shell(attack) if attack.shell else called(attack.call)
    after = fingerprints(folder)
    errors = [line for line in found.said.splitlines() if not line.startswith(("warning:", "note:"))]
    wrong = {
        found.raised: bool(found.raised),
        f"exit code {found.code}": not found.raised and found.code not in (0, 1, 2),
        f"{len(errors)} lines for exit code 2": found.code == 2
        and len(errors) != 1
        and "2>&-" not in attack.shell,
        "an input was changed": any(after.get(path) != digest for path, digest in before.items()),
        "something half-written was left": any(
            path.name.startswith(".") for path in after.keys() - before.keys()
        ),
        "a fault was taken for good": attack.refused and found.code == 0,
    }
    found.faults = [fault for fault, is_so in wrong.items() if is_so]
    if attack.then and found.code == 0 and (code := called(attack.then).code) != 0:
        found.faults.append(f"exit code {code} of {attack.then}")
    if attack.expected is not None and not found.faults:
        found.faults += number_faults(attack, folder)
    return found


def number_faults(attack: Attack, folder: Path) -> Iterator[str]:
    """Yield a line if the mean of a result is not that of the independent definition."""
    result = folder / "out.json"
    if not result.exists():
        yield f"{attack.note}: no result"
        return
    means = {row["model"]: row["mean"] for row in json.loads(result.read_text())["rows"]}
    if abs(means.get("mine", -1) - attack.expected) > 1e-9:  # type: ignore[operator]
        yield f"{attack.note}: found NLD {means.get('mine')}, expected {attack.expected}"


def attacked(seed: int, number: int) -> tuple[Attack, Outcome]:
    """Make attack ``number`` of a seed, and judge it."""
    rng = random.Random(f"{seed} {number}")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name, contextlib.chdir(name):
        attack = KINDS[number % len(KINDS)](rng, Path(name))
        return attack, judged(attack, Path(name))


def main(argv: list[str] | None = None) -> int:
    """Attack, print the faults, and return 1 if there are any."""
    parser = argparse.ArgumentParser(
        description="Attack the commands, and look for tracebacks and wrong numbers."
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--attacks", type=int, default=500, metavar="N")
    parser.add_argument("--only", type=int, metavar="N", help="repeat this attack")
    args = parser.parse_args(argv)
    n_faults = 0
    for number in range(args.attacks) if args.only is None else [args.only]:
        attack, found = attacked(args.seed, number)
        for fault in found.faults:
            n_faults += 1
            kind = KINDS[number % len(KINDS)].__name__
            print(f"attack {number} ({kind}): {attack.call}\n{fault}\n{found.said[:600]}", flush=True)
    print(f"{args.attacks if args.only is None else 1} attacks, {n_faults} faults")
    return int(n_faults > 0)


if __name__ == "__main__":
    sys.exit(main())
