"""Optional packages: what is absent is named with what brings it; what breaks inside is not hidden."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.extras import need


def test_a_package_that_is_there() -> None:
    import json.decoder

    assert need("json.decoder", "model") is json.decoder


def test_a_package_that_is_absent() -> None:
    with pytest.raises(ScandlError, match="this needs no_such_package, which is not installed"):
        need("no_such_package.part", "model")


def test_a_package_that_lacks_another_is_not_called_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_package.py").write_text("import no_such_dependency")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_dependency"):
        need("broken_package", "model")
    sys.modules.pop("broken_package", None)
