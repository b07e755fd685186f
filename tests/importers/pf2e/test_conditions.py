"""Regeneration, bonuses to saves, and what follows a Strike, which Pathfinder's stat blocks hold behind numbers."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from tests.for_each import for_each
from tests.table import Table, creature, pf2e
from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import AfflictionStage, Creature, Feature, InflictedCondition, Scene, SourceNote
from turnwright.encounter.running import Effect
from turnwright.importers.pf2e.conditions import (
    conditions_in,
    from_remarks,
    read_ability,
    with_follow_ups,
    without_repeats,
)
from turnwright.importers.pf2e.creatures import creature_of
from turnwright.importers.pf2e.stat_block import (
    DamagePart,
    SourceAbility,
    SourceNumber,
    SourceStatBlock,
    SourceStrike,
)
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack, FeatureReminded
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import SetTrack
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.kernel.transaction import Refused
from turnwright.play.movement.forced_movement import Pushed
from turnwright.play.state.position_changes import SetRelation
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport


def healing(text: str) -> tuple[list[Feature], list[str]]:
    found, left = from_remarks([SourceNote("hp", text)], IdAllocator())
    return found, [one.text for one in left]


@pytest.mark.parametrize(
    ("text", "heals", "when", "automation"),
    [
        ("regeneration 15 (deactivated by acid or fire)", "15", "not suffered:acid, not suffered:fire", ""),
        ("regeneration 20 (deactivated by fire)", "20", "not suffered:fire", ""),
        ("regeneration 20 (deactivated by cold or evil)", "20", "not suffered:cold", "asks"),
        ("regeneration 15 (deactivated by cold iron)", "15", "", "asks"),
        ("regeneration 30", "30", "", "asks"),
        ("fast healing 5", "5", "", ""),
        ("fast healing 2 (while underground)", "2", "", "asks"),
    ],
)
def test_healing_behind_the_hit_points_is_a_feature(text: str, heals: str, when: str, automation: str) -> None:
    (found,), left = healing(text)
    assert (found.trigger, found.heals, found.when, found.automation, found.text) == (
        "turn-start",
        heals,
        when,
        automation,
        text,
    )
    assert left == []


def test_other_words_behind_numbers_stay_remarks() -> None:
    found, left = healing("coffin restoration, fast healing 7, negative healing")
    assert ([one.heals for one in found], left) == (["7", ""], ["coffin restoration"])
    assert found[1].rules == (DataRule("damage", "void", times=0),)
    assert healing("hydra regeneration") == ([], ["hydra regeneration"])


@pytest.mark.parametrize(
    ("text", "rules", "left"),
    [
        ("+1 status to all saves vs. magic", [DataRule("modifier", "save", add=1, type="status", when="magic")], []),
        (
            "+1 status bonus to all saves vs. magic, +2 status to all saves vs. mental",
            [
                DataRule("modifier", "save", add=1, type="status", when="magic"),
                DataRule("modifier", "save", add=2, type="status", when="against:mental"),
            ],
            [],
        ),
        ("+1 status to all saves vs. evil creatures", [], ["+1 status to all saves vs. evil creatures"]),
        ("+4 status to will saves vs. mental", [], ["+4 status to will saves vs. mental"]),
    ],
)
def test_a_bonus_to_all_saves_is_a_rule(text: str, rules: list[DataRule], left: list[str]) -> None:
    found, kept = from_remarks([SourceNote("saves", text)], IdAllocator())
    assert ([rule for one in found for rule in one.rules], [one.text for one in kept]) == (rules, left)


def bear(*effects: str, **fields: object) -> Creature:
    strike = SourceStrike("Jaws", 12, damage=(DamagePart("1d8+4", "piercing"),), extra_effects=effects)
    block = SourceStatBlock("Bear", 3, ac=18, hp=40, strikes=(strike,), **fields)  # type: ignore[arg-type]
    return creature_of(block, "bear", ConversionReport("Bear"))


def follow_up(owner: Creature) -> Feature:
    return owner.features[-1]


def test_a_grab_behind_the_damage_follows_a_hit_of_that_strike() -> None:
    found = follow_up(bear("Grab", skills=(SourceNumber("Athletics", 11),)))
    assert (found.name, found.cost, found.trigger) == ("Grab", "action", "hits")
    assert found.when == "with:jaws, not target.condition:grabbed"
    assert found.afflictions == (InflictedCondition("grabbed", "owner-end", escape_dc=21),)


@pytest.mark.parametrize(
    ("effect", "name", "cost", "condition", "push"),
    [
        ("Improved Grab", "Improved Grab", "trait", "grabbed", 0),
        ("Knockdown", "Knockdown", "action", "prone", 0),
        ("improved knockdown", "Improved Knockdown", "trait", "prone", 0),
        ("Push 10 feet", "Push", "action", "", 10),
        ("Push or Pull 5 feet", "Pull", "action", "", -5),
        ("PushorPull10feet", "Pull", "action", "", -10),
        ("Improved Push", "Improved Push", "trait", "", 5),
    ],
)
def test_its_kin(effect: str, name: str, cost: str, condition: str, push: int) -> None:
    found = follow_up(bear(effect))
    inflicted = [one.condition for one in found.afflictions]
    assert (found.name, found.cost, inflicted, found.push) == (name, cost, [condition] if condition else [], push)


@pytest.mark.parametrize(
    ("effect", "name", "push"), [("Push", "Push 10 feet", 10), ("Push 15 feet", "Push", 15), ("Push", "Push", 5)]
)
def test_how_far_a_push_goes_may_stand_in_its_name(effect: str, name: str, push: int) -> None:
    text = "The monster automatically knocks the target away from the monster."
    pushing = follow_up(bear(effect, actions=(SourceAbility(name, "action", text=text),)))
    assert (pushing.name, pushing.push, pushing.when) == (name, push, "with:jaws")


def test_a_hit_offers_a_push_and_a_pull_or_asks_which_improved_follow_up_it_has() -> None:
    away, closer = bear("Push or Pull 10 feet").features[-2:]
    assert [(each.name, each.push, each.properties) for each in (away, closer)] == [
        ("Push", 10, ("doubles-push",)),
        ("Pull", -10, ("doubles-push",)),
    ]
    grab, push = bear("Improved Grab or Improved Push 20 feet (40 feet on a critical hit)").features[-2:]
    assert (grab.name, push.name, push.push) == ("Improved Grab", "Improved Push", 20)
    assert (grab.automation, push.automation) == ("asks", "asks")


@pytest.mark.parametrize("effect", ["Push 10 feet", "Improved Push 10 feet"])
@pytest.mark.parametrize(("face", "feet"), [(10, 10), (20, 20)])
def test_a_push_after_a_critical_hit_goes_twice_as_far(effect: str, face: int, feet: int) -> None:
    fight = table(bear(effect))
    fight.dice(face, 3)
    fight.does(Attack("bear", "ann", "jaws"))
    if "Improved" not in effect:
        fight.does(UseFeature("bear", "push", targets=("ann",)))
    assert [event.feet for event in fight.happened(Pushed)] == [feet]


def test_any_other_effect_behind_the_damage_stays_a_text() -> None:
    assert follow_up(bear("grabbing trunk")).name == "Jaws"


def table(owner: Creature) -> Table:
    fight = Table(creature("ann", hp=60, ac=15), owner, foes=("bear",), rules=pf2e())
    fight.start(bear=20, ann=10)
    return fight


@pytest.mark.parametrize(("athletics", "dc"), [(-18, 0), (-10, 0), (-9, 1), (90, 100), (91, 0)])
def test_a_bonus_that_gives_no_possible_difficulty_leaves_it_to_the_table(athletics: int, dc: int) -> None:
    found = follow_up(bear("Grab", skills=(SourceNumber("Athletics", athletics),)))
    assert found.afflictions == (InflictedCondition("grabbed", "owner-end", escape_dc=dc),)


def test_of_a_grab_its_owner_is_reminded_when_its_strike_has_hit_and_it_costs_an_action() -> None:
    fight = table(bear("Grab", skills=(SourceNumber("Athletics", 11),)))
    fight.dice(2)
    fight.does(Attack("bear", "ann", "jaws"))
    assert fight.happened(FeatureReminded) == []  # missed
    fight.dice(16, 5)
    fight.does(Attack("bear", "ann", "jaws"))
    assert [one.feature for one in fight.happened(FeatureReminded)] == ["Grab"]
    assert fight.prompts == []
    before, actions = fight.encounter, fight.track("bear", "action")
    fight.does(UseFeature("bear", "grab", targets=("ann",)))
    assert ("grabbed" in fight.effects("ann"), fight.track("bear", "action")) == (True, actions - 1)
    fight.session.undo()
    assert fight.encounter == before


def test_a_strike_may_require_a_grabbed_target() -> None:
    strike = Feature("gnaw", "Gnaw", "action", attack=9, text="Unarmed.\nRequirements The bear has a creature Grabbed.")
    assert with_follow_ups((strike,), (), (), IdAllocator())[0].when == "holds"
    strike = msgspec.structs.replace(strike, text="Unarmed. Plus grab.")
    assert with_follow_ups((strike,), (), (), IdAllocator())[0].when == ""


def test_an_improved_grab_holds_by_itself() -> None:
    fight = table(bear("Improved Grab"))
    fight.dice(8, 5)
    fight.does(Attack("bear", "ann", "jaws"))
    assert ("grabbed" in fight.effects("ann"), fight.track("bear", "action")) == (True, 2)
    assert fight.prompts == []
    fight.session.undo()
    assert fight.effects("ann") == set()


def remastered(*effects: str) -> Creature:
    return bear(*effects, skills=(SourceNumber("Athletics", 11),), licence="ORC")


def bout(effect: str) -> Table:
    """A hit of a remastered bear on Ann, whose Fortitude and Reflex DCs are 15."""
    ann = creature("ann", hp=60, ac=15, saves=(("con", 5), ("dex", 5)))
    fight = Table(ann, remastered(effect), foes=("bear",), rules=pf2e())
    fight.start(bear=20, ann=10)
    return fight


@pytest.mark.parametrize(
    ("face", "anns", "bears"),
    [(18, {"restrained"}, set()), (4, {"grabbed"}, set()), (3, set(), set()), (1, set(), {"prone"})],
)
def test_a_remastered_grab_is_a_check_without_the_multiple_attack_penalty(
    face: int, anns: set[str], bears: set[str]
) -> None:
    fight = bout("Grab")
    with pytest.raises(Refused):
        fight.does(Attack("bear", "ann", "grab"))
    fight.dice(10, 5)
    fight.does(Attack("bear", "ann", "jaws"))
    fight.dice(face)
    fight.does(Attack("bear", "ann", "grab"))
    assert (fight.prompts, fight.track("bear", "action")) == ([], 1)
    held = {"grabbed", "restrained", "prone"}
    assert (fight.effects("ann") & held, fight.effects("bear") & held) == (anns, bears)
    tally = next(each for each in fight.encounter.of(Effect, "bear") if each.name == "attacks-made")
    assert tally.value == 1


@pytest.mark.parametrize(("face", "is_offered"), [(4, True), (3, False)])
def test_a_remastered_fast_swallow_follows_only_a_grab_that_succeeds(face: int, is_offered: bool) -> None:
    swift = SourceAbility(
        "Fast Swallow", "reaction", text="Trigger The bear Grabs a creature\nEffect It uses Swallow Whole."
    )
    swallow = SourceAbility("Swallow Whole", "action", text="Large, 1d6+2 bludgeoning, Rupture 9")
    skills = (SourceNumber("Athletics", 11),)
    eater = bear("Improved Grab", actions=(swallow, swift), skills=skills, licence="ORC")
    ann = creature("ann", hp=60, ac=15, saves=(("con", 5), ("dex", 5)))
    fight = Table(ann, eater, foes=("bear",), rules=pf2e())
    fight.start(bear=20, ann=10)
    fight.dice(10, 5, face)
    fight.does(Attack("bear", "ann", "jaws"))
    offered = [option.id for prompt in fight.prompts for ask in prompt.asks for option in ask.options]
    assert ("fast-swallow" in offered, "grabbed" in fight.effects("ann")) == (is_offered, is_offered)


def test_a_remastered_hold_is_extended_without_a_check() -> None:
    fight = bout("Grab")
    fight.dice(10, 5)
    fight.does(Attack("bear", "ann", "jaws"))
    fight.dice(10)
    fight.does(Attack("bear", "ann", "grab"))
    fight.ends_turn(2)
    fight.does(Attack("bear", "ann", "grab"))
    assert fight.prompts == []
    fight.ends_turn(2)
    assert "grabbed" in fight.effects("ann")
    fight.ends_turn()
    assert "grabbed" not in fight.effects("ann")


def test_a_remastered_hold_that_restrains_is_extended_as_it_is() -> None:
    fight = bout("Grab")
    fight.dice(10, 5)
    fight.does(Attack("bear", "ann", "jaws"))
    fight.dice(18)
    fight.does(Attack("bear", "ann", "grab"))
    fight.ends_turn(2)
    fight.does(Attack("bear", "ann", "grab"))
    fight.ends_turn(2)
    assert fight.effects("ann") & {"grabbed", "restrained"} == {"restrained"}
    fight.ends_turn()
    assert "restrained" not in fight.effects("ann")


@for_each(("effect", "grabs"), [("Grab", True), ("Improved Grab", False)])
def test_jaws_that_hold_bite_no_other(effect: str, *, grabs: bool) -> None:
    people = (creature(name, hp=60, ac=10) for name in ("ann", "bob"))
    claw = Feature("claw", "Claw", "action", attack=9, reach=5, damage="1d4 slashing")
    owner = bear(effect)
    owner = msgspec.structs.replace(owner, features=(*owner.features, claw))
    scene = Scene(system="pf2e", strictness="enforce")
    fight = Table(*people, owner, foes=("bear",), rules=pf2e(), scene=scene)
    fight.start(bear=20, ann=10, bob=5)
    fight.dice(10, 3)
    fight.does(Attack("bear", "ann", "jaws"))
    if grabs:
        fight.does(UseFeature("bear", "grab", targets=("ann",)))
    assert "grabbed" in fight.effects("ann")
    fight.refuses(Attack("bear", "bob", "jaws"))
    fight.dice(10, 3)
    fight.does(Attack("bear", "bob", "claw"))
    fight.ends_turn(3)
    fight.dice(15, 3, 15, 3)
    fight.does(Attack("bear", "ann", "jaws"))
    held = next(each for each in fight.encounter.of(Effect, "ann") if each.name == "grabbed")
    fight.does(EndEffect(held.id))
    fight.does(Attack("bear", "bob", "jaws"))
    if grabs:
        fight.does(UseFeature("bear", "grab", targets=("bob",)))
    assert "grabbed" in fight.effects("bob")


def test_a_second_grab_extends_the_first() -> None:
    people = (creature(name, hp=60, ac=10) for name in ("ann", "bob"))
    fight = Table(*people, bear("Grab"), foes=("bear",), rules=pf2e())
    fight.start(bear=20, ann=10, bob=5)
    for who in ("ann", "bob"):
        fight.dice(15, 3)
        fight.does(Attack("bear", who, "jaws"), anyway=True)
        fight.does(UseFeature("bear", "grab", targets=(who,)))
        if who == "ann":
            fight.ends_turn(3)
    fight.ends_turn(3)
    assert all("grabbed" in fight.effects(who) for who in ("ann", "bob"))
    fight.ends_turn()
    assert not any("grabbed" in fight.effects(who) for who in ("ann", "bob"))


@pytest.mark.parametrize(("face", "hp", "is_prone"), [(14, 47, True), (4, 51, True), (3, 51, False)])
def test_a_remastered_improved_knockdown_trips_at_once(face: int, hp: int, is_prone: bool) -> None:
    fight = bout("Improved Knockdown")
    fight.dice(10, 5, face, *([4] if face == 14 else []))
    fight.does(Attack("bear", "ann", "jaws"))
    assert (fight.prompts, fight.one("ann").hp, fight.track("bear", "action")) == ([], hp, 2)
    assert ("prone" in fight.effects("ann")) is is_prone


def test_a_remastered_push_is_a_check() -> None:
    pushing = follow_up(remastered("Push 10 feet"))
    assert (pushing.attack, pushing.push, pushing.properties) == (11, 10, ("against-con", "uncounted"))
    assert follow_up(bear("Push", licence="ORC", abilities=(("str", 4),))).attack == 4  # untrained
    for effect, note, bonus in (
        ("Grab", "+13 to Grapple", 13),
        ("Push", "+12 to Shove", 12),
        ("Push", "+13 to Grapple", 11),
    ):
        better = bear(effect, skills=(SourceNumber("Athletics", 11, note),), licence="ORC")
        assert follow_up(better).attack == bonus


def test_regeneration_heals_unless_what_ends_it_has_hurt() -> None:
    heals, _ = healing("regeneration 15 (deactivated by acid or fire)")
    troll = Creature("bear", "Troll", hp=60, ac=20, features=tuple(heals))
    fight = table(troll)
    fight.does(ApplyDamage(("bear",), "30 slashing"))
    fight.ends_turn(2)
    assert fight.one("bear").hp == 45
    fight.does(ApplyDamage(("bear",), "5 fire"))
    fight.ends_turn(2)
    assert fight.one("bear").hp == 40
    fight.ends_turn(2)
    assert fight.one("bear").hp == 55
    fight.session.undo()
    assert fight.one("bear").hp == 40


VENOM = """Saving Throw DC 17 Fortitude
Maximum Duration 6 rounds
Stage 1 1d6 poison damage and {first} (1 round)
Stage 2 as stage 1
Stage 3 2d6 poison damage, drained 1, and flat-footed (1 round)"""


def venomous(text: str, effect: str = "fog venom") -> Feature:
    block = SourceStatBlock(
        "Eel",
        1,
        hp=20,
        ac=15,
        strikes=(SourceStrike("Jaws", 9, damage=(DamagePart("1d6", "piercing"),), extra_effects=(effect,)),),
        actions=(SourceAbility("Fog Venom", text=text),),
    )
    features = creature_of(block, "eel", ConversionReport("Eel")).features
    return next(one for one in features if one.name == "Fog Venom")


def test_a_poison_with_stages_comes_with_a_hit_of_the_strike_that_lists_it() -> None:
    venom = venomous(VENOM.format(first="clumsy 2"), "1d4 fire and fog venom")
    assert (venom.trigger, venom.when, venom.save, venom.dc, venom.stage_rounds) == ("hits", "with:jaws", "con", 17, 6)
    first = AfflictionStage("1d6 poison", (InflictedCondition("clumsy", "turn-end", value=2),))
    drained, off_guard = InflictedCondition("drained", value=1), InflictedCondition("off-guard", "turn-end")
    assert venom.stages == (first, first, AfflictionStage("2d6 poison", (drained, off_guard)))


def test_what_is_not_understood_of_a_stage_and_long_stages_are_shown() -> None:
    venom = venomous(VENOM.format(first="sings"))
    assert (venom.stages[0], venom.trigger) == (
        AfflictionStage("1d6 poison", text="1d6 poison damage and sings (1 round)"),
        "hits",
    )
    fever = venomous("Saving Throw DC 17 Fortitude\nStage 1 carrier (1 day)\nStage 2 clumsy 1 (1 day)\nStage 3 dead")
    clumsy = InflictedCondition("clumsy", "turn-end", value=1)
    assert fever.stages == (
        AfflictionStage(slow=True, text="carrier (1 day)"),
        AfflictionStage(afflictions=(clumsy,), slow=True, text="clumsy 1 (1 day)"),
        AfflictionStage(afflictions=(InflictedCondition("dying", value=4),), slow=True, text="dead"),
    )


def test_a_stage_can_differ_from_a_lower_one_and_slow_its_target() -> None:
    curse = venomous(
        "Saving Throw DC 17 Will\nStage 1 1d6 poison damage, clumsy 1, and \u20135-foot status penalty to all Speeds (1 round)\n"
        "Stage 2 As stage 1, except clumsy 2 and slowed 1 (1 round)\nStage 3 as stage 2, but the victim is blinded (1 round)\n"
        "Stage 4 as stage 3"
    )
    slower = DataRule("modifier", "speed", add=-5, type="status")
    slowed, blinded = InflictedCondition("slowed", "turn-end", value=1), InflictedCondition("blinded", "turn-end")
    first = InflictedCondition("clumsy", "turn-end", value=1, rules=(slower,))
    clumsy = InflictedCondition("clumsy", "turn-end", value=2)
    assert curse.stages == (
        AfflictionStage("1d6 poison", (first,)),
        AfflictionStage("1d6 poison", (clumsy, slowed)),
        *[AfflictionStage("1d6 poison", (blinded, clumsy, slowed))] * 2,
    )


def test_a_strike_may_list_a_poison_by_another_name() -> None:
    assert venomous(VENOM.format(first="clumsy 2"), "1d4 fire and mist venom").when == "with:jaws"


def test_a_poison_that_no_strike_lists_waits_for_no_hit() -> None:
    assert venomous(VENOM.format(first="clumsy 2"), "grab").trigger == ""


SHIELD_BLOCK = "Trigger While you have your shield raised, you would take damage from a physical attack."


def guarded(*items: str) -> Feature:
    action = SourceAbility("Shield Block", "reaction", text=SHIELD_BLOCK)
    return follow_up(bear(items=items, actions=(action,)))


@pytest.mark.parametrize(
    ("items", "reduces", "named"),
    [
        (("club", "steel shield (Hardness 6, HP 24, BT 12)"), "6", " (Hardness 6, HP 24, BT 12)"),
        (("steel shield",), "5", " (Hardness 5, HP 20, BT 10)"),
        (("wooden shield",), "3", " (Hardness 3, HP 12, BT 6)"),
        (("tower of strength",), "", ""),
        (("shield of dragons",), "", ""),
    ],
)
def test_a_shield_block_takes_off_the_hardness_of_the_shield(items: tuple[str, ...], reduces: str, named: str) -> None:
    block = guarded(*items)
    assert (block.reduces, block.name) == (reduces, f"Shield Block{named}")


def test_a_raised_shield_may_block_and_a_lowered_one_may_not() -> None:
    shield = guarded("steel shield")
    sword = Feature("sword", "Sword", "action", attack=20, reach=5, damage="10 slashing")
    owner = Creature("bear", "Bear", hp=60, ac=25, features=(shield,))
    fight = Table(creature("ann", features=(sword,)), owner, foes=("bear",), rules=pf2e())
    fight.start(ann=20, bear=10)
    fight.does(SetTrack("bear", "reaction", 1))
    fight.dice(10)
    fight.does(Attack("ann", "bear", "sword"))
    assert (fight.one("bear").hp, fight.prompts) == (50, [])
    fight.does(ApplyCondition(("bear",), "shield-raised"))
    fight.dice(18)
    fight.does(Attack("ann", "bear", "sword"))
    before = fight.encounter
    fight.chooses(shield.id)
    assert (fight.one("bear").hp, fight.track("bear", "reaction")) == (45, 0)
    fight.session.undo()
    assert fight.encounter == before


def test_a_shield_takes_the_doubled_damage_that_it_leaves_and_breaks() -> None:
    shield = guarded("steel shield")
    sword = Feature("sword", "Sword", "action", attack=20, reach=5, damage="8 slashing")
    owner = Creature("bear", "Bear", hp=60, ac=25, features=(shield,))
    fight = Table(creature("ann", features=(sword,)), owner, foes=("bear",), rules=pf2e())
    fight.start(bear=20, ann=10)
    fight.does(ApplyCondition(("bear",), "shield-raised"))
    fight.ends_turn()
    fight.does(SetTrack("bear", "reaction", 1))
    fight.dice(20)
    fight.does(Attack("ann", "bear", "sword"))
    fight.chooses(shield.id)
    assert fight.one("bear").hp == 60 - (16 - 5)
    assert remaining_uses(fight.encounter, "bear", f"uses.{shield.id}") == 20 - (16 - 5)
    assert "shield-broken" in fight.effects("bear")


def test_whoever_is_swallowed_is_hurt_on_each_of_its_turns_without_a_flat_check() -> None:
    """The check meets the Reflex DC of a held target, and doubles nothing."""
    swallow = SourceAbility("Swallow Whole", "action", text="Large, 1d6+2 bludgeoning, Rupture 9")
    fight = table(bear(actions=(swallow,), skills=(SourceNumber("Athletics", 11),)))
    with pytest.raises(Refused):
        fight.does(Attack("bear", "ann", "swallow-whole"))
    fight.does(ApplyCondition(("ann",), "grabbed", by="bear"))
    fight.dice(20, 4)
    fight.does(Attack("bear", "ann", "swallow-whole"))
    assert (fight.one("ann").hp, fight.effects("ann")) == (54, {"grabbed", "slowed", "swallowed", "ongoing"})
    (held,) = (effect for effect in fight.encounter.of(Effect, "ann") if effect.name == "grabbed")
    assert held.source == "Swallow Whole"  # and the jaws are free again
    fight.ends_turn()
    fight.dice(4)
    fight.ends_turn()
    assert (fight.one("ann").hp, fight.prompts) == (48, [])
    for damage, held in (("12 fire", True), ("8 slashing", True), ("9 slashing", False)):
        fight.does(ApplyDamage(("bear",), damage, by="ann"))
        assert ("slowed" in fight.effects("ann")) is held


def test_swallowing_reaches_as_far_as_the_grab_and_deals_all_its_kinds_of_damage_each_turn() -> None:
    swallow = SourceAbility("Swallow Whole", "action", text="Large, 1d6+2 bludgeoning and 1d4 fire, Rupture 9")
    jaws = SourceStrike("Jaws", 12, ("reach 15 feet",), (DamagePart("1d8", "piercing"),), ("Improved Grab",))
    tail = SourceStrike("Tail", 12, ("reach 40 feet",), (DamagePart("1d8", "piercing"),), ("Grab",))
    block = SourceStatBlock(
        "Bear", 3, ac=18, hp=40, strikes=(tail, jaws), actions=(swallow,), skills=(SourceNumber("Athletics", 11),)
    )
    bear = creature_of(block, "bear", ConversionReport("Bear"))
    assert next(one.reach for one in bear.features if one.id == "swallow-whole") == 15
    fight = table(bear)
    fight.does(SetRelation("bear", "ann", distance=15))
    fight.does(ApplyCondition(("ann",), "grabbed", by="bear"))
    fight.does(ApplyCondition(("ann",), "restrained", by="bear"))
    fight.dice(20, 4, 3)
    fight.does(Attack("bear", "ann", "swallow-whole"))
    assert fight.one("ann").hp == 60 - 6 - 3
    fight.ends_turn()
    fight.dice(4, 2)
    fight.ends_turn()
    assert (fight.one("ann").hp, fight.prompts) == (51 - 6 - 2, [])
    fight.does(ApplyDamage(("bear",), "9 slashing", by="ann"))
    assert fight.effects("ann").isdisjoint({"grabbed", "restrained", "slowed", "swallowed", "ongoing"})


def test_retributive_strikes_by_name_reduce_by_the_level_and_strike() -> None:
    found = follow_up(bear(actions=(SourceAbility("Retributive Strike", "reaction"),)))
    assert (found.trigger, found.within, found.reduces, [step.use for step in found.does]) == (
        *("damage", 15, "5", ["any-melee"]),
    )


@pytest.mark.parametrize(
    ("text", "failure", "worst"),
    [
        ("or be slowed 1 for 1 round (or slowed 2 on a critical failure)", "slowed 1 1 round", "slowed 2 1 round"),
        (
            "or be slowed 2 for 1 round (or paralyzed for two rounds on a critical failure)",
            "slowed 2 1 round",
            "paralyzed 0 2 rounds",
        ),
        (
            "or become fleeing for 1 round (or 2 rounds on a critical failure)",
            "fleeing 0 1 round",
            "fleeing 0 2 rounds",
        ),
        (
            "or become slowed 1 for 1 round; on a critical failure, the duration is 1 minute",
            "slowed 1 1 round",
            "slowed 1 1 minute",
        ),
        (
            "against its gaze. If it fails, it's slowed 1 for 1 round, and if it critically fails, it is paralyzed for 1 round",
            "slowed 1 1 round",
            "paralyzed 0 1 round",
        ),
    ],
)
def test_a_critical_failure_lasts_longer_or_is_worse(text: str, failure: str, worst: str) -> None:
    found = conditions_in(f"Each creature must succeed at a DC 20 Will save {text}.", lambda *_: None)
    told = {one.degree or "failure": f"{one.condition} {one.value} {one.lasts}" for one in found}
    assert (told, len(found)) == ({"failure": failure, "critical-failure": worst}, 2)


def test_only_a_condition_of_its_own_name_is_worse_after_a_critical_failure() -> None:
    text = "Each creature must succeed at a DC 33 Will save or be dazzled and slowed 1 (or slowed 2 on a critical failure)."
    found = {(one.condition, one.value, one.degree) for one in conditions_in(text, lambda *_: None)}
    assert found == {("dazzled", 0, ""), ("slowed", 1, "failure"), ("slowed", 2, "critical-failure")}


def test_fear_fades_by_itself_beside_a_condition_with_a_time() -> None:
    text = "Critical Failure The creature is frightened 2 and fleeing until the end of its next turn."
    found = [(one.condition, one.ends) for one in conditions_in(text, lambda *_: None)]
    assert found == [("frightened", "never"), ("fleeing", "turn-end")]


def test_whoever_critically_fails_also_has_the_conditions_of_a_failure() -> None:
    text = "Each must attempt a save, becoming frightened 2 on a failure. On a critical failure, it's also fleeing for as long as it's frightened."
    found = conditions_in(text, lambda *_: None)
    assert [(one.condition, one.value, one.degree) for one in found] == [
        ("frightened", 2, ""),
        ("fleeing", 0, "critical-failure"),
    ]


def test_whoever_is_slowed_already_is_petrified_instead() -> None:
    text = "If it fails and has not already been slowed by this, it becomes slowed 1. If it was already slowed by this, a failed save causes it to be petrified."
    found = conditions_in(f"It must attempt a DC 22 Fortitude save. {text}", lambda *_: None)
    assert [(one.condition, one.value, one.when) for one in found] == [
        ("petrified", 0, "slowed"),
        ("slowed", 1, "not slowed"),
    ]


def test_two_breath_weapons_are_two_features_that_rest_together() -> None:
    text = """The bear breathes in one of two ways. It can't use Breath Weapon again for 1d4 rounds.

\u2022 Frost (cold) The bear breathes a 30-foot cone that deals 6d6 cold damage (DC 20 basic Reflex save).
\u2022 Slowing Gas The bear breathes a 30-foot cone of gas. Each creature must succeed at a DC 20 Fortitude save or be slowed 1."""
    frost, gas = bear(actions=(SourceAbility("Breath Weapon", "action", text=text),)).features[-2:]
    assert (frost.damage, frost.rests, gas.name, gas.damage) == ("6d6 cold", "1d4", "Breath Weapon (Slowing Gas)", "")
    assert (gas.shares, [one.condition for one in gas.afflictions]) == (frost.id, ["slowed"])


def test_a_rend_deals_the_damage_of_its_strike() -> None:
    assert follow_up(bear(actions=(SourceAbility("Rend", "action", text="jaws"),))).damage == "1d8+4 piercing"
    assert follow_up(bear(actions=(SourceAbility("Rend", "action", text="claw"),))).damage == ""


@pytest.mark.parametrize(
    ("time", "lasts", "told"),
    [
        ("for 1 minute", "1 minute", []),
        ("for 10 minutes", "10 minutes", []),
        ("for 1d4 rounds", "1d4 rounds", []),
        ("for 11d4 rounds", "", ["afflictions"]),
    ],
)
def test_the_time_of_a_condition_is_kept_unless_its_dice_are_unusual(time: str, lasts: str, told: list[str]) -> None:
    notes: list[str] = []
    text = f"Failure The creature is sickened 1 {time}.\nCritical Failure It goes away."
    assert conditions_in(text, lambda field, *_: notes.append(field)) == (
        InflictedCondition("sickened", value=1, degree="failure", lasts=lasts),
    )
    assert notes == told


@pytest.mark.parametrize(
    ("text", "rests", "told"),
    [
        ("The dragon breathes fire. It can't use Breath Weapon again for 1d4 rounds.", "1d4", 0),
        ("It can't use its Breath Weapon again for 1d6 rounds or until it takes a critical hit.", "1d6", 1),
        ("It can't use this ability again for 10 minutes.", "", 1),
        ("The aeolaeka can't Liberate the Earth for 1d4 rounds.", "1d4", 0),
        ("Once the vrock uses Spore Cloud, the ability can't be used for 1d6 rounds.", "1d6", 0),
    ],
)
def test_the_rounds_until_the_next_use_are_read(text: str, rests: str, told: int) -> None:
    notes: list[str] = []
    numbers = read_ability("Breath Weapon", text, "dragon", (), lambda *note: notes.append(note[0]))
    assert (numbers.get("rests", ""), len(notes)) == (rests, told)


def test_what_hit_points_and_saves_state_is_not_named_again() -> None:
    named = ("Fast Healing 10", "+1 Status to All Saves vs. Magic", "+2 Status to All Saves vs. Poison", "Grab")
    remarks = (SourceNote("hp", "fast healing 10"), SourceNote("saves", "+1 status to all saves vs. magic"))
    passive, _ = from_remarks(remarks, IdAllocator())
    features = (
        *map(partial(Feature, "a"), named),
        Feature("b", "Fast Healing 10 (Underground)", text="In mud, it heals."),
    )
    general = "This monster regains the listed number of Hit Points each round. Any of a listed type deactivates it."
    again = Feature("c", "Regeneration 5 (Deactivated by Fire)", text=general)
    own, _ = from_remarks((SourceNote("hp", "regeneration 5 (deactivated by fire)"),), IdAllocator())
    assert without_repeats((again,), own) == ()
    assert without_repeats((again,), passive) == (again,)
    kept = [one.name for one in without_repeats(features, passive)]
    assert kept == ["+2 Status to All Saves vs. Poison", "Grab", "Fast Healing 10 (Underground)"]


@pytest.mark.parametrize(
    "text",
    [
        "\u2022 Owl scent; Speed 10 feet, fly 40 feet; Melee beak +9 (finesse), Damage 1d4\u20131 piercing plus 1d4 poison",
        "\u2022 Owl\n\u2022 Speed 10 feet, fly 40 feet\n\u2022 Melee beak +9 (finesse), Damage 1d4-1 piercing damage + 1d4 poison damage",
    ],
)
def test_a_shape_has_strikes_of_its_own(text: str) -> None:
    *others, beak = (
        one
        for one in bear(actions=(SourceAbility("Change Shape", "action", text=text),)).features
        if one.attack is not None and not one.trigger
    )
    assert {one.only for one in others} == {"not form:owl"}
    assert (beak.name, beak.only, beak.attack, beak.damage, beak.properties) == (
        "Beak (owl)",
        "form:owl",
        9,
        "1d4-1 piercing + 1d4 poison",
        ("finesse",),
    )


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("It takes on the appearance of a humanoid. It loses its jaws Strike.", "not changed-shape"),
        ("In humanoid shape, it is Medium, and loses its claws and jaws Strikes.", "not form:human"),
        ("This doesn't change its Strikes.", ""),
    ],
)
def test_a_strike_that_is_lost_in_another_shape_is_only_there_in_its_own(text: str, only: str) -> None:
    jaws = bear(actions=(SourceAbility("Change Shape", "action", text=text),)).features[0]
    assert (jaws.name, jaws.only) == ("Jaws", only)


@pytest.mark.parametrize(
    ("text", "feet"),
    [
        ("A creature within 60 feet must attempt a DC 20 Will save.", "60"),
        ("It closes the mist around a creature in a cloud up to 120 feet away (DC 20 basic Fortitude save).", "120"),
    ],
)
def test_the_distance_of_a_target_is_its_range(text: str, feet: str) -> None:
    assert read_ability("Crush", text, "giant", (), lambda *_: None)["range"] == feet


@pytest.mark.parametrize("who", ["each living creature", "each non-troll creature"])
def test_an_ability_against_each_creature_within_a_distance_has_an_area(who: str) -> None:
    found = read_ability(
        "Roar", f"It roars, and {who} within 30 feet must attempt a DC 20 Will save.", "bear", (), print
    )
    assert (found["area"], "range" in found) == ("30-foot emanation", False)


def test_a_failure_without_a_critical_one_is_also_that() -> None:
    text = "Each creature must attempt a DC 20 Will save.\nSuccess It is dazzled for 1 round.\nFailure It is blinded for 1 round."
    degrees = [(one.condition, one.degree) for one in conditions_in(text, lambda *_: None)]
    assert degrees == [("dazzled", "success"), ("blinded", "failure"), ("blinded", "critical-failure")]


@pytest.mark.parametrize(("words", "per"), [("once per hour", "hour"), ("once per 10 minutes", "encounter")])
def test_a_use_in_ten_minutes_is_one_in_a_fight(words: str, per: str) -> None:
    found = read_ability("Display", f"Frequency {words}\nEffect It gleams.", "drake", (), lambda *_: None)
    assert (found["uses"], found["per"]) == (1, per)
