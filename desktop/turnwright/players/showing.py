"""What the game master has chosen to show: the mode, names by creature or combatant, health by side, what was sent."""

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
    """The number by which players know a combatant under a name; it is never given to another."""

    combatant: str
    name: str
    number: int


class Showing(msgspec.Struct, frozen=True):
    """The choices. `met` and `shown_as` go by ids of `KnownName`; a false name needs no meeting.

    The names of the party are always shown. `health` gives the mode of a side, words where it has none; that of `others` holds
    for all sides without one but the party and its foes. `text` and `handout` are copies of what was sent, so that no later
    edit reaches the players. The part of the map that is looked at has its middle at `map_centre`, in squares from `map_origin`,
    or at the one who acts if it follows; `map_across` squares fit across, 0 for all. Without `has_map_picture` the picture of the
    map could not be read: ground and walls stand in for it. `portraits` names those that have been read, by their files.
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
        """Return how the health of a side is shown."""
        modes = dict(self.health)
        return modes.get(side if side in (PARTY, FOES) or side in modes else OTHERS, "words")


def known_name(lookup: Lookup, combatant: Combatant) -> KnownName | None:
    """Return the name by which players know a combatant: its own, or that of all of its kind."""
    return lookup.get(KnownName, combatant.id) or lookup.get(KnownName, kind_id(combatant.creature))


def with_known_names(lookup: Lookup, showing: Showing) -> Showing:
    """Return the choices with the names that players know by now."""
    known = tuple(lookup.all(KnownName))
    return msgspec.structs.replace(
        showing,
        met=frozenset(one.id for one in known),
        shown_as=tuple((one.id, one.shown_as) for one in known if one.shown_as),
    )
