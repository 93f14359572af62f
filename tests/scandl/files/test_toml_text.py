from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scandl.files.toml_text import toml_text

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_value = st.one_of(
    _text, st.integers(-(2**53), 2**53), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)
)
_table = st.dictionaries(_text, _value | st.lists(_text, max_size=3), max_size=4)


@given(table=_table, inner=st.dictionaries(_text, _table, max_size=3))
def test_what_is_written_is_read_back(table: dict[str, Any], inner: dict[str, Any]) -> None:
    whole = {key: value for key, value in table.items() if key not in inner} | inner
    assert tomllib.loads(toml_text(whole)) == whole
