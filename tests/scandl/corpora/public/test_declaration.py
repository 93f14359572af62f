from __future__ import annotations

import pytest

from scandl.corpora.public.declaration import (
    Download,
    declared,
    editions_of,
    public_corpora,
    read_declaration,
)
from scandl.errors import ConfigError, ScandlError

MINIMAL = 'title = "T"\nobtain = "o"\n'


@pytest.mark.parametrize("name", public_corpora())
def test_every_corpus_says_its_licence_and_how_to_cite_it(name: str) -> None:
    found = read_declaration(name)
    assert found.card.name == name
    assert found.card.licence
    assert found.card.citation
    assert found.card.language
    assert found.card.bibtex.count("{") == found.card.bibtex.count("}") > 0
    for download in found.downloads:
        assert bool(download.pymovements) != bool(download.url and download.file)


def test_what_pymovements_is_asked_for_it_has() -> None:
    pymovements = pytest.importorskip("pymovements")
    for name in public_corpora():
        for download in read_declaration(name).downloads:
            if download.pymovements:
                resources = pymovements.DatasetLibrary.get(download.pymovements).resources
                assert set(download.contents) <= {resource.content for resource in resources}


def test_numbers_of_an_address_are_counted() -> None:
    download = Download(url="u/{a:02}/{b}", file="{a}-{b}", each={"a": 2, "b": 2})
    assert [file for _, file in download.addresses()] == ["1-1", "1-2", "2-1", "2-2"]
    assert Download(url="u", file="f").addresses() == [("u", "f")]


def test_slips_are_named() -> None:
    with pytest.raises(ScandlError, match="no public corpus 'prvo'; did you mean 'provo'"):
        read_declaration("prvo")
    with pytest.raises(ConfigError, match="declaration of 'x': unknown setting 'fixation'; did you mean"):
        declared(MINIMAL + '[fixation]\nfiles = "f"\n', "x")
    with pytest.raises(ConfigError, match=r"setting 'fixations\.columns\.word': found 3, expected str"):
        declared(MINIMAL + '[fixations]\nfiles = "f"\ncolumns = { word = 3 }\n', "x")
    with pytest.raises(ConfigError, match="declaration of 'x': .*missing 1 required.*'fixations'"):
        declared(MINIMAL, "x")


@pytest.mark.parametrize("name", public_corpora())
def test_every_edition_changes_something(name: str) -> None:
    for edition in editions_of(name):
        assert read_declaration(name, [edition]) != read_declaration(name)
