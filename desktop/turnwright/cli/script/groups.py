"""Reads statements about features, groups and relations. ScriptError for words that are not understood."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnwright.cli.script.attacks import feature_id
from turnwright.cli.script.lexer import ScriptError, WordReader
from turnwright.cli.script.resolve import NameResolver, resolve_name
from turnwright.cli.script.statements import Statement
from turnwright.encounter.prepared import CoverLevel, Map
from turnwright.play.actions.commands.command_followers import CommandFollowers
from turnwright.play.actions.commands.use_feature import UseFeature
from turnwright.play.asking.commands.group_check import GroupCheck
from turnwright.play.attacks.commands.group_attack import GroupAttack
from turnwright.play.attacks.cube_area import parse_cubes
from turnwright.play.attacks.save_effect import PLANTS
from turnwright.play.damage.commands.pass_time import PassTime
from turnwright.play.effects.commands.apply_persistent_damage import ApplyPersistentDamage
from turnwright.play.effects.commands.concentrate import Concentrate
from turnwright.play.state.commands.set_relation import SetRelation
from turnwright.play.state.commands.set_stat import SetStat

FeaturePurposeWord = Literal["readied", "commanded", "legendary", "free"]
_OF_A_FEATURE = ("on", "as", "level", "sparing", "burning", "cubes")
_IN_FEET = ("distance", "height")
_SAID = {
    "sees": ("seen", True),
    "unseen": ("seen", False),
    "flanks": ("flanked", True),
    "unflanked": ("flanked", False),
    "reached": ("reached", True),
    "unreached": ("reached", False),
}


def feature(read: WordReader, names: NameResolver) -> Statement:
    """Read `feature velu "Forked bolt" on raider-1 raider-2 as readied level 3`, or a listed spell and its area."""
    who = names.combatant(read.expect("a combatant"))
    used, spell = _means_or_spell(read.expect("a feature"), who, names)
    targets: tuple[str, ...] = ()
    purpose, level = "", None
    area: dict[str, tuple[object, ...]] = {}
    while not read.at_end:
        if read.accept("on"):
            targets = names.combatants(read.until(*_OF_A_FEATURE))
        elif read.accept("sparing"):
            plants, people = _parted(read.until(*_OF_A_FEATURE), PLANTS)
            area["exempt"] = (*plants, *(names.combatants(people) if people else ()))
        elif read.accept("burning"):
            area["objects"] = tuple(_thing(one, names) for one in read.until(*_OF_A_FEATURE))
        elif read.accept("cubes"):
            area["cubes"] = _cubes(" ".join(read.until(*_OF_A_FEATURE)))
        elif read.accept("as"):
            purpose = _one_of(read.expect("what pays for it"), get_args(FeaturePurposeWord), "as")
        elif read.accept("level"):
            level = read.expect_number("the slot's level")
        else:
            break
    paid = msgspec.convert(purpose, Literal[FeaturePurposeWord, ""])
    return UseFeature(who, used, spell=spell, targets=targets, level=level, purpose=paid, **area)  # type: ignore[arg-type] # by keyword


def _means_or_spell(text: str, who: str, names: NameResolver) -> tuple[str, str]:
    """Return the id of a feature in a combatant's stat block, or else that of a listed spell."""
    try:
        return feature_id(text, who, names), ""
    except ScriptError as no_feature:
        try:
            return "", resolve_name(text, ((one.id, one.name) for one in names.rules.data.spells), "spell")
        except ScriptError:
            raise no_feature from None


def _parted(words: list[str], word: str) -> tuple[list[str], list[str]]:
    """Return the words equal to a word (or its plural), and the others."""
    same = [word for one in words if one in (word, f"{word}s")]
    return same, [one for one in words if one not in (word, f"{word}s")]


def _thing(text: str, names: NameResolver) -> str:
    field = names.encounter.get(Map, "map")
    return resolve_name(text, ((one.id, one.name) for one in (field.obstacles if field else ())), "thing")


def _cubes(text: str) -> tuple[object, ...]:
    try:
        return parse_cubes(text)
    except ValueError:
        raise ScriptError("cubes: write each as three numbers, as in 0,0,0 1,0,0") from None


def group(read: WordReader, names: NameResolver) -> Statement:
    """Read `group attack wolves on mira with bite`, `group check wolves athletics against 12`."""
    if read.accept("attack"):
        who = names.combatants(read.until("on"))
        read.accept("on")
        target = names.combatant(read.expect("a target"))
        used = feature_id(read.expect("what is attacked with"), who[0], names) if read.accept("with") else ""
        return GroupAttack(who, target, used)
    if read.accept("check"):
        *whom, check = read.until("against") or [""]
        dc = read.expect_number("the DC") if read.accept("against") else 0
        return GroupCheck(names.combatants(whom), names.check(check), dc)
    raise ScriptError("say group attack or group check")


def direct(read: WordReader, names: NameResolver) -> Statement:
    """Read `direct mira wolves to attack against raider-1`."""
    who = names.combatant(read.expect("a combatant"))
    creatures = names.combatants(read.until("to"))
    read.accept("to")
    action = names.action(read.expect("an action"))
    return CommandFollowers(
        who, creatures, action, names.combatant(read.expect("a target")) if read.accept("against") else ""
    )


def relate(read: WordReader, names: NameResolver) -> Statement:
    """Read `relate mira raider-1 distance 10 height 5 cover half unseen flanks`, `relate mira raider-1 forget`."""
    one, other = names.combatant(read.expect("a combatant")), names.combatant(read.expect("another"))
    said: dict[str, object] = {}
    while not read.at_end:
        if read.next_is(*_SAID):
            fact, holds = _SAID[read.expect("a fact")]
            said[fact] = holds
        elif read.accept("cover"):
            said["cover"] = _one_of(
                read.expect("a grade of cover"), [each for each in get_args(CoverLevel) if each], "cover"
            )
        elif read.next_is(*_IN_FEET):
            fact = read.expect("a fact")
            said[fact] = read.expect_number("feet")
        elif read.accept("forget"):
            said["forget"] = True
        else:
            break
    return msgspec.convert({"who": one, "other": other, **said}, SetRelation)


def supply(read: WordReader, names: NameResolver) -> Statement:
    """Read `supply raider-1 maneuver-dc 12`."""
    who = names.combatant(read.expect("a combatant"))
    return SetStat(who, read.expect("a figure"), read.expect_number("its value"))


def ongoing(read: WordReader, names: NameResolver) -> Statement:
    """Read `ongoing mira 1d6 fire until "doused" from "Oil"`."""
    who = names.combatant(read.expect("a combatant"))
    damage = " ".join(read.until("until", "from"))
    if not damage:
        raise ScriptError("say how much, such as 1d6 fire")
    until = read.expect("what ends it") if read.accept("until") else ""
    return ApplyPersistentDamage(
        (who,), damage, until, read.expect("where it comes from") if read.accept("from") else ""
    )


def concentrate(read: WordReader, names: NameResolver) -> Statement:
    """Read `concentrate velu "a wall of wind"`."""
    return Concentrate(names.combatant(read.expect("a combatant")), read.rest())


def hours(read: WordReader, names: NameResolver) -> Statement:
    """Read `hours 3`."""
    return PassTime(read.expect_number("how many hours"))


def _one_of(text: str, allowed: list[str] | tuple[str, ...], where: str) -> str:
    if text not in allowed:
        raise ScriptError(f"{where}: expected one of {', '.join(allowed)}, found {text}")
    return text
