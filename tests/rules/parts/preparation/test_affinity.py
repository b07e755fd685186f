"""How well kinds fit each other and a theme, and who is met together."""

import pytest

from tests.rules.parts.preparation.suggesting import COMPANIES, KINDS, TASTE
from turnwright.rules.parts.preparation.affinity import CreaturePool, SuggestionTheme

BESTIARY = CreaturePool(reversed(KINDS), COMPANIES, TASTE)


def fit(one: str, other: str) -> float:
    return BESTIARY.fit(BESTIARY.numbers[one], BESTIARY.numbers[other])


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (("goblin", "hobgoblin"), ("goblin", "zombie")),
        (("goblin", "goblin-archer"), ("goblin", "ogre")),
        (("goblin", "wolf"), ("zombie", "wolf")),
        (("ghoul", "ghast"), ("ghoul", "wight")),
        (("ogre", "goblin-archer"), ("ogre", "ghast")),
        (("wolf", "ogre"), ("wolf", "shark")),
    ],
)
def test_company_kin_type_and_habitat_bring_kinds_together(better, worse):
    assert fit(*better) > fit(*worse)
    assert fit(*better) == fit(*reversed(better))


@pytest.mark.parametrize(
    ("theme", "found"),
    [
        (SuggestionTheme(("undead",)), {"ghoul", "ghast", "zombie", "wight"}),
        (SuggestionTheme(("goblin",)), {"goblin", "goblin-archer", "hobgoblin"}),
        (SuggestionTheme((), ("hills",)), {"goblin", "hobgoblin", "wolf", "ogre"}),
        (SuggestionTheme(("beast", "giant"), ("hills",)), {"wolf", "ogre"}),
        (SuggestionTheme(("gob",)), set()),
    ],
)
def test_a_theme_finds_types_tags_names_and_habitats(theme, found):
    says = (each.id for each in BESTIARY.candidates if theme.says(each.words, each.environments))
    assert {*says} == found


def test_a_theme_excludes_words_and_habitats():
    theme = SuggestionTheme(excluded=("undead", "water"))
    left_out = {each.id for each in BESTIARY.candidates if theme.excludes(each.words, each.environments)}
    assert left_out == {"ghoul", "ghast", "zombie", "wight", "shark"}


def test_a_company_has_all_kinds():
    numbers = BESTIARY.numbers
    assert BESTIARY.company([numbers["goblin"], numbers["wolf"]]) == COMPANIES[0]
    assert BESTIARY.company([numbers["ghoul"]], ("tomb",)) == COMPANIES[1]
    assert BESTIARY.company([numbers["goblin"], numbers["ghoul"]]) is None
