"""The tokens on the map as plain data: from the roster before the fight, from the combatants during it.

A token describes what its pixmap shows, but doesn't paint it. Squares are (column, row). `size` is in squares, and
`scale` is below 1 for creatures so small that several fit in a square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec

from turnwright.encounter.lookups import clock_of
from turnwright.encounter.member_labels import NameCounts, member_labels, name_counts
from turnwright.encounter.monograms import monograms
from turnwright.encounter.portraits import portrait_of
from turnwright.encounter.prepared import Creature, Map, Point, RosterEntry
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Encounter, Key
from turnwright.play.queries.queries import active_combatants, hit_point_state
from turnwright.rules.parts.positions import effective_side
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.roles import ConditionRole
from turnwright.ui.models.display_names import side_order

SHAPES = ("circle", "square", "diamond", "hexagon")
TONES = ("accent", "harm", "world", "warn")
OWN_SHAPE = MappingProxyType({"party": 0, "foes": 1})
VEILS: Final[tuple[ConditionRole, ...]] = ("hidden", "invisible")
HIDDEN = VEILS[0]


class TokenLook(msgspec.Struct, frozen=True):
    """The look of a token's pixmap. `share` is the share of hit points left (0 to 1), or None for roster entries.

    `ring` is the colour of the miniature's ring, and `portrait` the picture file. `state` is `""`, `bloodied`, `down`
    or `dead`; `veil` is `""`, `hidden` or `invisible`.
    """

    label: str
    short: str = ""
    shape: str = ""
    tone: str = ""
    share: float | None = None
    state: str = ""
    veil: str = ""
    elevation: int = 0
    linked: bool = False
    ring: str = ""
    portrait: str = ""


class Token(msgspec.Struct, frozen=True):
    """One creature on the map, or unplaced if `square` is None. `member` is its index in its roster entry.

    `key` is its record. `offset` (in squares) and `scale` adjust its pixmap if several tokens share the space.
    """

    key: Key
    label: str
    side: str
    square: Point | None
    size: int
    look: TokenLook
    member: int = 0
    elevation: int = 0
    active: bool = False
    rides: str = ""
    offset: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0

    @property
    def id(self) -> str:
        """The unique id of the token."""
        return f"{self.key[0]}.{self.key[1]}.{self.member}"


class TokenSet(msgspec.Struct, frozen=True):
    """All tokens, on the map and unplaced."""

    tokens: tuple[Token, ...] = ()

    def placed(self) -> Iterator[Token]:
        """Yield the tokens on the map."""
        return (token for token in self.tokens if token.square is not None)

    def unplaced(self) -> Iterator[Token]:
        """Yield the tokens without a square."""
        return (token for token in self.tokens if token.square is None)

    def for_record(self, key: Key | None) -> Token | None:
        """Return the token of a record (the first if there are several), or None."""
        return next((token for token in self.tokens if token.key == key), None)

    def with_id(self, id: str) -> Token | None:
        """Return the token with this id, or None."""
        return next((token for token in self.tokens if token.id == id), None)

    def at(self, square: Point) -> list[Token]:
        """Return the tokens on a square, the topmost first."""
        return [
            token
            for token in reversed(self.tokens)
            if token.square is not None
            and token.square[0] <= square[0] < token.square[0] + token.size
            and token.square[1] <= square[1] < token.square[1] + token.size
        ]


class _Facts(NamedTuple):
    """The ids of acting combatants and of mounts, and the hidden or invisible combatants."""

    acting: frozenset[str]
    ridden: frozenset[str]
    veils: Mapping[str, str]


def is_running(encounter: Encounter) -> bool:
    """Whether the fight has started, so that tokens are combatants instead of roster entries."""
    return clock_of(encounter).phase != "preparing"


def token_set_of(encounter: Encounter, rules: RuleSystem) -> TokenSet:
    """Return all tokens of an encounter in its current state."""
    field = encounter.get(Map, Map.table) or Map()
    if is_running(encounter):
        facts = _facts_of(encounter, rules)
        tokens = [_of_combatant(encounter, rules, field, combatant, facts) for combatant in encounter.all(Combatant)]
    else:
        counts, roster = name_counts(encounter), encounter.all(RosterEntry)
        tokens = [token for entry in roster for token in _of_entry(encounter, rules, field, entry, counts)]
    sides = side_order(token.side for token in tokens)
    signs = monograms(token.label for token in tokens)
    drawn = [
        msgspec.structs.replace(token, look=_sided(token, sides, short))
        for token, short in zip(tokens, signs, strict=True)
    ]
    return TokenSet(tuple(_spread(sorted(drawn, key=lambda token: -token.size))))


def _facts_of(encounter: Encounter, rules: RuleSystem) -> _Facts:
    veils = {rules.role(veil): veil for veil in VEILS}
    return _Facts(
        acting=frozenset(combatant.id for combatant in active_combatants(encounter)),
        ridden=frozenset(combatant.rides for combatant in encounter.all(Combatant) if combatant.rides),
        veils={effect.target: veils[effect.name] for effect in encounter.all(Effect) if effect.name in veils},
    )


def _of_combatant(encounter: Encounter, rules: RuleSystem, field: Map, combatant: Combatant, facts: _Facts) -> Token:
    state = hit_point_state(combatant)
    state = "" if state == "up" else state
    veil = facts.veils.get(combatant.id, HIDDEN if combatant.hidden else "")
    return Token(
        key=(Combatant.table, combatant.id),
        label=combatant.label,
        side=combatant.side,
        square=combatant.position,
        size=_across(effective_side(encounter, rules, combatant.id), field.cell),
        look=TokenLook(
            label=combatant.label,
            share=max(0.0, min(1.0, combatant.hp / combatant.hp_max)) if combatant.hp_max else 0.0,
            state=state,
            veil=veil,
            elevation=combatant.elevation,
            linked=combatant.id in facts.ridden or bool(combatant.rides),
            ring=combatant.ring,
            portrait=portrait_of(encounter, combatant),
        ),
        elevation=combatant.elevation,
        active=combatant.id in facts.acting,
        rides=combatant.rides,
        scale=_smallness(creature_of(encounter, combatant), rules, field.cell),
    )


def _of_entry(
    encounter: Encounter, rules: RuleSystem, field: Map, entry: RosterEntry, counts: NameCounts
) -> Iterator[Token]:
    creature = encounter.get(Creature, entry.creature) or Creature(id=entry.creature, name=entry.creature)
    space = creature.space or next((size.space for size in rules.data.sizes if size.id == creature.size), 5)
    labels = member_labels(encounter, entry, counts=counts)
    portrait = portrait_of(encounter, entry)
    for number, label in zip(range(1, entry.count + 1), labels, strict=False):
        yield Token(
            key=(RosterEntry.table, entry.id),
            label=label,
            side=entry.side,
            square=entry.positions[number - 1] if number <= len(entry.positions) else None,
            size=_across(space, field.cell),
            look=TokenLook(
                label,
                veil=HIDDEN if entry.hidden else "",
                elevation=entry.elevation,
                linked=bool(entry.rides),
                ring=entry.rings[number - 1] if number <= len(entry.rings) else "",
                portrait=portrait,
            ),
            member=number - 1,
            elevation=entry.elevation,
            rides=entry.rides,
            scale=_smallness(creature, rules, field.cell),
        )


def _across(space: float, cell: int) -> int:
    return max(1, round(space / cell + 0.499))


def _smallness(creature: Creature, rules: RuleSystem, cell: int) -> float:
    space = creature.space or next((size.space for size in rules.data.sizes if size.id == creature.size), cell)
    return min(1.0, space / cell)


def _sided(token: Token, sides: list[str], short: str) -> TokenLook:
    """Return a token's look with its monogram and the shape and colour of its side. Up to four sides look different."""
    others = [side for side in sides if side not in OWN_SHAPE]
    place = OWN_SHAPE.get(token.side)
    if place is None:
        place = 2 + others.index(token.side) % 2
    return msgspec.structs.replace(token.look, short=short, shape=SHAPES[place], tone=TONES[place])


def _spread(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens. Tokens that share a square are shrunk and moved apart."""
    tokens = list(tokens)
    mounts = {other.key: other for other in tokens if other.square is not None}
    places: dict[tuple[Point | None, bool], list[Token]] = {}
    for token in tokens:
        places.setdefault((token.square, token.scale < 1), []).append(token)
    for token in tokens:
        together = places[token.square, token.scale < 1]
        if token.square is None:
            yield token
        elif token.rides and (token.key[0], token.rides) in mounts:
            yield _mounted(token, mounts[token.key[0], token.rides])
        elif token.scale < 1:
            yield _in_part(token, together)
        elif len(together) > 1 and all(other.size == token.size for other in together):
            place = together.index(token) / (len(together) - 1)
            yield msgspec.structs.replace(
                token, scale=0.74, offset=(0.26 * place * token.size, 0.26 * place * token.size)
            )
        else:
            yield token


def _mounted(rider: Token, mount: Token) -> Token:
    """Return a rider, shrunk so that its mount stays visible. On the same square, it is at the mount's upper right."""
    scale = 0.62 * rider.scale
    aside = max(0.0, mount.size - scale * rider.size) if rider.square == mount.square else 0.0
    return msgspec.structs.replace(rider, scale=scale, offset=(aside, 0.0))


def _in_part(token: Token, together: list[Token]) -> Token:
    """Return a small token, shrunk and moved to its part of the square, which has four parts, or nine if needed."""
    parts = 2 if len(together) <= 4 else 3
    row, column = divmod(together.index(token) % (parts * parts), parts)
    return msgspec.structs.replace(token, scale=1 / parts, offset=(column / parts, row / parts))
