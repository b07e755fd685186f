"""How well kinds fit each other and a theme, and who is met together."""

import pytest

from tests.rules.parts.preparation.suggesting import COMPANIES, KINDS, TASTE, kind
from turnwright.rules.parts.preparation.affinity import CreaturePool, SuggestionTheme
from turnwright.rules.system_data.preparation import Company

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


def test_a_company_is_named_only_with_the_kind_in_its_name():
    kinds = (kind("river-drake", "3", "dragon"), kind("kobold", "1/8", "humanoid"), kind("rat", "0", "beast"))
    warren = Company("warren", "Kobolds and their dragon", ("river-drake", "kobold", "rat"))
    pool = CreaturePool(kinds, (warren,), TASTE)
    drake, kobold, rat = (pool.numbers[each.id] for each in kinds)
    assert pool.company([drake, kobold]) == warren
    assert pool.company([kobold, rat]) is None
    assert pool.company([drake, rat]) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (kind("one", "1", "celestial"), kind("other", "1", "fiend")),
        (kind("one", "1", "giant", alignment="lawful good"), kind("other", "1", "giant", alignment="neutral evil")),
        (kind("one", "1", "dragon", tags=("holy",)), kind("other", "1", "dragon", tags=("unholy",))),
        (kind("one", "1", "fiend", tags=("Demon",)), kind("other", "1", "fiend", tags=("Devil",))),
        (kind("gold-wyrm", "1", "dragon"), kind("cultist", "1", "humanoid")),
    ],
)
def test_good_and_evil_do_not_fight_side_by_side(one, other):
    pool = CreaturePool((one, other, kind("ogre", "1", "giant")), (), TASTE)
    numbers = [pool.numbers[each.id] for each in (one, other)]
    assert pool.fit(*numbers) < -100
    assert all(pool.fit(number, pool.numbers["ogre"]) > -100 for number in numbers)
