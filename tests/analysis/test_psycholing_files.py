"""Where an analysis is kept, and when it stays as it is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scandl.errors import ConfigError
from scandl_analysis.psycholing import Options
from scandl_analysis.psycholing_files import check_home, home_of
from scandl_analysis.run_folder import demo_run, open_run


def test_home_is_the_folder_of_the_run_unless_it_is_a_quick_look() -> None:
    demo = open_run(demo_run(), "nrns")
    mine = replace(demo, folder=Path("runs/mine"), setting="ns")
    assert home_of(mine, Options()) == Path("runs/mine/psycholing/ns")
    assert home_of(demo, Options()) == Path("psycholing-demo")
    assert home_of(replace(mine, folder=None), Options()) is None
    assert [home_of(mine, Options(engine=name)) for name in ("laplace", "mle", "mle-robust")] == [None] * 3


def test_an_analysis_made_otherwise_is_not_replaced(tmp_path: Path) -> None:
    def kept(analysis: object) -> None:
        (tmp_path / "effects.csv.json").write_text(json.dumps({"settings": {"analysis": analysis}}))

    check_home(tmp_path / "nothing here", Options())
    kept({"engine": "nuts", "drop": "()"})
    check_home(tmp_path, Options())
    with pytest.raises(ConfigError, match="holds an analysis with engine nuts, not imh: name another folder"):
        check_home(tmp_path, Options(engine="imh"))
    with pytest.raises(ConfigError, match=r"with drop \(\), not \('first',\)"):
        check_home(tmp_path, Options(drop=("first",)))
    kept(["not", "ours"])
    check_home(tmp_path, Options(engine="imh"))
