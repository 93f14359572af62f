"""What the pages take from the code, so that it cannot go stale: options, metrics, the project's own files.

MkDocs calls ``on_files`` and ``on_page_markdown``. A page asks with a line of its own, for example
``<!-- options of scandl split -->``.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

    from scandl.cli.commandline import Parser

ROOT = Path(__file__).parents[2]
PROJECT_PAGES = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
ROOMS = {"scandl": "scandl", "scandl-eval": "scandl_eval", "scandl-analysis": "scandl_analysis"}
_ASKED = re.compile(r"^<!-- (options|metrics|terms|commands)(?: of (.+?))? -->$", flags=re.MULTILINE)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the project's own files as pages."""
    from mkdocs.structure.files import File

    for page in PROJECT_PAGES:
        files.append(File.generated(config, page, content=project_page(page)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put in what the page asks for."""
    return filled(markdown)


def project_page(page: str) -> str:
    """Return a file of the project with its links as seen from the pages.

    >>> project_page("changelog.md").splitlines()[0]
    '# Changelog'
    """
    return (ROOT / PROJECT_PAGES[page]).read_text(encoding="utf-8").replace("](docs/", "](")


def filled(markdown: str) -> str:
    """Replace every line that asks for something."""
    makers: dict[str, Callable[[str], str]] = {
        "options": options,
        "metrics": metrics,
        "terms": terms,
        "commands": commands,
    }
    return _ASKED.sub(lambda asked: makers[asked[1]](asked[2] or ""), markdown)


def commands(room: str) -> str:
    """Return the subcommands of a command with their pages and what they are for."""
    parser = _root(room)
    lines = [f"- [`{room} {name}`]({room}-{name}.md): {about}" for name, about, _ in subcommands(parser)]
    return "\n".join(lines)


def options(command: str) -> str:
    """Return the usage and options of a command such as ``scandl corpus``, and of what stands below it."""
    if not command:
        return shared_options()
    room, *names = command.split()
    parser = _root(room)
    for name in names:
        parser = next(own for known, _, own in subcommands(parser) if known == name)
    found = list(_below(parser))
    if len(found) == 1:
        return f"## Options\n\n{_about(parser)}"
    return "## Options\n\n" + "\n\n".join(f"### `{each.prog}`\n\n{_about(each)}" for each in found)


def shared_options() -> str:
    """Return the options that several commands have, with the arguments and defaults that Python has too."""
    from scandl.options import OPTIONS

    rows = ["| flag | in Python | default | what it is |", "|---|---|---|---|"]
    for option in sorted(OPTIONS.values(), key=lambda option: option.name):
        default = f"`{option.default}`" if option.default else ""
        rows.append(f"| `{option.flag}` | `{option.name}` | {default} | {_cell(option.about)} |")
    return "\n".join(rows)


def subcommands(parser: Parser) -> list[tuple[str, str, Parser]]:
    """Return name, purpose and parser of each subcommand."""
    found = []
    for action in parser.filled()._actions:
        if isinstance(action, argparse._SubParsersAction):
            about = {choice.dest: choice.help or "" for choice in action._choices_actions}
            found += [(name, about[name], own) for name, own in action.choices.items()]
    return found


def metrics(_: str = "") -> str:
    """Return every metric of the catalogue: name, what is better, version, one line, the row of people."""
    from scandl.measures.catalogue import METRICS

    rows = ["| metric | better | version | what it is | people |", "|---|---|---|---|---|"]
    for m in METRICS.values():
        better = m.better.removesuffix(" is better").removesuffix(" the better").lower()
        rows.append(f"| `{m.name}` | {better} | {m.version} | {_cell(m.about)} | {_cell(m.human)} |")
    return "\n".join(rows)


def terms(_: str = "") -> str:
    """Return the definitions that the reports print."""
    from scandl_eval.reporting.terms import board_terms

    rows = [f"| {_cell(term.name)} | {_cell(term.definition)} |" for term in board_terms()]
    return "\n".join(["| column | definition |", "|---|---|", *rows])


def _root(room: str) -> Parser:
    from importlib import import_module

    return import_module(f"{ROOMS[room]}.cli").parser()


def _below(parser: Parser) -> Iterator[Parser]:
    """Yield the parsers that do something: itself, or those of its subcommands."""
    found = subcommands(parser)
    if not found:
        yield parser
    for _, _, own in found:
        yield from _below(own)


def _about(parser: argparse.ArgumentParser) -> str:
    rows = ["| option | meaning |", "|---|---|"]
    for action in parser._actions:
        if action.dest not in ("help", "help_all"):
            rows.append(f"| `{_cell(_usage(action))}` | {_cell(_meaning(action, parser.prog))} |")
    return "\n\n".join(filter(None, [parser.description, "\n".join(rows)]))


def _usage(action: argparse.Action) -> str:
    """Return an option as one types it."""
    if action.nargs == 0:
        return ", ".join(action.option_strings)
    choices = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else None
    value = action.metavar or choices or action.dest.upper()
    shown = " ".join(value) if isinstance(value, tuple) else value
    shown += " …" if action.nargs == "+" else ""
    return f"{', '.join(action.option_strings)} {shown}".strip() if action.option_strings else shown


def _meaning(action: argparse.Action, prog: str) -> str:
    text = (action.help or "") % {**vars(action), "prog": prog}
    return f"{text} (needed)" if action.required and action.option_strings else text


def _cell(text: str) -> str:
    r"""Return a text that stays in its cell of a Markdown table.

    >>> print(_cell("|i−j| < 3"))
    \|i−j\| &lt; 3
    """
    return text.replace("<", "&lt;").replace("|", "\\|")
