"""How the project is described: README and pages are short, plain and complete."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SUPPORT.md", "CODE_OF_CONDUCT.md")
] + sorted((ROOT / "docs").rglob("*.md"))
MOST_WORDS = {
    "README.md": 1_000,
    "docs/results.md": 2_650,
    "docs/glm-internals.md": 1_220,
    "docs/cognitive-models.md": 2_750,
}
MOST_WORDS_OF_ALL_PAGES = 41_620
LONGEST_SENTENCE = 29  # words, in the README
BANNED = {
    "told": "say 'gets', 'knows' or 'distinguished'",
    "separably": "say 'clearly'",
    "separable": "say 'distinguished'",
    "theirs": "say whose",
    "less the nearest": "say 'more than the nearest'",
    "the own": "say whose",
    "(paths?|fixations?|samples?|scanpaths?|numbers?) a (sentence|text|reader|word|fold)": "say 'per'",
}


def prose(page: str) -> str:
    """Return what is written in sentences: no code, no tables, no headings, no addresses.

    >>> prose("# T\\n\\nA `b` [c](d.md).\\n\\n| x |\\n")
    'A  c.'
    """
    page = re.sub(r"```.*?```|<!--.*?-->", "", page, flags=re.DOTALL)
    lines = [line for line in page.splitlines() if not line.lstrip().startswith(("#", "|", "!["))]
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "", "\n".join(lines))).strip()


def sentences(page: str) -> list[str]:
    """Return the sentences of a page; an item of a list begins one.

    >>> sentences("One is SWIFT 3. Two (e.g. *this*): three.\\n\\n- Four\\n- five")
    ['One is SWIFT 3.', 'Two (e.g. *this*): three.', 'Four', 'five']
    """
    blocks = re.split(r"\n\s*\n|^\s*(?:-|\d+\.)\s", prose(page), flags=re.MULTILINE)
    found = [
        s for block in blocks for s in re.split(r"(?<=[.!?:])\W*\s+(?=\W*[A-Z])", " ".join(block.split()))
    ]
    return [sentence for sentence in found if sentence]


def test_a_page_is_divided_into_its_sentences() -> None:
    assert prose("# T\n\nA `b` [c](d.md).\n\n| x |\n\n```\ntold\n```") == "A  c."
    assert sentences("One is SWIFT 3. Two of\nthem.\n\n- Four\n- five") == [
        "One is SWIFT 3.",
        "Two of them.",
        "Four",
        "five",
    ]


@pytest.mark.parametrize("page", MOST_WORDS)
def test_a_page_is_short(page: str) -> None:
    assert len((ROOT / page).read_text(encoding="utf-8").split()) <= MOST_WORDS[page]


def test_all_pages_together_are_short() -> None:
    pages = (ROOT / "docs").rglob("*.md")
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in pages) <= MOST_WORDS_OF_ALL_PAGES


def test_every_sentence_of_the_readme_is_short() -> None:
    readme = sentences((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(readme) > 40
    assert [each for each in readme if len(each.split()) > LONGEST_SENTENCE] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_page_has_a_banned_word(page: Path) -> None:
    text = " ".join(prose(page.read_text(encoding="utf-8")).split())
    found = {word: say for word, say in BANNED.items() if re.search(rf"\b{word}\b", text, re.IGNORECASE)}
    assert found == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_files_of_the_project_exist(page: Path) -> None:
    named = re.findall(r"(?<![\w/.])((?:tests|benchmarks)/[\w/]+\.py)", page.read_text(encoding="utf-8"))
    assert [name for name in named if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("package", ["scandl", "scandl_eval", "scandl_analysis"])
def test_front_doors_document_parameters_and_result(package: str) -> None:
    door = import_module(package)
    for name in door.__all__:
        function = getattr(door, name)
        if not inspect.isfunction(function):
            continue
        said = inspect.getdoc(function) or ""
        said = said.replace("\nYields\n------\n", "\nReturns\n-------\n")
        assert "\nReturns\n-------\n" in said, name
        documented = said.split("\nParameters\n----------\n")[1].split("\nReturns\n")[0]
        heads = re.findall(r"^(\w.*)$", documented, flags=re.MULTILINE)
        assert [each for head in heads for each in head.split(", ")] != [], name
        assert {each for head in heads for each in head.split(", ")} == set(
            inspect.signature(function).parameters
        ), name
