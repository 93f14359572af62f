"""The recipe of the demonstration model: where its file is, and what it says of itself."""

from __future__ import annotations

from scandl.models.diffusion.make_shipped import ABOUT, FILE, demonstration_config
from scandl.models.diffusion.trained_models import demonstration_model


def test_the_recipe_writes_the_file_that_ships() -> None:
    assert FILE.is_file()
    assert FILE.parent.name == "shipped"


def test_the_model_that_ships_is_that_of_the_recipe() -> None:
    model = demonstration_model()
    assert model.config == demonstration_config()
    assert model.about == ABOUT
