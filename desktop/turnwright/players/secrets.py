"""The game master's choices for the players' screen, and the names and the health that they show.

The choices are its mode, known names, how health is shown, and texts sent. `tests/players/exposures.toml` lists how much
of each field of each record players may see.
"""

import re
from typing import Literal

import msgspec

from turnwright.encounter.prepared import Countdown, Point
from turnwright.encounter.roles import PARTY
from turnwright.encounter.running import Combatant, CountdownPool, Effect, GivenNumber, KnownName, SeenDoor, kind_id
from turnwright.encounter.state import Lookup
from turnwright.players.view import HealthWord, SentHandout, ViewMode
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.known_ids import effect_ids

HealthMode = Literal["words", "numbers", "nothing"]
ENEMIES, OTHERS = "enemies", "others"


class Showing(msgspec.Struct, frozen=True):
    """The game master's choices. `met` and `shown_as` contain ids of `KnownName`; a false name needs no meeting.

    The names of the party are always shown. `health` has the mode of each side, words by default. The mode of `others`
    applies to all sides without a mode, except the party and its enemies. `has_own_effects` and `has_other_effects` show
    the names of effects that aren't conditions, on the party and on others. `text` and `handout` are copies made
    on sending, so later edits don't reach the players. The visible part of the map is centred on `map_centre`, in
    squares from `map_origin`, or on the active combatant if the view follows it. It is `map_across` squares wide; 0
    means the whole map. If `has_map_picture` is False, the map image couldn't be read, and ground and walls are drawn
    instead. `portraits` names the portraits that have been read, by file. `marked` is the last slot that players saw
    act, with the round, the elapsed seconds and all slots in their order at that time. If `fog_hides`, players don't see combatants that have always been
    under the fog. The map isn't shown before the fight unless `has_prepared_map`. `doors` are as players last saw them. The map is
    turned clockwise `map_turned` times. The game master shows the distance between two squares with the `ruler`, or points at one.
    `floor` is the floor of the map to show. By default, it is that of the characters.
    """

    mode: ViewMode = "order"
    met: frozenset[str] = frozenset()
    shown_as: tuple[tuple[str, str], ...] = ()
    health: tuple[tuple[str, HealthMode], ...] = ()
    has_title: bool = False
    has_countdowns: bool = True
    has_own_effects: bool = True
    has_other_effects: bool = False
    text: str = ""
    handout: SentHandout | None = None
    numbers: tuple[GivenNumber, ...] = ()
    map_origin: Point | None = None
    map_centre: tuple[float, float] | None = None
    map_across: float = 0.0
    map_follows: bool = True
    has_map_picture: bool = True
    portraits: tuple[tuple[str, bytes], ...] = ()
    marked: tuple[str, int, int, tuple[str, ...]] | None = None
    fog_hides: bool = True
    has_prepared_map: bool = False
    doors: tuple[SeenDoor, ...] = ()
    map_turned: int = 0
    ruler: tuple[Point, Point] | None = None
    floor: str = ""

    def health_mode(self, side: str) -> HealthMode:
        """Return the form in which a side's health is shown."""
        modes = dict(self.health)
        return modes.get(side if side in (PARTY, ENEMIES) or side in modes else OTHERS, "words")


def is_effect_shown(lookup: Lookup, rules: RuleSystem, showing: Showing, effect: Effect) -> bool:
    """Return whether players see an effect on a combatant that they see.

    They see conditions that onlookers can see, and effects with other names if the game master shows those of the side.
    """
    target = lookup.get(Combatant, effect.target)
    if not effect.shown or target is None or effect.name in rules.data.presentation.evident:
        return effect.shown and target is not None
    is_free = effect.name not in effect_ids(rules.data)
    return is_free and (showing.has_own_effects if target.side == PARTY else showing.has_other_effects)


def known_name(lookup: Lookup, combatant: Combatant) -> KnownName | None:
    """Return the name by which players know a combatant: its own, or that of its creature type."""
    return lookup.get(KnownName, combatant.id) or lookup.get(KnownName, kind_id(combatant.creature))


def with_known_names(lookup: Lookup, showing: Showing) -> Showing:
    """Add all names that players now know to the choices, and the numbers and doors stored with the fight."""
    names, known = tuple(lookup.all(KnownName)), {each.id for each in showing.numbers}
    seen = {door.id for door in showing.doors}
    return msgspec.structs.replace(
        showing,
        met=frozenset(name.id for name in names),
        shown_as=tuple((name.id, name.shown_as) for name in names if name.shown_as),
        numbers=(*showing.numbers, *(each for each in lookup.all(GivenNumber) if each.id not in known)),
        doors=(*showing.doors, *(each for each in lookup.all(SeenDoor) if each.id not in seen)),
    )


_NUMBER = re.compile(r" \d+(?=$|, \w+$)")


def is_visible(lookup: Lookup, who: str) -> bool:
    """Return whether players see a combatant at all."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and not combatant.hidden


def is_named(combatant: Combatant, showing: Showing) -> bool:
    """Return whether players see a combatant's own name (without its number)."""
    if _false_name(combatant, showing) is not None:
        return False
    return combatant.side == PARTY or not showing.met.isdisjoint((combatant.id, kind_id(combatant.creature)))


def shown_name(combatant: Combatant, showing: Showing) -> str:
    """Return the name by which players know a combatant, without a number: a false one, its own, or an empty string."""
    false = _false_name(combatant, showing)
    if false is not None:
        return false
    return _NUMBER.sub("", combatant.label) if is_named(combatant, showing) else ""


def _false_name(combatant: Combatant, showing: Showing) -> str | None:
    names = dict(showing.shown_as)
    return names.get(combatant.id, names.get(kind_id(combatant.creature)))


def health_word(combatant: Combatant) -> HealthWord:
    """Describe a combatant's health in a word. Return an empty string if its hit points are unknown."""
    if combatant.dead or combatant.hp <= 0 < combatant.hp_max:
        return "down"
    if combatant.hp_max <= 0:
        return ""
    if combatant.hp * 2 <= combatant.hp_max:
        return "bloodied"
    return "hurt" if combatant.hp < combatant.hp_max else "unhurt"


def is_countdown_shown(lookup: Lookup, pool: CountdownPool) -> bool:
    """Return whether players see a countdown: it is running and not secret."""
    countdown = lookup.get(Countdown, pool.countdown)
    return countdown is not None and not countdown.secret and pool.status == "running"
