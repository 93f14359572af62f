"""Writing the flat TOML of our own small files; the standard library only reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def toml_text(table: Mapping[str, Any]) -> str:
    """Return TOML for strings, numbers, booleans, lists and tables of them.

    >>> print(toml_text({"name": "demo", "dropped": {"no word": 3}}), end="")
    name = "demo"
    <BLANKLINE>
    [dropped]
    "no word" = 3
    """
    own = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in own.items()]
    lines += _tables(table, "")
    return "\n".join(lines) + "\n"


def _tables(table: Mapping[str, Any], prefix: str) -> list[str]:
    lines: list[str] = []
    for key, value in table.items():
        if isinstance(value, Mapping):
            name = prefix + _key(key)
            lines += ["", f"[{name}]"]
            lines += [f"{_key(k)} = {_value(v)}" for k, v in value.items() if not isinstance(v, Mapping)]
            lines += _tables(value, name + ".")
    return lines


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _value(key)


def _value(value: Any) -> str:
    # JSON's strings, numbers, booleans and arrays are TOML's too, but for DEL, which TOML wants escaped.
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False).replace(
        "\x7f", "\\u007F"
    )
