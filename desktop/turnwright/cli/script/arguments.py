"""The names of arguments in messages, each with an example."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

_ARTICLE = re.compile(r"^(an?|the) ")


class Argument(NamedTuple):
    """An argument: its name with an article, and an example.

    `line` is an example of a whole line, if that is clearer.
    """

    name: str
    example: str
    line: str = ""

    @property
    def noun(self) -> str:
        """The name without an article."""
        return _ARTICLE.sub("", self.name)


COMBATANT = Argument("a combatant", "mira")
COMBATANTS = Argument("one or more combatants", "mira")
TARGET = Argument("a target", '"Raider 2"')
ENVIRONMENT = Argument("an environment", "frigid")
EFFECT = Argument("an effect", "prone on mira")
SKIPPED = Argument("a number of moments to skip", "1")
VALUE = Argument("a value to check", "hp")
# Names by kind of value. The names below take precedence.
BY_KIND: Mapping[str, Argument] = MappingProxyType(
    {
        "ability": Argument("an ability", "dex"),
        "action": Argument("an action", "dodge"),
        "check": Argument("an ability check", "dex:stealth"),
        "combatant": COMBATANT,
        "combatants": COMBATANTS,
        "condition": Argument("a condition", "prone"),
        "condition-or-name": Argument("a condition", "prone"),
        "cost": Argument("a cost", "bonus"),
        "countdown": Argument("a countdown", "ice"),
        "creature": Argument("a stat block", "raider"),
        "cubes": Argument("cubes", "0,0,0 1,0,0"),
        "door": Argument("a door", "gate"),
        "duration": Argument("the moment when it ends", "turn-end"),
        "effect": EFFECT,
        "entry,environment": Argument("an environment feature", "frigid.cold-chill"),
        "environment": ENVIRONMENT,
        "exempt": Argument("combatants to exclude", "mira"),
        "faces": Argument("the faces of the next dice", "12 8 15"),
        "facts": Argument("facts about the attack", "flanks"),
        "feature": Argument("a feature", "breath"),
        "feature,spell": Argument("a feature or spell", "breath"),
        "inside": ENVIRONMENT,
        "mount-feature": Argument("a feature of the mount", "bite"),
        "mount-order": Argument("an order for the mount", "dash"),
        "numbers": Argument("pairs of combatant and total", "mira 17"),
        "objects": Argument("objects of the map", "crate"),
        "order": Argument("an action", "dodge"),
        "outside": ENVIRONMENT,
        "path,heights": Argument("the squares of the path", "3,4 4,4"),
        "pool": Argument("a countdown", "ice"),
        "resource": Argument("a resource", "reaction"),
        "results": Argument("the results of the rolls", "17"),
        "roster": Argument("a roster entry", "raiders"),
        "row": Argument("an environment feature", "frigid.cold-chill"),
        "size": Argument("a size", "large"),
        "slot": COMBATANT,
        "snapshot": Argument("a snapshot", "bridge"),
        "speed": Argument("a mode of movement", "climb"),
        "spell-or-name": Argument("a spell", "fireball"),
        "square": Argument("a square", "3,4"),
        "squares": Argument("squares", "3,4 3,5"),
        "stat": Argument("a statistic", "passive.perception"),
        "target": TARGET,
        "to,elevation": Argument("a square", "3,4"),
        "track": Argument("a track", "fatigue"),
        "variant": Argument("a way to do it", "shove"),
        "wave": Argument("a wave", "late"),
    }
)
# Names by field, for all other kinds: numbers, texts and choices.
BY_FIELD: Mapping[str, Argument] = MappingProxyType(
    {
        "action": Argument("an activity", "climb"),
        "ac": Argument("an Armor Class", "15"),
        "attack": Argument("an attack bonus", "7"),
        "area": Argument("the id of an area", "area-1"),
        "bonus": Argument("a bonus", "1d4"),
        "cover": Argument("a degree of cover", "half"),
        "damage": Argument("damage", "2d6+3 fire"),
        "dc": Argument("a DC", "15"),
        "dice": Argument("dice", "2d6+3"),
        "edge": Argument("an advantage or disadvantage", "advantage"),
        "encounter": Argument("a value of the encounter", "round"),
        "ending_dc": Argument("a DC for the save that ends it", "12"),
        "fact": VALUE,
        "feet": Argument("a distance in feet", "30"),
        "heals": Argument("healing", "2d8+3"),
        "heading": Argument("a direction", "forward"),
        "height": Argument("a difference in height in feet", "10"),
        "hp": Argument("a number of hit points", "12"),
        "hp_max": Argument("a hit point maximum", "40"),
        "initiative": Argument("an initiative total", "14"),
        "label": Argument("a new name", "Grey Raider"),
        "level": Argument("a spell level", "3"),
        "light": Argument("a light", "dim"),
        "note": Argument("a note", '"under the table"'),
        "points": Argument("a number of action points", "2"),
        "purpose": Argument("a cost", "readied"),
        "radius": Argument("a radius in feet", "20"),
        "reason": Argument("a reason", '"a horn in the reeds"'),
        "round": Argument("a round", "3"),
        "rounds": Argument("a number of rounds", "3"),
        "rules": Argument("rules", '"+1d4 attack, saves"'),
        "share": Argument("a share of the damage", "half"),
        "side": Argument("a side", "enemies"),
        "source": Argument("a source", '"falling rocks"'),
        "state": Argument("a state", "hidden"),
        "steps": Argument("a number of steps", "2"),
        "temp_hp": Argument("a number of temporary hit points", "5"),
        "text": Argument("a text", "the bridge groans"),
        "up": Argument("a distance in feet", "10"),
        "uses": Argument("a number of uses", "2"),
        "value": Argument("a level", "2"),
    }
)
# Names by statement and field.
BY_STATEMENT: Mapping[str, Argument] = MappingProxyType(
    {
        "act.about": Argument("an enemy", '"Raider 2"'),
        "add.by": Argument("a number of dice", "2"),
        "answer.ask": Argument("a question and its answer", "mira 17", "answer mira 17"),
        "answer.values": Argument("a question and its answer", "mira 17", "answer mira 17"),
        "award milestone.note": Argument("a note", '"over the bridge"'),
        "award treasure.what": Argument("a treasure", '"grey cloak"'),
        "award xp.note": Argument("a reason", '"the door"'),
        "award xp.xp": Argument("a number of experience points", "275"),
        "attack.other_damage": Argument("another damage of the weapon", '"with two hands"'),
        "attack.weapon": Argument("a weapon", "spear"),
        "checks.purpose": Argument("a purpose", "surprise"),
        "choose.options": Argument("one or more options", "suggested"),
        "concentrate.on": Argument("a spell or effect", "Bless"),
        "correct.line": Argument("the position of the line in its step", "0"),
        "correct.serial": Argument("the number of a step", "12"),
        "correct.text": Argument("the new text of the line", "Mira hits the raider"),
        "direct.creatures": Argument("one or more creatures", "wolf"),
        "dice seed.seed": Argument("a seed", "7"),
        "door.state": Argument("the state of the door", "open"),
        "expect.expected": Argument("a value", "7"),
        "forecast.falls": Argument("pairs of combatant and percentage", "mira 12"),
        "forecast.won": Argument("a chance of winning in percent", "65"),
        "group attack.target": TARGET,
        "group attack.who": Argument("one or more combatants", "raiders"),
        "group check.who": Argument("one or more combatants", "raiders"),
        "group attack.weapon": Argument("a weapon", "spear"),
        "heal.amount": Argument("a number of hit points", "8"),
        "hours.hours": Argument("a number of hours", "8"),
        "add-area.name": Argument("a name for the area", "Fog"),
        "add-area.reminds": Argument("a moment for the reminder", "turn-start"),
        "mount.target": TARGET,
        "reveal name.shown_as": Argument("a name for the players", "the captain"),
        "note.text": Argument("a note", "the bridge groans"),
        "object.name": Argument("a name for the object", "Crate"),
        "ongoing.until": Argument("the end of the effect", "doused"),
        "order.neighbour": Argument("the other combatant", '"Raider 2"'),
        "place.place": Argument("a place", "behind the bar"),
        "plan.text": Argument("a plan", "flee over the bridge"),
        "portrait.portrait": Argument("a picture file", "mira.png"),
        "relate.distance": Argument("a distance in feet", "30"),
        "relate.other": Argument("another combatant", '"Raider 2"'),
        "effect note.text": Argument("an effect note", "save at the end of the turn"),
        "reminder.at": Argument("a moment", "round"),
        "reminder.dice": Argument("a number of dice", "2"),
        "ride.mount": Argument("a mount", "horse"),
        "ring.ring": Argument("a colour", "red"),
        "roll dice.purpose": Argument("a purpose", '"for the weather"'),
        "rule checks.strictness": Argument("a setting", "warn"),
        "force move.how": Argument("a kind of movement", "teleport"),
        "snapshot.name": Argument("a name for the snapshot", "before the bridge"),
        "take.by": Argument("a number of dice", "2"),
        "targets.options": Argument("one or more targets", "mira"),
        "temp.amount": Argument("a number of temporary hit points", "5"),
        "track.value": Argument("a number", "2"),
        "stat.value": Argument("a number", "14"),
        "use.attack": Argument("the total of the attack roll", "17"),
        "wall.here": Argument("a corner of a square", "1,1"),
        "wall.there": Argument("a second corner", "1,5"),
    }
)


def argument_of(statement: str, field: str, kind: str) -> Argument:
    """Return the name and the example of an argument. Arguments that aren't listed are named after their field."""
    for known, key in ((BY_STATEMENT, f"{statement}.{field}"), (BY_KIND, kind), (BY_FIELD, field)):
        if key in known:
            return known[key]
    return Argument(field.replace("_", " "), field.replace("_", "-"))


def alternatives(words: Iterable[str]) -> str:
    """Join words to a list: `a`, `a or b`, `a, b or c`."""
    *most, last = dict.fromkeys(words)
    return f"{', '.join(most)} or {last}" if most else last


def quoted(words: Iterable[str]) -> Sequence[str]:
    """Return words in quotes, to show that they are typed as they are."""
    return [f"'{word}'" for word in words]
