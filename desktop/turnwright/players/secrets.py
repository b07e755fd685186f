"""How much of each field of each record players may see; the differential test replaces everything else.

Add each new field to one of these lists, and a list for each new table. When in doubt, add the field to `unknown`.
Records inside a record (the features of a creature, the doors of the map) share the exposure of the field that contains
them. Some fields are public only under a named condition. The game master's choices for the players' screen are its
mode, known names, how health is shown, and texts sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import msgspec

from turnwright.encounter.prepared import Countdown, Point
from turnwright.encounter.roles import PARTY
from turnwright.encounter.running import Combatant, CountdownPool, Effect, KnownName, kind_id
from turnwright.encounter.state import Lookup
from turnwright.players.view import HealthWord, SentHandout, ViewMode
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.known_ids import effect_ids

HealthMode = Literal["words", "numbers", "nothing"]
ENEMIES, OTHERS = "enemies", "others"


class GivenNumber(msgspec.Struct, frozen=True):
    """The number by which players know a combatant with a given name. It is never reused for another combatant."""

    combatant: str
    name: str
    number: int


class Showing(msgspec.Struct, frozen=True):
    """The game master's choices. `met` and `shown_as` contain ids of `KnownName`; a false name needs no meeting.

    The names of the party are always shown. `health` has the mode of each side, words by default. The mode of `others`
    applies to all sides without a mode, except the party and its enemies. `has_own_effects` and `has_other_effects` show
    the names of effects that aren't conditions, on the party and on others. `text` and `handout` are copies made
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
    """Add all names that players now know to the choices."""
    names = tuple(lookup.all(KnownName))
    return msgspec.structs.replace(
        showing,
        met=frozenset(name.id for name in names),
        shown_as=tuple((name.id, name.shown_as) for name in names if name.shown_as),
    )


Exposure = Literal["public", "secret", "identity", "band", "rank"]
Openness = Literal["", "title shown", "named", "evident", "countdown shown", "explored", "in sight"]


class FieldExposure(msgspec.Struct, frozen=True):
    """The visible part of a field and the condition for it. If the condition isn't met, the field is secret.

    `identity`: the record's identity is visible, but not its id; `band`: the share of hit points as a word; `rank`:
    its place among others. A whole record is secret if players don't see its subject: a hidden combatant with its
    slot and effects, or a countdown that isn't shown. Fields that are `explored` or `in sight` are visible only on
    the visible part of the map; `tests/players/test_players_map.py` makes pairs of maps to test this.
    """

    exposure: Exposure
    when: Openness = ""


def _table(
    public: str = "",
    unknown: str = "",
    identity: str = "",
    band: str = "",
    rank: str = "",
    when: Mapping[str, Openness] = MappingProxyType({}),
) -> Mapping[str, FieldExposure]:
    lists: tuple[tuple[Exposure, str], ...] = (
        ("public", public),
        ("secret", unknown),
        ("identity", identity),
        ("band", band),
        ("rank", rank),
    )
    fields = {name: FieldExposure(exposure) for exposure, names in lists for name in names.split()}
    fields.update({name: FieldExposure("public", condition) for name, condition in when.items()})
    return MappingProxyType(fields)


_CREATURE = _table(
    unknown="id name type tags rating ac ac_note hp hit_dice speeds hovers abilities saves skills senses languages "
    "initiative resistances vulnerabilities immunities absorptions mundane_immunity mundane_resistance mundane_except "
    "condition_immunities gear features notes source level proficiency maneuver_dc reach attacks extra_attack "
    "spellcasting specialties passives slots legendary pools alignment xp environments description remarks licence read "
    "disable disable_needs phases tactics classes assumed",
    when=dict.fromkeys(("size", "space", "portrait"), "in sight"),
)

EXPOSURES: Mapping[str, Mapping[str, FieldExposure]] = MappingProxyType(
    {
        "scene": _table(
            public="light",
            unknown="id system purpose round_seconds strictness read_aloud notes conditions options suspended rolling "
            "treasure goal turning_points",
            when={"title": "title shown"},
        ),
        "creatures": _CREATURE,
        "guest_creatures": _CREATURE,
        "roster": _table(
            unknown="id creature name count side player level ac hp initiative check sneaking hidden wave place positions "
            "outside gear notes elevation controller rides group dying bystander adjustment rings state "
            "counts effects counts_damage role absent xp_earned",
            when={"portrait": "in sight"},
        ),
        "environments": _table(unknown="id name description size features actions source notes rating complex"),
        "countdowns": _table(
            public="secret",
            unknown="dice starts unstoppable outcomes notes",
            identity="id",
            when={"name": "countdown shown", "speed": "countdown shown"},
        ),
        "waves": _table(unknown="id round when who notes"),
        "map": _table(
            unknown="id columns rows heights light areas",
            when=dict.fromkeys(
                (
                    "cell",
                    "diagonals",
                    "ground",
                    "walls",
                    "windows",
                    "curtains",
                    "obstacles",
                    "picture",
                    "barriers",
                    "doors",
                    "lights",
                ),
                "explored",
            ),
        ),
        "reminders": _table(unknown="id text at round who countdown dice wave each_time"),
        "treasure": _table(unknown="id name price rarity uses text secret looks"),
        "handouts": _table(unknown="id title style text signed picture headline place date reward hand"),
        "clock": _table(
            public="phase round elapsed_seconds",
            unknown="id setup_step surprise_settled reason end_declined",
            identity="active",
        ),
        "dice": _table(unknown="id seed counter mode script"),
        "ids": _table(unknown="id next"),
        "combatants": _table(
            public="side hidden",
            unknown="roster temp_hp ac initiative initiative_bonus check edge sneaking player place outside gear "
            "plan turns_ended rides controlled controller group dying bystander first_actor supplied_numbers "
            "phases ring counts_damage hp_base temp_from role",
            identity="id creature",
            band="hp hp_max dead",
            when={"label": "named", "position": "in sight", "elevation": "in sight", "portrait": "in sight"},
        ),
        "slots": _table(
            unknown="joined_to acted delay",
            identity="id members",
            rank="count tie_rolls fixed first_actor",
        ),
        "tracks": _table(unknown="id owner name value maximum"),
        "effects": _table(
            unknown="source value ends break_free by uses_left concentrator damage end_condition note since_round "
            "rounds_left counted_on sustained save dc reminder_at bound_to counts escape rules level leaves rests wakes "
            "damage_at after",
            identity="id target",
            when={"name": "evident", "shown": "evident"},
        ),
        "relations": _table(unknown="id who other distance height cover seen flanked reached within beyond"),
        "pools": _table(
            unknown="rolls unstoppable",
            identity="id countdown",
            when={"dice": "countdown shown", "status": "countdown shown", "last_faces": "countdown shown"},
        ),
        "arrived_waves": _table(unknown="id round"),
        "entry_states": _table(
            unknown="id environment entry ready recharge_rolled targeted broken due_round revealed",
        ),
        "obstacle_states": _table(unknown="id hp burning", when={"broken": "explored"}),
        "forecasts": _table(unknown="id won rounds falls"),
        "snapshots": _table(unknown="id name round serial state"),
        "shapes": _table(unknown="id creature hp hp_max phases"),
        "reminders_shown": _table(unknown="id round"),
        "door_states": _table(unknown="id", when={"open": "explored", "found": "explored"}),
        "fog": _table(unknown="id", when={"squares": "explored"}),
        "lasting_areas": _table(
            unknown="id name effect last_round reminds hidden difficult obscured",
            identity="owner",
            when={"squares": "in sight", "radius": "in sight", "light": "in sight"},
        ),
        "known_names": _table(unknown="id shown_as"),
        "awards": _table(unknown="id kind what xp who counted at"),
        "procedures": _table(unknown="id kind stage data parent"),
        "announcements": _table(
            unknown="id who procedure name responds_to reserved targets is_movement rules_overridden",
        ),
        "prompts": _table(unknown="id procedure title subject asks answers blocks rule revision"),
    }
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
    if combatant.dead:
        return "down"
    if combatant.hp_max <= 0:
        return ""
    if combatant.hp <= 0:
        return "down"
    if combatant.hp * 2 <= combatant.hp_max:
        return "bloodied"
    return "hurt" if combatant.hp < combatant.hp_max else "unhurt"


def is_countdown_shown(lookup: Lookup, pool: CountdownPool) -> bool:
    """Return whether players see a countdown: it is running and not secret."""
    countdown = lookup.get(Countdown, pool.countdown)
    return countdown is not None and not countdown.secret and pool.status == "running"
