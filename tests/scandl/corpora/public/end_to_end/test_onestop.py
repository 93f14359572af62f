from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora import read_corpus
from scandl.corpora.corpus import Corpus
from scandl.corpora.public.declaration import read_declaration
from scandl.corpora.public.importing import import_public
from scandl.errors import DataError, ScandlError
from scandl.records import Scanpath

Write = Callable[..., Path]
TRIAL = "participant_id article_batch article_id paragraph_id difficulty_level repeated_reading_trial practice_trial"
FIX = (
    f"{TRIAL} question_preview TRIAL_INDEX CURRENT_FIX_INDEX CURRENT_FIX_INTEREST_AREA_INDEX "
    "CURRENT_FIX_INTEREST_AREA_LABEL CURRENT_FIX_DURATION"
)
AREAS = f"{TRIAL} TRIAL_INDEX IA_ID IA_LABEL"
WORDS = ["Mr.", "Li", "left.", "He", "ran!"]


def import_onestop(fixations: Path, *_: Path, cut: bool = False, repeated: bool = False) -> Corpus:
    """Import the folder of files that were written."""
    editions = [*([] if cut else ["paragraphs"]), *(["repeated"] if repeated else [])]
    return import_public(read_declaration("onestop", editions), fixations.parent)


def trial(
    reader: str, paragraph: int = 1, repeated: bool = False, practice: bool = False
) -> tuple[object, ...]:
    return (reader, 2, 1, paragraph, "Ele", repeated, practice)


def areas(of: tuple[object, ...], base: int) -> list[tuple[object, ...]]:
    return [(*of, 7, n, word) for n, word in enumerate(WORDS, start=base)]


def fixations(of: tuple[object, ...], path: list[int | None]) -> list[tuple[object, ...]]:
    return [
        (*of, "True", 7, n, *((".", ".") if at is None else (at + 1, WORDS[at])), 100 + n)
        for n, at in enumerate(path, start=1)
    ]


def test_mixed_bases_strays_and_the_article_as_item(write: Write) -> None:
    one = trial("l1")
    corpus = import_onestop(
        write("fixations_Paragraph.csv", FIX, fixations(one, [0, None, 2, 4, 1])),
        write("ia_Paragraph.csv", AREAS, areas(one, base=0)),
    )
    assert corpus.scanpaths == (Scanpath("l1", "2_1_1_Ele", (0, 2, 4, 1), (101.0, 103.0, 104.0, 105.0)),)
    assert corpus.sentences["2_1_1_Ele"].item == "2_1"
    assert corpus.readers == {"l1": {"question_preview": "True"}}
    assert corpus.card.dropped == {"fixations outside every word": 1}


def test_paragraphs_are_cut_into_sentences_with_later_returns(write: Write) -> None:
    one, two = trial("l1"), trial("l2")
    corpus = import_onestop(
        write("fixations_Paragraph.csv", FIX, fixations(one, [0, 2, 4, 1]) + fixations(two, [0])),
        write("ia_Paragraph.csv", AREAS, areas(one, 1) + areas(two, 1)),
        cut=True,
    )
    assert {k: s.text for k, s in corpus.sentences.items()} == {
        "2_1_1_Ele_s0": "Mr. Li left.",
        "2_1_1_Ele_s1": "He ran!",
    }
    assert corpus.by_pair["l1", "2_1_1_Ele_s0"] == Scanpath(
        "l1", "2_1_1_Ele_s0", (0, 2, 1), (101.0, 102.0, 104.0)
    )
    assert corpus.by_pair["l1", "2_1_1_Ele_s1"].positions == (1,)
    assert corpus.card.dropped == {"sentences of a paragraph that its reader never fixated": 1}
    assert {s.item for s in corpus.sentences.values()} == {"2_1"}


def test_a_paragraph_read_twice_is_one_reading_at_a_time(write: Write) -> None:
    first, again, practice = trial("l1"), trial("l1", repeated=True), trial("l1", 3, practice=True)
    files = (
        write(
            "fixations_Paragraph.csv",
            FIX,
            fixations(first, [0, 1]) + fixations(again, [2]) + fixations(practice, [0, 0, 0]),
        ),
        write("ia_Paragraph.csv", AREAS, areas(first, 1) + areas(again, 1) + areas(practice, 1)),
    )
    corpus = import_onestop(*files)
    assert [path.positions for path in corpus.scanpaths] == [(0, 1)]
    assert corpus.card.dropped == {"fixations of practice trials": 3, "fixations of repeated readings": 1}
    assert [path.positions for path in import_onestop(*files, repeated=True).scanpaths] == [(2,)]


def test_texts_named_by_the_file_or_not_at_all(write: Write) -> None:
    short = (
        "participant_id unique_paragraph_id CURRENT_FIX_INTEREST_AREA_INDEX CURRENT_FIX_INTEREST_AREA_LABEL"
    )
    named = write(
        "ia_Paragraph.csv", "participant_id unique_paragraph_id IA_ID IA_LABEL", [("r", "p9", 0, "Yes.")]
    )
    corpus = import_onestop(write("fixations_Paragraph.csv", short, [("r", "p9", 1, "Yes.")]), named)
    assert corpus.scanpaths == (Scanpath("r", "p9", (0,)),)
    with pytest.raises(
        DataError, match=r"column 'unique_paragraph_id': found only the columns participant_id, x"
    ):
        import_onestop(
            write(
                "fixations_Paragraph.csv", short.replace("unique_paragraph_id", "x"), [("r", "p", 1, "Yes.")]
            ),
            named,
        )


def test_the_real_sample_survives_being_made_a_paragraph_again(
    shared: Callable[[str], Path], write: Write
) -> None:
    """Join the sample's sentences to paragraphs, import and cut them: nearly all come back."""
    corpus = read_corpus(shared("onestop-sample"))
    paragraphs: dict[str, list[str]] = {}
    for key in sorted(
        corpus.sentences, key=lambda name: (name.rsplit("_s", 1)[0], int(name.rsplit("_s", 1)[1]))
    ):
        paragraphs.setdefault(key.rsplit("_s", 1)[0], []).append(key)
    rows, listed = [], []
    for paragraph, keys in paragraphs.items():
        words = [word for key in keys for word in corpus.sentences[key].words]
        start = {key: sum(corpus.sentences[k].n_words for k in keys[:n]) for n, key in enumerate(keys)}
        listed += [(paragraph, n, word) for n, word in enumerate(words)]
        by_reader: dict[str, list[int]] = {}
        for path in corpus.scanpaths:
            if path.sentence_id in start:
                by_reader.setdefault(path.reader_id, []).extend(
                    w + start[path.sentence_id] for w in path.positions
                )
        rows += [
            (who, paragraph, n, w + 1, words[w])
            for who, path in by_reader.items()
            for n, w in enumerate(path)
        ]
    imported = import_onestop(
        write(
            "fixations_Paragraph.csv",
            "participant_id unique_paragraph_id CURRENT_FIX_INDEX CURRENT_FIX_INTEREST_AREA_INDEX "
            "CURRENT_FIX_INTEREST_AREA_LABEL",
            rows,
        ),
        write("ia_Paragraph.csv", "unique_paragraph_id IA_ID IA_LABEL", listed),
        cut=True,
    )
    ours = {sentence.text for sentence in imported.sentences.values()}
    theirs = {sentence.text for sentence in corpus.sentences.values()}
    assert len(ours & theirs) >= 0.95 * len(theirs)
    assert sum(p.n_fixations for p in imported.scanpaths) == sum(p.n_fixations for p in corpus.scanpaths)


def test_without_a_second_reading_there_is_nothing_to_import(write: Write) -> None:
    one = trial("l1")
    files = (
        write("fixations_Paragraph.csv", FIX, fixations(one, [0, 1])),
        write("ia_Paragraph.csv", AREAS, areas(one, 1)),
    )
    with pytest.raises(ScandlError, match=r"nothing is left to import \(2 fixations of first readings\)"):
        import_onestop(*files, repeated=True)


def test_truth_values_are_words_or_numbers_and_nothing_else(write: Write) -> None:
    first, again = ("l1", 2, 1, 1, "Ele", "0.0", "false"), ("l1", 2, 1, 1, "Ele", "1.0", "FALSE")
    listed = write("ia_Paragraph.csv", AREAS, areas(first, 1))
    both = write("fixations_Paragraph.csv", FIX, fixations(first, [0, 1]) + fixations(again, [2]))
    assert [path.positions for path in import_onestop(both, listed).scanpaths] == [(0, 1)]
    unsure = ("l1", 2, 1, 1, "Ele", "maybe", "False")
    with pytest.raises(DataError) as caught:
        import_onestop(
            write("fixations_Paragraph.csv", FIX, fixations(first, [0]) + fixations(unsure, [1])), listed
        )
    assert str(caught.value).endswith(
        "fixations_Paragraph.csv:3: column 'repeated_reading_trial': found 'maybe', expected True or False"
    )
