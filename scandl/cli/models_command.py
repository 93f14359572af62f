"""``scandl models``: the trained models that ship with the package."""

from __future__ import annotations

import argparse
import json
import textwrap
from dataclasses import asdict

from scandl.cli.commandline import Parser, add_common
from scandl.models.trained_model import card_rows, model_card, shipped_models


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "List the trained models that ship with the package, or show the card of one: what it was"
        " trained on, under which licence, what to cite, what it is good for and where it fails."
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    listed = actions.add_parser("list", help="one line per model")
    add_common(listed)
    listed.set_defaults(run=list_models)
    shown = actions.add_parser("show", help="all that is known of a model")
    shown.add_argument("name", metavar="NAME", help="as scandl models list has it")
    shown.add_argument("--json", action="store_true", help="print the card as JSON")
    add_common(shown)
    shown.set_defaults(run=show_model)


def list_models(args: argparse.Namespace) -> None:
    """Print name, size, readers, groups and whether there are durations."""
    cards = [model_card(name) for name in shipped_models()]
    width = max(len(card.name) for card in cards)
    for n, card in enumerate(cards):
        facts = [
            f"{card.bytes / 1e6:.1f} MB",
            f"{card.readers} {card.kind} readers",
            *([f"groups {', '.join(card.groups)}"] if card.groups else []),
            "with durations" if card.durations else "no durations",
        ]
        default = " (default)" if n == 0 and not args.quiet else ""
        print(f"{card.name.ljust(width)}  {'; '.join(facts)}{default}")


def show_model(args: argparse.Namespace) -> None:
    """Print the card."""
    card = model_card(args.name)
    if args.json:
        print(json.dumps(asdict(card), indent=2, ensure_ascii=False))
        return
    rows = card_rows(card)
    width = max(len(what) for what, _ in rows) + 2
    before = ""
    for what, value in rows:
        label = "" if what == before else what
        before = what
        print(textwrap.fill(value, 100, initial_indent=label.ljust(width), subsequent_indent=" " * width))
