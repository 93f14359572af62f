"""The pages: all in the navigation, no link that leads nowhere, every command and metric described."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from scandl.measures.catalogue import METRICS
from scandl.options import OPTIONS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def from_code() -> ModuleType:
    """The hook that MkDocs calls."""
    spec = spec_from_file_location("from_code", ROOT / SITE["hooks"][0])
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["from_code"] = module
    spec.loader.exec_module(module)
    return module


PLAYGROUND = "playground/index.html"
NOTEBOOKS = [f"notebooks/{path.stem}.md" for path in sorted((DOCS / "notebooks").glob("*.ipynb"))]
"""The pages that MkDocs makes of notebooks."""


def listed(nav: object) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    return [page for each in (nav.values() if isinstance(nav, dict) else nav) for page in listed(each)]


def slug(heading: str) -> str:
    """Return the anchor that Python-Markdown gives a heading of plain words."""
    words = re.sub(r"[^\w\s-]", "", heading).strip().lower()
    return re.sub(r"[-\s]+", "-", words)


def test_every_page_is_in_the_navigation_once(from_code: ModuleType) -> None:
    pages = [str(page.relative_to(DOCS)) for page in PAGES]
    assert sorted(listed(SITE["nav"])) == sorted([*pages, *NOTEBOOKS, *from_code.PROJECT_PAGES, PLAYGROUND])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path, from_code: ModuleType) -> None:
    for link in re.findall(r"\]\(((?!https?:)[^)]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = link.partition("#")
        if name.startswith("gallery/"):  # written by a command of the page
            assert re.search(
                rf"--(plot|animate) {name.removeprefix('gallery/')}$", page.read_text(), re.MULTILINE
            )
            continue
        target = page.parent / name if name else page
        if target.parent == DOCS and target.name in from_code.PROJECT_PAGES:
            continue
        if target.suffix == ".md" and target.resolve().parent.name == "notebooks":
            target = target.with_suffix(".ipynb")
        assert target.is_file(), f"{page.name}: {link}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert anchor in map(slug, headings), f"{page.name}: {link}"


def test_nothing_is_fetched_from_elsewhere() -> None:
    assert SITE["theme"]["font"] is False
    assert SITE["strict"] is True
    for page in PAGES:
        assert not re.search(
            r"!\[[^]]*\]\(http|<(script|img|link|iframe)\b", page.read_text(encoding="utf-8")
        )


@pytest.mark.parametrize("room", ["scandl", "scandl-eval", "scandl-analysis"])
def test_every_command_has_a_page_with_its_options(room: str, from_code: ModuleType) -> None:
    for name, about, parser in from_code.subcommands(from_code._root(room)):
        text = (DOCS / "commands" / f"{room}-{name}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {room} {name}\n")
        assert "\n## Writes\n" in text
        assert "\n## Errors\n" in text
        assert "\n```" in text.split("## Writes")[0], "an example"
        shown = from_code.filled(text)
        assert "<!--" not in shown
        for below in from_code._below(parser):
            for action in below._actions:
                for option in set(action.option_strings) - {"-h", "--help", "--help-all"}:
                    assert f"`{option}" in shown, option
        assert f"- [`{room} {name}`]({room}-{name}.md): {about}" in from_code.commands(room)


def test_every_metric_is_defined(from_code: ModuleType) -> None:
    text = (DOCS / "metrics.md").read_text(encoding="utf-8")
    shown = from_code.filled(text)
    for name in METRICS:
        assert f"| `{name}` | " in shown
        if not (METRICS[name].definition or name.startswith(("multimatch-", "duration-"))):  # kinds of those
            assert f"`{name}`" in text, f"{name} has no definition in words"
    for name in (
        "energy",
        "energy-yujian-bo",
        "diversity",
        "classifier-auc",
        "distribution-panel",
        "log-likelihood",
    ):
        assert f"`{name}`" in text


@pytest.mark.parametrize("package", ["scandl", "scandl_eval", "scandl_analysis"])
def test_every_public_name_is_in_the_reference(package: str) -> None:
    """A page names an object by the module it lives in, so the objects are compared."""
    text = (DOCS / "python" / f"{package}.md").read_text(encoding="utf-8")
    door = import_module(package)
    shown = [resolved(name) for name in re.findall(r"^::: (.+)$", text, flags=re.MULTILINE)]
    for name in door.__all__:
        told = f"`{package}.{name}`" in text
        assert told or any(getattr(door, name) is each for each in shown), name


@pytest.mark.parametrize(
    "package",
    ["scandl", "benchmarks/scandl_eval", "analysis/scandl_analysis"],
    ids=lambda path: Path(path).name,
)
def test_the_architecture_page_has_every_room(package: str) -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    own = text.split(f"### {Path(package).name}\n")[1].split("\n## ")[0].split("\n### ")[0]
    rooms = [folder.name for folder in (ROOT / package).iterdir() if (folder / "__init__.py").is_file()]
    for room in rooms:
        assert f"`{room}`" in own, room


def resolved(dotted: str) -> object:
    module, _, name = dotted.rpartition(".")
    return getattr(import_module(module), name)


def test_project_pages_link_inside_the_site(from_code: ModuleType) -> None:
    for page in from_code.PROJECT_PAGES:
        for link in re.findall(r"\]\(((?!https?:)[^)#]+)", from_code.project_page(page)):
            assert (DOCS / link).is_file(), link


def test_readme_and_site_agree_on_extras() -> None:
    import tomllib

    extras = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])
    named = set(re.findall(r"`(\w+)`", (DOCS / "install.md").read_text(encoding="utf-8").split("## ")[0]))
    assert extras - {"all", "test", "dev"} <= named


@pytest.mark.parametrize(
    "page",
    [*PAGES, *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"))],
    ids=lambda page: page.stem,
)
def test_no_line_is_longer_than_120_characters(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 120] == []


def test_the_table_of_options_has_each_with_its_default(from_code: ModuleType) -> None:
    shown = from_code.filled("<!-- options -->")
    assert "| `--samples` | `samples` | `1` |" in shown
    assert {f"`--{name.replace('_', '-')}`" for name in OPTIONS} <= set(shown.replace("|", " ").split())
