"""A small bestiary for tests of suggestions."""

from __future__ import annotations

import msgspec
import rtoml

from turnwright.rules.parts.preparation.affinity import Candidate, CreaturePool, SuggestTaste
from turnwright.rules.parts.preparation.creature_roles import Sketch
from turnwright.rules.parts.preparation.proposals import Challenge, Suggester
from turnwright.rules.system_data.preparation import BudgetFigures, Company
from turnwright.storage.resources import read_text
from turnwright.storage.system_data import read_system_data

TASTE = msgspec.convert(rtoml.loads(read_text("suggest.toml")), SuggestTaste)
COMPANIES = (
    Company("raiders", "Goblin raiders", ("hobgoblin", "goblin", "wolf"), ("forest", "hills"), ("goblin",)),
    Company("graves", "Ghouls at the graves", ("ghast", "ghoul", "zombie"), ("tomb",), ("undead",)),
)


def kind(id: str, rating: str, type: str, role: str = "soldier", *places: str, **fields: object) -> Candidate:
    """Return a candidate whose path is its id."""
    usual = {"name": id.replace("-", " ").capitalize(), "sketch": Sketch(20, 12, 5, 5)}
    return Candidate(id, id, rating=rating, type=type, role=role, environments=places, **(usual | fields))


KINDS = (
    kind("goblin", "1/4", "humanoid", "skirmisher", "forest", "hills", tags=("goblinoid",)),
    kind("goblin-archer", "1/2", "humanoid", "artillery", "forest", tags=("goblinoid",)),
    kind("hobgoblin", "1/2", "humanoid", "soldier", "forest", "hills", tags=("goblinoid",)),
    kind("wolf", "1/4", "beast", "skirmisher", "forest", "hills"),
    kind("ogre", "2", "giant", "brute", "hills", "forest"),
    kind("ghoul", "1", "undead", "controller", "tomb", "ruins"),
    kind("ghast", "2", "undead", "soldier", "tomb"),
    kind("zombie", "1/4", "undead", "brute", "tomb"),
    kind("wight", "3", "undead", "boss", "tomb", sketch=Sketch(20, 12, 20, 40)),
    kind("shark", "1/2", "beast", "brute", "water", swims_only=True),
    kind("unicorn", "5", "celestial", "caster", "forest", alignment="neutral good"),
    kind("dragon", "17", "dragon", "boss", "mountains", legendary=3, sketch=Sketch(300, 19, 60, 60)),
)


def figures_of(system: str) -> BudgetFigures:
    """Return the figures by which a game measures enemies."""
    data = read_system_data(system)
    found = next((budget for budget in data.budgets if not budget.option), data.suggest.instead)
    assert found is not None
    return found


def suggester(*levels: int, kinds: tuple[Candidate, ...] = KINDS, system: str = "dnd5e", hp: int = 0) -> Suggester:
    """Return a suggester for a party of these levels."""
    challenge = Challenge(read_system_data(system).suggest, figures_of(system), levels, hp)
    return Suggester(CreaturePool(kinds, COMPANIES, TASTE), challenge)
