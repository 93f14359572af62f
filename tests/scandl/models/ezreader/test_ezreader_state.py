"""The state of E-Z Reader: the records hold every field that the compiled loop is told of."""

from __future__ import annotations

from scandl.models.cognitive.simulator import Batch, Word
from scandl.models.cognitive.word_inputs import Stimulus
from scandl.models.ezreader.ezreader_state import Mind, ReadWord, new_mind, new_words

STIMULI = (
    Stimulus("s1", lengths=(3, 5), frequencies=(10.0, 20.0), cloze=(0.0, 0.1)),
    Stimulus("s2", lengths=(4,), frequencies=(30.0,), cloze=(0.5,)),
)


def test_a_mind_has_the_fields_of_its_protocol() -> None:
    (mind,) = new_mind()
    assert set(mind.dtype.names) == set(Mind.__annotations__)


def test_every_word_of_a_batch_has_its_record() -> None:
    words = new_words(Batch.of_runs(STIMULI, runs=1, seed=1))
    assert words["length"].tolist() == [3, 5, 4]
    assert set(words.dtype.names) == {*Word.__annotations__, *ReadWord.__annotations__}
