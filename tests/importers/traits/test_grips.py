"""What a grapple does to the attacks of the creature that holds, as its text says."""

from __future__ import annotations

import msgspec
import pytest

from tests.for_each import for_each
from tests.importers.traits.readers import shipped_readers
from tests.play.attack_table import AXE, Fray
from tests.table import Table, a5e, creature, dnd5e
from turnwright.encounter.prepared import Creature, Feature, InflictedCondition, Scene, SourceNote
from turnwright.encounter.running import Effect
from turnwright.importers.statblock_text.features import feature_of
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.effects.conditions import ApplyCondition
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.parts.combatants.facts import speeds_of
from turnwright.storage.atomic import IdAllocator
from turnwright.storage.fights import ConversionReport

GRAPPLED = (InflictedCondition("grappled", escape_dc=13),)
SLAM = Feature("slam", "Slam", "action", attack=8, reach=5, damage="1d8 bludgeoning")


def read(text: str, name: str = "Earth’s Embrace", id: str = "earths-embrace") -> tuple[str, list[str]]:
    feature = Feature(id, name, "action", attack=8, reach=5, damage="1d8 bludgeoning", text=text, afflictions=GRAPPLED)
    found = shipped_readers().of("a5e").creature(creature("c", features=(feature, SLAM)))[0].features[0]
    return found.when, [rule.when for rule in found.rules]


@for_each(
    ("text", "name", "when", "edges"),
    [
        ("Until this grapple ends, the target is restrained, and the toad can't bite another target.", "Bite", "holds | not gripping:bite", []),
        ("Until this grapple ends the eagle can’t attack a different target with its talons.", "Talons", "holds | not gripping:talons", []),
        ("Until this grapple ends, it can bite only the grappled creature and has advantage on attack rolls to do so.", "Bite", "holds | not gripping:bite", ["with:bite, holds"]),
        ("Until this grapple ends, the giant can't grab another target, and it makes slam attacks with advantage against the grappled target.", "Grab", "holds | not gripping:grab", ["with:slam, holds"]),
        ("Until this grapple ends, it can’t burrow or use Hug and its slam attacks are made with advantage.", "Hug", "not gripping:hug", ["with:slam, holds"]),
        ("Until this grapple ends, the target can't breathe, and it has advantage on attack rolls against it.", "Garrote", "", ["holds"]),
        ("Until this grapple ends, it can't use any attack other than throttle on it.", "Throttle", "", []),
        ("Until the grapple ends, this chain can only attack the grappled target.", "Chain", "", []),
        ("Until this grapple ends, the target is restrained.", "Tail", "", []),
    ],
)  # fmt: skip
def test_a_grapple_limits_its_own_attack_and_favours_those_it_names(
    text: str, name: str, when: str, edges: list[str]
) -> None:
    assert read(f"The target is grappled (escape DC 13). {text}", name, name.lower()) == (when, edges)


@pytest.mark.parametrize(
    ("said", "damage", "at"),
    [
        ("it takes 7 (2d6) piercing damage plus 3 (1d6) fire damage at the beginning of each of its turns", "2d6 piercing + 1d6 fire", "turn-start"),
        ("takes 9 (2d8) Bludgeoning damage at the start of each of the elemental's turns", "2d8 bludgeoning", "owner-start"),
        ("it takes 7 (2d6) piercing damage at the end of the round", "", ""),
    ],
)  # fmt: skip
def test_a_grapple_can_hurt_as_long_as_it_lasts(said: str, damage: str, at: str) -> None:
    text = f"Until the grapple ends, the target is restrained, and {said}."
    whelm = Feature("whelm", "Whelm", "action", save="str", dc=15, text=text, afflictions=GRAPPLED)
    found = shipped_readers().of("dnd5e").creature(creature("c", features=(whelm,)))[0].features[0]
    assert (found.ongoing, found.ongoing_at, found.ongoing_while) == (damage, at, "grappled" if damage else "")


def test_one_who_holds_a_creature_is_warned_of_another_and_has_advantage_against_the_first() -> None:
    text = "Until this grapple ends, it can bite only the grappled creature and has advantage on attack rolls to do so."
    bite = Feature("bite", "Bite", "action", attack=9, reach=5, damage="1 piercing", text=text, afflictions=GRAPPLED)
    ankheg = shipped_readers().of("a5e").creature(creature("ankheg", features=(bite, AXE)))[0]
    table = Fray(ankheg, creature("orc"), creature("elf"), foes=("orc", "elf"))
    table.puts(ankheg=(1, 1), orc=(2, 1), elf=(1, 2))
    assert not table.preview("ankheg", "elf", "bite").vetoes
    table.strikes("ankheg", "orc", "bite", 18)
    assert [kind for kind, _ in table.edges("ankheg", "orc", "bite")] == ["advantage"]
    assert table.edges("ankheg", "orc", "axe") == []
    reasons = {who: [veto.reason for veto in table.preview("ankheg", who, "bite").vetoes] for who in ("orc", "elf")}
    assert "refused.target_not_meant" in reasons["elf"]
    assert "refused.target_not_meant" not in reasons["orc"]
    axe = [veto.reason for veto in table.preview("ankheg", "elf", "axe").vetoes]
    assert "refused.target_not_meant" not in axe


def test_a_bite_can_grapple_instead_of_piercing_and_then_holds_a_large_target() -> None:
    text = "Instead of dealing piercing damage, the drake can grapple the target (escape DC 20), and a Large or smaller creature grappled in this way is restrained. While grappling a creature, the drake can't bite another target."
    bite = Feature("bite", "Bite", "action", attack=12, reach=10, damage="1d10 piercing + 1d8 acid", text=text)
    drake = shipped_readers().of("a5e").creature(creature("drake", features=(bite,)))[0]
    table = Fray(drake, creature("orc"), creature("elf"), foes=("orc", "elf"), scene=Scene(strictness="off"))
    table.puts(drake=(1, 1), orc=(2, 1), elf=(1, 2))
    table.strikes("drake", "elf", "bite", 18, 1, 1)
    assert table.effects("elf") == set()
    table.strikes("drake", "orc", "bite", 18, 3, other_damage="grapples")
    assert (table.lost("orc"), table.effects("orc")) == (3, {"grappled", "restrained"})
    assert table.preview("drake", "elf", "bite").vetoes


@pytest.mark.parametrize("words", ["one bite attack", "another attack with its bite"])
@pytest.mark.parametrize("only", ["", "form:cat | form:tiger"])
def test_what_pounces_attacks_the_fallen_for_a_bonus_action(words: str, only: str) -> None:
    text = f"If the target is prone, the cat can make {words} against it as a bonus action."
    pounce = Feature("pounce", "Pounce (Cat Form Only)", text=text, trigger="hits", only=only)
    bite = Feature("bite", "Bite", "action", attack=5, reach=5, damage="1d6 piercing", properties=("weapon",))
    cat = shipped_readers().of("dnd5e").with_further(Creature("cat", "Cat", hp=9, features=(bite, pounce)))
    again = cat.features[-1]
    assert (again.name, again.cost) == ("Pounce (Bonus Action)", "bonus")
    assert again.only == (f"has-attacked, ({only})" if only else "has-attacked")
    if not only:
        table = Table(cat, "ogre", foes=("ogre",), rules=dnd5e(), scene=Scene(system="dnd5e", strictness="enforce"))
        table.start(cat=12, ogre=5)
        jump = UseFeature("cat", again.id, targets=("ogre",))
        assert table.refuses(jump)
        table.does(ApplyCondition(("ogre",), "prone"))
        table.dice(15, 15, 3, 15, 15, 3)
        table.does(Attack("cat", "ogre", "bite"))
        hp = table.one("ogre").hp
        table.does(jump)
        assert (table.track("cat", "bonus"), table.one("ogre").hp) == (0, hp - 3)


@pytest.mark.parametrize("feet", [15, 20])
def test_what_pounces_attacks_only_those_whom_it_ran_down(feet: int) -> None:
    text = (
        "If the cat moves at least 20 feet straight toward a creature and then hits it with a bite attack on the same turn, "
        "that target must succeed on a DC 12 Strength saving throw or be knocked prone. "
        "If the target is prone, the cat can make another attack with its bite against it as a bonus action."
    )
    bite = Feature("bite", "Bite", "action", attack=5, reach=5, damage="1d6 piercing", properties=("weapon",))
    reader = shipped_readers().of("dnd5e")
    cat = reader.with_further(Creature("cat", "Cat", hp=9, features=(bite, Feature("pounce", "Pounce", text=text))))
    table = Table(cat, "ogre", foes=("ogre",), rules=dnd5e(), scene=Scene(system="dnd5e", strictness="enforce"))
    table.start(cat=12, ogre=5)
    table.does(ApplyCondition(("ogre",), "prone"))
    table.does(MoveFeet("cat", feet))
    table.dice(15, 15, 3, 15, 15, 3)
    table.does(Attack("cat", "ogre", "bite"))
    jump, hp = UseFeature("cat", "pounce-bonus-action", targets=("ogre",)), table.one("ogre").hp
    if feet < 20:
        assert table.refuses(jump)
    else:
        table.does(jump)
        assert (table.track("cat", "bonus"), table.one("ogre").hp) == (0, hp - 3)


def test_a_creature_with_more_resistances_in_its_lair_can_spend_one_more() -> None:
    text = "If the kraken fails a saving throw, it can choose to succeed instead."
    resists = Feature(
        "resists", "Legendary Resistance (or 4/Day in Lair)", text=text, uses=3, properties=("legendary-resistance",)
    )
    reader = shipped_readers().of("dnd5e")
    found = reader.with_further(reader.creature(Creature("kraken", "Kraken", hp=9, features=(resists,)))[0]).features
    assert [(one.name, one.uses) for one in found][1:] == [("Legendary Resistance in Its Lair", 1)]
    assert (found[0].uses, found[1].properties, found[1].per) == (3, ("legendary-resistance",), resists.per)
    plain = msgspec.structs.replace(resists, name="Legendary Resistance")
    assert len(reader.with_further(Creature("kraken", "Kraken", hp=9, features=(plain,))).features) == 1


def test_a_reaction_that_names_an_attack_makes_it_with_its_own_numbers() -> None:
    tail = Feature(
        "tail", "Tail", "action", attack=9, reach=15, damage="2d8 bludgeoning", push=10, properties=("weapon",)
    )
    text = "When a creature the drake can see within 10 feet hits it with a melee attack, the drake makes a tail attack against it."
    lash = Feature("lash", "Tail Attack", "reaction", text=text, attack=9, reach=10, damage="1d8 bludgeoning")
    drake = shipped_readers().of("a5e").creature(Creature("drake", "Drake", hp=30, features=(tail, lash)))[0]
    table = Table(drake, creature("orc", hp=40, features=(AXE,)), foes=("orc",), rules=a5e())
    table.start(orc=12, drake=5)
    table.dice(18, 3)
    table.does(Attack("orc", "drake", "axe"))
    table.dice(15, 6, 7)
    table.chooses("lash")
    assert table.one("orc").hp == 40 - 6 - 7


@for_each(
    ("text", "most"),
    [
        ("it has the Grappled condition (escape DC 13) from one of two claws.", 2),
        ("it has the Grappled condition (escape DC 13) from both claws.", 1),
        ("it is grappled (escape DC 13). The crab has two claws, each of which can grapple only one target.", 2),
        ("it is grappled (escape DC 13) if the crab isn't already grappling a creature.", 1),
    ],
)
def test_a_grapple_holds_as_many_creatures_as_its_limbs(text: str, most: int) -> None:
    claw = Feature("claw", "Claw", "action", attack=8, reach=5, damage="1d8 bludgeoning", afflictions=GRAPPLED)
    claw = msgspec.structs.replace(
        claw, read=("afflictions",), text=f"If the target is a Large or smaller creature, {text}"
    )
    crab = shipped_readers().of("dnd5e").creature(creature("crab", attacks=3, features=(claw,)))[0]
    table = Fray(crab, "ann", "bob", "cid", foes=("ann", "bob", "cid"), rules=dnd5e(), scene=Scene(strictness="off"))
    table.puts(crab=(2, 2), ann=(2, 1), bob=(1, 2), cid=(3, 2))
    for who in ("ann", "bob", "cid"):
        table.strikes("crab", who, "claw", 18, 3)
    assert [who for who in ("ann", "bob", "cid") if "grappled" in table.effects(who)] == ["ann", "bob"][:most]


def test_a_creature_that_clings_attacks_only_its_victim_with_advantage_until_anyone_detaches_it() -> None:
    text = (
        "Hit: 6 piercing damage, and if the target is Large or smaller, the cloak attaches to it. While attached, the cloak "
        "can make this attack only against the target and has advantage on the attack roll. A creature, including the "
        "target, can take its action to detach the cloak by succeeding on a DC 16 Strength check. "
        "The cloak can detach itself by spending 5 feet of its movement."
    )
    bite = Feature("bite", "Bite", "action", attack=6, reach=5, damage="1d6 piercing", text=text)
    share = Feature(
        "share", "Damage Transfer",
        text="While attached to a creature, the cloak takes only half the damage dealt to it, and that creature takes the other half.",
    )  # fmt: skip
    reader = shipped_readers().of("dnd5e")
    cloak = reader.with_further(reader.creature(creature("cloak", hp=40, features=(bite, share)))[0])
    table = Fray(cloak, "ann", "bob", foes=("ann", "bob"), rules=dnd5e(), scene=Scene(strictness="off"))
    table.puts(cloak=(1, 1), ann=(2, 1), bob=(1, 2))
    table.strikes("cloak", "ann", "bite", 15, 3)
    assert "clung-to" in table.effects("ann")
    assert ("advantage", "") in table.edges("cloak", "ann", "bite")
    assert table.preview("cloak", "bob", "bite").vetoes
    table.does(ApplyDamage(("cloak",), "10 slashing"))
    assert (table.one("cloak").hp, table.lost("ann")) == (35, 3 + 5)
    (clung,) = (one for one in table.encounter.of(Effect, "ann") if one.name == "clung-to")
    assert (clung.wakes, clung.value) == ("action", 16)
    table.does(UseFeature("cloak", "bite-detach", targets=("ann",)))
    assert "clung-to" not in table.effects("ann")


def test_a_werecreature_has_the_armor_class_and_the_speeds_of_its_form() -> None:
    text = (
        "The werebear can use its action to polymorph into a Large bear-humanoid hybrid or into a Large bear, or back into "
        "its true form, which is humanoid. Its statistics, other than its size and AC, are the same in each form. Any "
        "equipment it is wearing or carrying isn't transformed. It reverts to its true form if it dies."
    )
    change = Feature("change", "Shapechanger", text=text)
    remarks = (SourceNote("speeds", "40 ft., climb 30 ft. in bear or hybrid form"),)
    bear = Creature("bear", "Werebear", ac=10, ac_note="10 in humanoid form, 11 (natural armor) in bear form", hp=9)
    bear = msgspec.structs.replace(bear, features=(change,), remarks=remarks)
    found = shipped_readers().of("dnd5e").creature(bear)[0]
    forms = [step.form for step in found.features[0].does if step.form]
    assert forms == ["Large bear-humanoid hybrid (walk 40, climb 30)", "Large bear (ac 11, walk 40, climb 30)"]
    table = Table(found, "ann", foes=("bear",), rules=dnd5e())
    table.start(bear=12, ann=5)
    table.does(UseFeature("bear", "change"))
    table.chooses(table.prompt.asks[0].options[1].id)
    speeds = speeds_of(table.encounter, table.rules, "bear")
    assert {mode: speeds[mode].value for mode in ("walk", "climb")} == {"walk": 40, "climb": 30}
    assert armor_class(table.encounter, table.rules, "bear").total == 11


def test_the_forms_of_animals_have_their_size() -> None:
    text = "The wererat can use its action to polymorph into a rat-humanoid hybrid or into a giant rat, or back into its true form, which is humanoid. Its statistics, other than its size, are the same in each form."
    rat = Creature("rat", "Wererat", hp=9, features=(Feature("change", "Shapechanger", text=text),))
    found = shipped_readers().of("dnd5e").creature(rat)[0]
    assert [step.form for step in found.features[0].does] == ["Rat-humanoid hybrid", "Giant rat (small)", ""]


@for_each(
    ("text", "by_save"),
    [
        ("The eel makes one bite attack against a Medium or smaller target it is grappling. If the attack hits, the target is swallowed, and the grapple ends. The swallowed target is blinded and restrained, and it takes 7 (2d6) acid damage at the start of each of the eel's turns. The eel can have only one target swallowed at a time.", False),
        ("Strength Saving Throw: DC 15, one Medium or smaller creature Grappled by the eel (the eel can have only one creature swallowed at a time). Failure: The target is swallowed, and the Grappled condition ends. A swallowed creature has the Blinded and Restrained conditions, and it takes 7 (2d6) Acid damage at the start of each of the eel's turns.", True),
    ],
)  # fmt: skip
def test_what_is_swallowed_is_no_longer_grappled_and_may_be_the_only_one(text: str, by_save: bool) -> None:
    swallow = feature_of(IdAllocator(), "Swallow", text, "action", ConversionReport("Eel"))
    if not by_save:
        swallow = msgspec.structs.replace(swallow, attack=8, reach=5, damage="1d8 piercing")
    slam = msgspec.structs.replace(SLAM, afflictions=GRAPPLED)
    reader = shipped_readers().of("dnd5e")
    eel = reader.with_further(reader.creature(creature("eel", features=(slam, swallow)))[0])
    table = Fray(eel, "ann", "bob", foes=("ann", "bob"), rules=dnd5e(), scene=Scene(strictness="off"))
    table.puts(eel=(1, 1), ann=(2, 1), bob=(1, 2))
    table.strikes("eel", "ann", "slam", 15, 3)
    table.dice(*((1,) if by_save else (15, 3)))
    table.does(UseFeature("eel", "swallow", targets=("ann",)) if by_save else Attack("eel", "ann", "swallow"))
    assert {"blinded", "restrained"} <= set(table.effects("ann"))
    assert "grappled" not in table.effects("ann")
    assert eel.features[1].when == "holds, not gripping:swallow"
    table.strikes("eel", "bob", "slam", 15, 3)
    assert by_save or table.preview("eel", "bob", "swallow").vetoes
