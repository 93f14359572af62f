"""Expected readings: cut into displays, with expected durations, the same in any company."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.measures.word_measures import timed_measures
from scandl.models.catalogue import open_model
from scandl.models.expected_reading import displays, expected_readings, ready, usual_task
from scandl.models.model import Request
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.trained_model import TrainedModel
from scandl.records import Sentence

TEXT = "The committee had postponed its decision until the following Thursday. Nobody knew why."


@pytest.mark.parametrize("n_words", [1, 59, 60, 61, 119, 121, 500])
@pytest.mark.parametrize("every", [7, 45, 1000])
def test_displays_hold_every_word_once_and_are_as_few_as_can_be(n_words: int, every: int) -> None:
    words = ["end." if k % every == every - 1 else "word" for k in range(n_words)]
    found = displays(words)
    assert [k for part in found for k in part] == list(range(n_words))
    assert max(map(len, found)) <= 60
    assert len(found) == -(-n_words // 60)


def test_expected_durations_are_the_mean_of_drawn_ones() -> None:
    people = open_model("people")
    assert isinstance(people, TrainedModel)
    network = people.network
    assert isinstance(network, PointerModel)
    requests = [Request(Sentence("s", TEXT), "sim1", k, group="L1", task="sentence") for k in range(900)]
    (path,) = people.expecting().read(requests[:1], seed=3)
    assert people.read(requests[:1], seed=3)[0].positions == path.positions
    drawn = np.array(network._durations(requests, [path.positions] * 900, 3))
    error = drawn.std(axis=0) / np.sqrt(len(drawn))
    assert np.all(np.abs(drawn.mean(axis=0) - path.durations) < 4.5 * error + 0.5)


def test_they_are_what_the_measures_say_of_the_paths() -> None:
    model = ready(open_model("people"), "small")
    text = Sentence("s", TEXT)
    (found,) = expected_readings(model, [text], readers=3, samples=2, task="sentence", seed=1)
    assert found.total.shape == (3, 2, text.n_words)
    one = Sentence("s.0", TEXT)
    (path,) = model.read([Request(one, "sim2", 1, task="sentence")], seed=1)
    own = timed_measures(path.positions, path.durations, text.n_words)
    first_pass = [ms or 0.0 for ms in own["FPRT"]]
    assert found.first_pass[1, 1].tolist() == first_pass
    assert found.total[1, 1].sum() == sum(path.durations or ())
    assert (found.first_pass <= found.total).all()


def test_a_text_is_read_the_same_in_any_company() -> None:
    model = ready(open_model("people"), "small")
    texts = [Sentence(f"s{k}", TEXT if k == 1 else f"Word {k} {'and more ' * 40}end.") for k in range(3)]
    together = list(expected_readings(model, texts, readers=2))
    (alone,) = expected_readings(model, texts[1:2], readers=2)
    assert np.array_equal(together[1].total, alone.total)
    assert together[0].total.shape == (2, 1, 83)


def test_versions_of_an_item_share_their_random_numbers() -> None:
    model = ready(open_model("people"), "none")
    texts = [Sentence("a", TEXT, "item"), Sentence("b", TEXT, "item"), Sentence("c", TEXT)]
    first, second, other = expected_readings(model, texts, readers=4)
    assert np.array_equal(first.total, second.total)
    assert not np.array_equal(first.total, other.total)


def test_most_texts_decide_the_task_of_all() -> None:
    long = Sentence("p", ("It is a long text. " * 10).strip())
    assert usual_task([long, long, Sentence("s", TEXT)]) == "paragraph"


def test_what_cannot_be_read_is_one_line() -> None:
    with pytest.raises(ScandlError, match="model 'uniform' has no fixation durations"):
        list(expected_readings(open_model("uniform"), [Sentence("s", TEXT)], readers=1))
    with pytest.raises(ScandlError, match="text 's' has no words"):
        list(expected_readings(open_model("people"), [Sentence("s", "")], readers=1))
