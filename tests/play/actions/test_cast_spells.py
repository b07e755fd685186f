"""Every spell with figures, cast in a fight: it rolls, saves, hurts, heals and leaves what it says, and is undone."""

from __future__ import annotations

import re

import msgspec

from tests.for_each import for_each
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.encounter.prepared import Feature, Scene
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.cast_spell import CastSpell
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.kernel.events import RuleOverridden
from turnwright.rules.parts.actions.spell_features import Caster, first_save, spell_feature
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.numbers import Spell

GAMES = {"dnd5e": dnd5e, "a5e": a5e, "pf2e": pf2e}
FAILS = 12  # of a d20 against DC 20 with nothing added: short of it by less than ten
DICE = re.compile(r"(\d+)d\d+")


def feature_of(spell: Spell) -> Feature:
    return spell_feature(spell, Caster(20, 9, 9, 3))


def with_figures(rules: RuleSystem) -> list[str]:
    made = ((one, feature_of(one)) for one in rules.data.spells if one.level is not None)
    return [
        one.id
        for one, own in made
        if own.attack is not None
        or own.damage
        or own.heals
        or (own.save and own.afflictions)
        or own.push
        or own.effect
        or own.temp
    ]


CAST = [(game, id) for game, rules in GAMES.items() for id in with_figures(rules())]


def least(amount: str) -> int:
    """Return an amount where every die shows a one."""
    return sum(int(one) for one in re.findall(r"-?\d+", DICE.sub(r"\1", amount)))


CRITICAL = "critical-failure"


@for_each(("game", "id"), CAST)
def test_a_spell_does_at_the_table_what_its_figures_say(game: str, id: str) -> None:
    rules = GAMES[game]()
    spell = next(one for one in rules.data.spells if one.id == id)
    cast = msgspec.structs.replace(feature_of(spell), cost="action")
    meant = re.findall(r"^target\.type:(\w+)", cast.when)
    table = Table(
        creature("ann", hp=300, ac=15, type=next(iter(meant), "humanoid")),
        creature("mage", features=(cast,)),
        foes=() if "not target.hostile" in cast.when else ("mage",),
        rules=rules,
    )
    table.start(mage=20, ann=10)
    table.does(ApplyDamage(("ann",), "200"))
    before, hp = table.encounter, table.one("ann").hp
    on = Attack("mage", "ann", cast.id) if cast.attack is not None else UseFeature("mage", cast.id, targets=("ann",))
    rolled = (bool(first_save(cast)), cast.attack is not None)
    table.dice(*[FAILS] * (1 if cast.half or (cast.attack is not None and cast.damage) else sum(rolled)), *[1] * 40)
    table.does(on, anyway=True)
    while table.prompts and table.prompts[0].blocks:
        table.skips()
    carried = sum(rule.add for rule in cast.effect if rule.carries)
    carried += sum(least(one.value_dice) for one in cast.afflictions if one.condition == "well-fed")
    first = (one for stage in cast.stages[:1] for one in stage.afflictions)
    inflicted = (*cast.afflictions, *first)
    values = [one.value or 1 for one in inflicted if one.condition == "drained" and one.degree != CRITICAL]
    drained = sum(values)  # each costs 1 hit point at level 0
    spared = any(one.damage == "none" for one in spell.degrees if one.degree == "failure")
    doubled = 1 + (cast.half and cast.attack is not None)  # its save is rolled with the damage and shows a 1
    parts = [part for part in cast.damage.split(" + ") if meant or "vitality" not in part]
    harm = 0 if spared or (spell.waits and cast.attack is None) else least(" + ".join(parts)) * doubled
    harm += sum(least(stage.damage) for stage in cast.stages[:1])
    met = "failure" if cast.attack is None else "success"
    follows = (one.then for one in spell.degrees if one.degree == met)
    harm += sum(least(then.damage) for then in follows if then is not None and not (then.save or then.when))
    healed = min(table.one("ann").hp_max - hp, 0 if spell.divides or cast.range == "self" else least(cast.heals))
    assert table.one("ann").hp == (0 if spell.kills and spell.pool else hp - harm + healed + carried - drained)
    bearer = "mage" if cast.range == "self" or cast.trigger else "ann"
    assert not cast.effect or cast.trigger or cast.name in table.effects(bearer)
    assert table.one(bearer).temp_hp == least(cast.temp)
    left = {
        one.condition
        for one in cast.afflictions
        if one.degree in ("", "failure") and not re.match("(not )?(hp|type|has-speed):", one.when)
        if one.when not in dict(spell.asks)  # nobody is chosen
    }
    strikes_later = bearer == "mage" and spell.again
    assert spell.waits or strikes_later or left <= table.effects(bearer)
    assert not cast.concentration or "concentrating" in table.effects("mage")
    while table.encounter != before:
        assert table.session.undo() is not None


@for_each("way", ["cast", "spell", "feature", "action"])
@for_each(
    ("rules", "spell", "time"),
    [(dnd5e, "Conjure Elemental", "1 minute"), (a5e, "Foresight", "1 minute"), (dnd5e, "Hallow", "24 hours"),
     (a5e, "Raise Dead", "1 hour"), (pf2e, "Bless", ""), (pf2e, "Alarm", "10 minutes")],
)  # fmt: skip
def test_a_long_casting_time_is_a_breach_in_a_fight(rules: object, spell: str, time: str, way: str) -> None:
    own = Feature("own", spell, "action", level=1, properties=("spell",))
    game = rules()  # type: ignore[operator]
    id = next(one.id for one in game.data.spells if one.name == spell)
    command = {
        "cast": CastSpell("mage", spell=id), "spell": UseFeature("mage", spell=id),
        "feature": UseFeature("mage", "own"), "action": TakeAction("mage", "own"),
    }[way]  # fmt: skip
    for strictness in ("enforce", "warn"):
        scene = Scene(strictness=strictness)
        table = Table(creature("mage", features=(own,)), creature("ann"), foes=("ann",), rules=game, scene=scene)
        table.start(mage=20, ann=10)
        if time and strictness == "enforce":
            refused = table.refuses(command)
            assert (refused.key, refused.params) == ("refused.long_casting_time", {"what": spell, "time": time})
            continue
        table.does(command)
        marked = [dict(one.params)["time"] for one in table.happened(RuleOverridden) if "casting" in one.reason]
        assert marked == [time] * bool(time)
