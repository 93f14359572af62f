"""Print how large the house is, and how far its commands go: ``python tests/measure_house.py [--visits]``.

A module is a Python file of a package or a script that holds code; a file with a docstring alone only makes
a folder a package. Lines are all lines. An import inside a function is one that runs when it is called.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PACKAGES = ("scandl", "benchmarks/scandl_eval", "analysis/scandl_analysis", "reports/scandl_reports")
FEW = ("--corpus", "demo", "--settings", "nrns", "--models", "uniform,markov-text", "--resamples", "20")
VISITS = {  # command -> its call, with {folder} for a new folder; pilot and psycholing: test_modules_visited.py
    "generate": ("scandl", "generate", "--text", "The old man the boats.", "--out", "{folder}/paths.csv"),
    "train": (
        *("scandl", "train", "--corpus", "demo", "--setting", "ns", "--fold", "0", "--preset", "small"),
        *("--set", "training.steps=3", "--out", "{folder}/trained"),
    ),
    "run": ("scandl_eval", "run", *FEW, "--folds", "0", "--out", "{folder}/run"),
}


def sources(root: Path = ROOT) -> Iterator[tuple[Path, str, ast.Module]]:
    """Yield every module with its text and its syntax."""
    for top in ("scandl", "benchmarks", "analysis", "reports"):
        for path in sorted((root / top).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
            if any(not isinstance(node, ast.Expr) for node in tree.body):
                yield path, text, tree


def inner_imports(tree: ast.Module) -> int:
    """Return how many imports stand inside functions."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return len(
        {
            node
            for each in functions
            for node in ast.walk(each)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
    )


def measured(root: Path = ROOT) -> dict[str, int]:
    """Return the numbers by name."""
    found: Counter[str] = Counter()
    classes: Counter[str] = Counter()
    for path, text, tree in sources(root):
        packaged = any(path.is_relative_to(root / package) for package in PACKAGES)
        found["modules of the packages" if packaged else "scripts beside the packages"] += 1
        found["lines of the packages" if packaged else "lines of the scripts"] += text.count("\n")
        found["imports inside functions"] += inner_imports(tree)
        found["formatter switched off"] += text.count("fmt: skip") + text.count("fmt: off")
        names = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
        classes.update(name for name in names if packaged and not name.startswith("_"))
    found["class names twice"] = sum(n > 1 for n in classes.values())
    return dict(found)


def visits() -> dict[str, int]:
    """Return in how many modules commands do work."""
    script = ROOT / "tests" / "end_to_end" / "modules_visited.py"
    found = {}
    for name, call in VISITS.items():
        with TemporaryDirectory() as folder:
            arguments = [each.format(folder=folder) for each in call]
            done = subprocess.run(
                [sys.executable, script, *arguments], capture_output=True, text=True, check=True
            )
        found[f"modules visited by {name}"] = len(done.stdout.split())
    return found


if __name__ == "__main__":
    for name, number in (measured() | (visits() if "--visits" in sys.argv else {})).items():
        print(f"{name:<32}{number:>8,}")
