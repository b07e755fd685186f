"""The game master's choices for the players' screen: mode, known names, how health is shown, texts sent."""

from __future__ import annotations

from typing import Literal

import msgspec

from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, KnownName, kind_id
from turnwright.encounter.state import Lookup
from turnwright.players.view import SentHandout, ViewMode

HealthMode = Literal["words", "numbers", "nothing"]
PARTY, FOES, OTHERS = "party", "foes", "others"


class GivenNumber(msgspec.Struct, frozen=True):
    """The number by which players know a combatant with a given name. It is never reused for another combatant."""

    combatant: str
    name: str
    number: int


class Showing(msgspec.Struct, frozen=True):
    """The game master's choices. `met` and `shown_as` contain ids of `KnownName`; a false name needs no meeting.

    The names of the party are always shown. `health` has the mode of each side, words by default. The mode of `others`
    applies to all sides without a mode, except the party and its enemies. `text` and `handout` are copies made
    on sending, so later edits don't reach the players. The visible part of the map is centred on `map_centre`, in
    squares from `map_origin`, or on the active combatant if the view follows it. It is `map_across` squares wide; 0
    means the whole map. If `has_map_picture` is False, the map image couldn't be read, and ground and walls are drawn
    instead. `portraits` names the portraits that have been read, by file.
    """

    mode: ViewMode = "order"
    met: frozenset[str] = frozenset()
    shown_as: tuple[tuple[str, str], ...] = ()
    health: tuple[tuple[str, HealthMode], ...] = ()
    has_title: bool = False
    has_countdowns: bool = True
    text: str = ""
    handout: SentHandout | None = None
    numbers: tuple[GivenNumber, ...] = ()
    map_origin: Point | None = None
    map_centre: tuple[float, float] | None = None
    map_across: float = 0.0
    map_follows: bool = True
    has_map_picture: bool = True
    portraits: tuple[tuple[str, bytes], ...] = ()

    def health_mode(self, side: str) -> HealthMode:
        """Return how a side's health is shown."""
        modes = dict(self.health)
        return modes.get(side if side in (PARTY, FOES) or side in modes else OTHERS, "words")


def known_name(lookup: Lookup, combatant: Combatant) -> KnownName | None:
    """Return the name by which players know a combatant: its own, or that of its creature type."""
    return lookup.get(KnownName, combatant.id) or lookup.get(KnownName, kind_id(combatant.creature))


def with_known_names(lookup: Lookup, showing: Showing) -> Showing:
    """Add all names that players now know to the choices."""
    names = tuple(lookup.all(KnownName))
    return msgspec.structs.replace(
        showing,
        met=frozenset(name.id for name in names),
        shown_as=tuple((name.id, name.shown_as) for name in names if name.shown_as),
    )
