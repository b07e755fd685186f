"""One fight for each entry of the catalogue: from its samples, its moment comes or its rule is on the roll, undo included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
import pytest

from tests.importers.traits.readers import shipped_readers
from tests.importers.traits.test_catalogue import OWN, feature_of, read, shipped
from tests.table import Table, a5e, creature, dnd5e, pf2e
from turnwright.bootstrap import RuleSystems
from turnwright.encounter.prepared import (
    AfflictionStage,
    Area,
    Creature,
    Feature,
    FeatureStep,
    InflictedCondition,
    Map,
    RosterEntry,
    Scene,
)
from turnwright.encounter.running import Effect
from turnwright.importers.traits.catalogue import CompiledEntry
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature
from turnwright.play.attacks.attack_request import Attack, Attacked
from turnwright.play.damage.damage_roll import ApplyDamage
from turnwright.play.damage.manual_hit_points import Heal, SetDead, SetTrack
from turnwright.play.effects.conditions import ApplyCondition, EndEffect
from turnwright.play.kernel.transaction import Refused
from turnwright.play.movement.commanded_move import MovePath
from turnwright.play.movement.forced_movement import StandUp
from turnwright.play.setup.prepared_records import Add
from turnwright.play.state.action_economy import SpendResource
from turnwright.play.state.events import EffectGained
from turnwright.play.state.position_changes import SetPosition
from turnwright.rules.parts.attacks.attack_targeting import ward_against
from turnwright.rules.parts.conditions.condition_rules import compiled_rules, rules_held
from turnwright.rules.parts.economy.limited_uses import affordable_legendary_actions, denial_vetoes
from turnwright.rules.system import Hook, HookContext, run_hooks
from turnwright.rules.system_data.statements import Fact, facts_in

BESIDE = {"ann": (1, 1), "bob": (2, 2), "troll": (2, 1)}
PLACES = {
    "other-starts": {**BESIDE, "ann": (15, 15)},
    "other-ends": {**BESIDE, "bob": (15, 15)},
    "enters": {**BESIDE, "ann": (14, 14), "bob": (15, 15)},
    "hits": {**BESIDE, "troll": (8, 1)},
}
RULED = ("advantage", "disadvantage")
FOR_OTHERS = ("attacked", "damage")
UNSTAGED = frozenset(
    {"ally-seen", "dealt", "dealt-in-turn", "gripping", "holds", "in", "riding", "type"}
)  # facts that no fight here has


def fight(game: str, feature: Feature, *, hp: int = 60) -> Table:
    """Ann, who goes first, and Bob against a troll with the feature, on a map where its moment can come."""
    kind = next((one.argument for one in facts_in(feature.when) if one.word == "kind"), "slashing")
    kind = "slashing" if feature.trigger == "dropping" else kind
    ram = Feature("ram", "Ram", "action", attack=5, reach=5, damage=f"1d6 {kind}", properties=("claw",))
    bow = Feature("bow", "Bow", "action", attack=5, range="60/120", damage=f"1d6 {kind}", properties=("ranged",))
    dispel = Feature("dispel", "Dispel Magic", "action", level=3, range="120", properties=("spell",))
    breath = Feature("breath", "Breath", "action", save="dex", dc=15, damage="1d6 cold")
    rules = RuleSystems().get(game)
    rat = {"rat": (1, 2)} if feature.trigger in FOR_OTHERS and feature.within else {}
    table = Table(
        creature("ann", features=(ram, bow, breath, dispel), hp=60),
        creature("bob", hp=60),
        creature("troll", hp=hp, features=(*OWN, feature)),
        *(creature(who, hp=60) for who in rat),
        roster=[
            RosterEntry(who, who, side="party" if who in ("ann", "bob") else "enemies", positions=(square,))
            for who, square in {**PLACES.get(feature.trigger, BESIDE), **rat}.items()
        ],
        rules=rules,
        scene=Scene(system=game, strictness="warn"),
    )
    table.does(Add((Map(columns=20, rows=20),)))
    table.start(ann=20, bob=15, troll=10, **dict.fromkeys(rat, 5))
    table.does(SetTrack("troll", "reaction", 1))
    table.events.clear()
    return table


def _hurts(table: Table) -> None:
    table.dice(15, 4)
    table.does(Attack("ann", "troll", "ram"))


def _strikes(table: Table, face: int) -> None:
    table.ends_turn(2)
    if table.one("troll").position != BESIDE["troll"]:
        table.does(MovePath("troll", tuple((7 - at, 1) for at in range(6))))
    table.dice(face, 4)
    table.does(Attack("troll", "ann", "claw"))


def _fells(table: Table) -> None:
    table.ends_turn(2)
    table.does(ApplyDamage(("ann",), "60 slashing", by="troll", attack="melee"))


def _comes(table: Table) -> None:
    table.does(MovePath("ann", tuple((14 - at, 14 - at) for at in range(1, 13))), anyway=True)


def _starts(table: Table) -> None:
    """The start of the fight itself, which has been."""


def _regains(table: Table) -> None:
    table.does(ApplyDamage(("troll",), "9 slashing"))
    table.ends_turn(2)


def _recovers(table: Table) -> None:
    condition = "slowed" if "slowed" in table.rules.conditions else "frightened"
    table.does(ApplyCondition(("troll",), condition, by="ann", value=1))
    table.does(ApplyDamage(("troll",), "35 slashing"))
    table.ends_turn(3)


def _misses(table: Table) -> None:
    table.dice(2)
    table.does(Attack("ann", "troll", "ram"))


def _nearly_misses(table: Table) -> None:
    table.dice(5, 4)
    table.does(Attack("ann", "troll", "ram"))


def _answered(feature: Feature, table: Table) -> bool:
    """Ann attacks as the facts of an answer say: from afar, with a critical hit, or an ally. Return whether they do."""
    facts = [fact.word for fact in facts_in(feature.when) if not fact.negated]
    at_ally = feature.trigger in FOR_OTHERS and feature.within
    shoots = (
        "ranged" in facts
        or "not melee" in feature.when
        or (feature.trigger == "enemy-acts" and "not moving" in feature.when)
    )
    if not (at_ally or shoots or (feature.trigger == "damage" and "critical" in facts)):
        return False
    face = 20 if "critical" in facts else 5 if feature.trigger == "attacked" else 15
    table.dice(*[face, face] if shoots and table.rules.id == "a5e" else [face], 4, 4)
    table.does(Attack("ann", "rat" if at_ally else "troll", "bow" if shoots else "ram"))
    return True


def _breathes(table: Table) -> None:
    table.dice(3, 4)
    table.does(UseFeature("ann", "breath", targets=("troll",)))


MOMENTS: Mapping[str, Callable[[Table], None]] = {
    "turn-start": _regains,
    "turn-end": _recovers,
    "other-starts": lambda table: table.ends_turn(1),
    "other-ends": lambda table: table.ends_turn(1),
    "attacked": _nearly_misses,
    "hit": _hurts,
    "missed": _misses,
    "damage": _hurts,
    "hurt": _hurts,
    "bloodied": lambda table: table.does(ApplyDamage(("troll",), "35 slashing")) and None,
    "dropping": lambda table: table.does(ApplyDamage(("troll",), "10 slashing")) and None,
    "dies": lambda table: table.does(SetDead("troll")) and None,
    "hits": lambda table: _strikes(table, 15),
    "misses": lambda table: _strikes(table, 2),
    "crits": lambda table: _strikes(table, 20),
    "downs": _fells,
    "fails": _breathes,
    "dispelled": lambda table: table.does(UseFeature("ann", "dispel", targets=("troll",))) and None,
    "enters": _comes,
    "enemy-acts": lambda table: table.does(MovePath("ann", ((1, 2), (1, 3), (1, 4)))) and None,
}


def told(table: Table, name: str) -> bool:
    """Whether a card or an event names a feature."""
    shown = [msgspec.to_builtins(one) for one in (*table.prompts, *table.events)]
    return name in repr(shown) or "sample" in repr(shown)


def stated(fact: Fact) -> str:
    """A fact as a person says that it is so, or not, for one roll."""
    return f"{'not ' if fact.negated else ''}{fact.subject}{'.' if fact.subject else ''}{fact.name}"


EVERY_FIFTH = pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)])


def failures(check: Callable[[str, CompiledEntry], None], entries: list[tuple[str, CompiledEntry]]) -> list[str]:
    """Return what each entry fails, with its id."""
    assert len(entries) >= 20
    failed = []
    for game, entry in entries:
        try:
            check(game, entry)
        except (AssertionError, Refused) as error:
            failed.append(f"{game}-{entry.entry.id}: {error}")
    return failed


@EVERY_FIFTH
def test_the_moment_of_an_entry_comes_and_is_undone(step: int) -> None:
    triggered = [(game, entry) for game, entry in shipped() if entry.gives.get("trigger")]
    assert failures(moment_comes, triggered[::step]) == []


def moment_comes(game: str, entry: CompiledEntry) -> None:
    """Play a fight in which the moment of an entry comes, and undo it."""
    found = read(game, feature_of(entry, " ".join(entry.entry.samples)))
    assert found is not None
    feature = msgspec.structs.replace(found.feature, id="sample", name="Sample")
    moment = feature.trigger
    assert moment in MOMENTS or moment == "starts"
    small = moment in ("dropping", "dies")
    table = fight(game, feature, hp=10 if small else 60)
    if moment == "starts" or feature.when in ("opportunity", "target.larger") or "prone" in feature.when:
        return  # nobody is prone or larger here, and nobody leaves
    if entry.entry.adds and entry.gives.keys() <= {"trigger", "within", "when", "automation"}:
        return  # it says when, and another sentence says what
    if (moment in ("hurt", "hit") and "critical" in feature.when) or "not other.hostile" in feature.when:
        return  # no hit here is critical, and no ally comes
    if (moment == "enemy-acts" and "spell" in feature.when) or "not kind:cold" in feature.when:
        return  # nobody casts here, and all damage is cold damage
    if feature.only == "bloodied" or (
        moment in ("hurt", "other-starts", "turn-start")
        and "bloodied" in feature.when
        and "not bloodied" not in feature.when
    ):
        table.does(ApplyDamage(("troll",), "35 slashing"))
    before = table.encounter
    if not _answered(feature, table):
        MOMENTS[moment](table)
    is_staged = UNSTAGED.isdisjoint(fact.word for fact in facts_in(feature.when))
    is_staged = is_staged and "other.bl" not in feature.when and "other.charmed" not in feature.when
    assert (
        told(table, "Sample")
        or not is_staged
        or any(step.recharges or step.restores or step.ends for step in feature.does)
    ), (
        [(p.title, p.asks) for p in table.prompts],
        table.events,
    )
    while table.encounter != before:
        table.session.undo()


@pytest.mark.parametrize(
    "text",
    [
        "When a creature the hag can see within 60 feet casts a spell using a 3rd-level or lower spell slot, the hag attempts to steal its power. The caster makes a DC 14 saving throw using its spellcasting ability. On a failure, the spell fails.",
        "When a creature within 60 feet casts a spell that targets the lich, the lich attempts to interrupt it. On a success, the spell fails.",
    ],
)
def test_a_reaction_to_spells_is_offered_when_an_enemy_casts_one(text: str) -> None:
    found = read("a5e", Feature("steal", "Steal", "reaction", text=text))
    bolt = Feature("bolt", "Bolt", "action", attack=5, range="60", damage="1d8 fire", properties=("spell",))
    assert found is not None
    table = Table(
        creature("hag", features=(found.feature,)), creature("tam", features=(bolt,)), foes=["hag"], rules=a5e()
    )
    table.start(tam=20, hag=5)
    table.does(UseFeature("tam", "bolt", targets=("hag",)))
    assert told(table, "Steal")


@pytest.mark.parametrize("game", ["dnd5e", "a5e"])
def test_a_marilith_has_its_reaction_back_on_each_turn(game: str) -> None:
    text = "The marilith can take one reaction on every turn in combat."
    found = read(game, Feature("reactive", "Reactive", text=text))
    assert found is not None
    table = fight(game, found.feature)
    table.ends_turn()
    assert table.track("troll", "reaction") == 1  # unspent, it stays alone
    table.does(SpendResource("troll", "reaction"))
    table.ends_turn()
    assert table.track("troll", "reaction") == 1


def test_limited_magic_immunity_keeps_out_the_spells_of_enemies_up_to_a_level() -> None:
    text = "The rakshasa can't be affected or detected by spells of 6th level or lower unless it wishes to be. It has advantage on saving throws against all other spells and magical effects."
    found = read("dnd5e", Feature("immunity", "Limited Magic Immunity", text=text))
    assert found is not None
    table = fight("dnd5e", found.feature)
    kept = [
        ward_against(table.encounter, table.rules, "troll", by, level)
        for by, level in (("ann", 6), ("ann", 7), ("troll", 1))
    ]
    assert kept == ["Limited Magic Immunity", "", ""]


ENGULFED = (
    "The mound engulfs a Medium or smaller creature grappled by it. The engulfed target is blinded, restrained, and "
    "unable to breathe, and it must succeed on a DC 14 Constitution saving throw at the start of each of the mound's "
    "turns or take 13 (2d8 + 4) bludgeoning damage."
)


def test_the_engulfed_save_as_each_turn_of_the_engulfer_starts() -> None:
    reader = shipped_readers().of("dnd5e")
    block = creature("jelly", hp=60, features=(Feature("engulf", "Engulf", "action", text=ENGULFED),))
    jelly = reader.with_further(reader.creature(block)[0])
    table = Table(creature("ann", hp=60), "bob", jelly, foes=["jelly"], rules=RuleSystems().get("dnd5e"))
    table.does(Add((Map(columns=20, rows=20),)))
    table.start(jelly=20, ann=10, bob=5)
    for who, square in {"jelly": (1, 1), "ann": (2, 1), "bob": (1, 2)}.items():
        table.does(SetPosition(who, position=square))
    table.does(ApplyCondition(("ann", "bob"), "grappled", by="jelly"))
    table.does(UseFeature("jelly", "engulf", targets=("ann",)))
    assert {"blinded", "restrained"} <= table.effects("ann")
    table.does(SetTrack("jelly", "action", 1))
    assert table.refuses(UseFeature("jelly", "engulf", targets=("bob",))).key == "refused.target_not_meant"
    table.ends_turn(2)
    assert table.one("ann").hp == 60
    table.dice(2, 3, 3)
    table.ends_turn()
    assert table.one("ann").hp == 60 - 10


@EVERY_FIFTH
def test_the_rule_of_an_entry_is_held_and_in_force_where_its_facts_are(step: int) -> None:
    ruled = [
        (game, entry)
        for game, entry in shipped()
        if entry.gives.get("rules") and not entry.gives.get("trigger") and "trait" in (entry.entry.costs or ("trait",))
    ]
    assert failures(rule_is_in_force, ruled[::step]) == []


def rule_is_in_force(game: str, entry: CompiledEntry) -> None:
    """Check that the rule of an entry is held, and in force where its facts are."""
    found = read(game, feature_of(entry, " ".join(entry.entry.samples)))
    assert found is not None
    feature = msgspec.structs.replace(found.feature, id="sample", name="Sample")
    table = fight(game, feature)
    rules, lookup = table.rules, table.encounter
    held = compiled_rules(creature("troll", features=(feature,))).rules
    assert {(rule.kind, rule.what) for _, rule in held} == {(rule.kind, rule.what) for rule in feature.rules}
    for _, rule in held:
        facts = tuple(map(stated, facts_in(rule.when)))
        about = HookContext("troll", rule.what, other="ann", tags=facts)
        assert any(one.rule == rule for one in rules_held(lookup, rules, "troll", (rule.what,), about, rule.kind))
        if rule.kind in RULED and not rule.what.endswith("-against"):
            edges = run_hooks(lookup, rules, Hook.CHECK_MADE, about).edges
            assert "Sample" in [edge.reason for edge in edges], rule


@pytest.mark.parametrize(
    ("text", "door", "troll"),
    [
        ("The giant deals double damage to objects and structures.", 52, 35),
        ("The swarm can't regain hit points or gain temporary hit points.", 56, 30),
        ("One creature stunned by the squid takes 6 (1d6) psychic damage, and the squid regains hit points equal to the damage the creature takes.", 56, 38),
        ("The vampire takes 20 radiant damage when it starts its turn in sunlight.", 57, 15),
    ],
)  # fmt: skip
def test_a_text_changes_hit_points(text: str, door: int, troll: int) -> None:
    cost: Literal["action", "trait"] = "action" if "squid" in text else "trait"
    found = read("dnd5e", Feature("sample", "Sample", cost, text=text))
    assert found is not None
    claw = Feature("claw", "Claw", "free", attack=9, damage="1d6 slashing")
    table = Table(
        creature("ann"), creature("door", type="object", hp=60), creature("troll", hp=60, features=(claw, found.feature)),
        foes=["troll"], rules=RuleSystems().get("dnd5e"), scene=Scene(system="dnd5e", light="sunlight", strictness="warn"),
    )  # fmt: skip
    table.start(ann=20, troll=10, door=5)
    table.does(ApplyDamage(("troll",), "30 slashing"))
    table.does(Heal(("troll",), 5))
    table.does(ApplyCondition(("ann",), "stunned", by="troll"))
    table.ends_turn()
    table.dice(15, 4, 3)
    table.does(Attack("troll", "door", "claw"))
    if cost == "action":
        table.does(UseFeature("troll", "sample", targets=("ann",)))
    assert (table.one("door").hp, table.one("troll").hp) == (door, troll)


@pytest.mark.parametrize(
    ("text", "targets", "hp"),
    [
        ("The friar targets one creature it can see within 60 feet of it. The target regains 9 (2d8) hit points.", ("bob",), {"bob": 37, "troll": 30}),
        ("Up to two creatures of the friar's choice within 30 feet of it each regain 9 (2d8) hit points.", ("bob", "troll"), {"bob": 37, "troll": 37}),
        ("Each ally within 30 feet of the friar regains 9 (2d8) hit points.", ("bob",), {"bob": 37, "troll": 30}),
        ("The friar regains 9 (2d8) hit points.", (), {"bob": 30, "troll": 37}),
    ],
)  # fmt: skip
def test_healing_at_a_distance_heals(text: str, targets: tuple[str, ...], hp: Mapping[str, int]) -> None:
    found = read("dnd5e", Feature("mend", "Mend", "action", text=text))
    assert found is not None
    assert found.extent == "whole"
    table = fight("dnd5e", found.feature)
    table.does(ApplyDamage(("bob", "troll"), "30 slashing"))
    table.ends_turn(2)
    table.dice(4, 3)
    table.does(UseFeature("troll", "mend", targets=targets))
    assert {who: table.one(who).hp for who in hp} == hp


def test_dispel_magic_fells_a_susceptible_creature() -> None:
    text = "If targeted by dispel magic, the armor must succeed on a Constitution saving throw against the caster's spell save DC or fall unconscious for 1 minute."
    found = read("dnd5e", Feature("sample", "Sample", text=text))
    assert found is not None
    spells = Feature("spellcasting", "Spellcasting", dc=19)
    dispel = Feature("dispel-magic", "Dispel Magic", "action", properties=("spell",), range="120")
    table = Table(
        creature("ann", features=(spells, dispel)), creature("troll", features=(found.feature,)), foes=["troll"],
        rules=RuleSystems().get("dnd5e"), scene=Scene(system="dnd5e"),
    )  # fmt: skip
    table.start(ann=20, troll=10)
    table.dice(18)
    table.does(UseFeature("ann", "dispel-magic", targets=("troll",)))
    assert "unconscious" in table.effects("troll")


@pytest.mark.parametrize(("hurt", "hp", "temp"), [(30, 40, 0), (4, 60, 6)])
def test_drinking_blood_drains_the_target_and_heals_the_owner(hurt: int, hp: int, temp: int) -> None:
    text = "The victim is drained 2 and the bat regains 10 HP, gaining any excess HP as temporary Hit Points."
    found = read("pf2e", Feature("drink", "Drink", "action", text=text))
    assert found is not None
    table = fight("pf2e", found.feature)
    table.does(ApplyDamage(("troll",), f"{hurt} slashing"))
    table.ends_turn(2)
    table.does(UseFeature("troll", "drink", targets=("ann",)))
    assert (table.one("troll").hp, table.one("troll").temp_hp) == (hp, temp)
    assert "drained" in table.effects("ann")


@pytest.mark.parametrize("name", ["creatures", "targets"])
def test_strikes_hurt_the_off_guard_more(name: str) -> None:
    text = f"The dragon's Strikes deal an additional 2d6 precision damage to off-guard {name}."
    found = read("pf2e", Feature("sneak", "Sneak Attack", text=text))
    assert found is not None
    assert found.extent == "whole"
    when = "(target.off-guard | (melee, flanks) | hidden-from), not spell, not target.immune:precision"
    assert [(rule.kind, rule.dice, rule.when) for rule in found.feature.rules] == [("extra", "2d6", when)]


SHAPE = (
    "The vampire transforms into the shape of a Medium or smaller beast or back into its true form. While transformed, it has "
    "the beast's size and movement modes. It can't use reactions or legendary actions, and can't speak."
)


def test_a_vampire_in_the_shape_of_a_beast_has_no_reactions_or_legendary_actions() -> None:
    found = read("a5e", Feature("shapechange", "Shapechange", "bonus", text=SHAPE))
    assert found is not None
    tail = Feature("tail", "Tail", "legendary", attack=5, reach=5, damage="1d6 slashing")
    vampire = creature("ada", features=(msgspec.structs.replace(found.feature, cost="free"), tail), legendary=3)
    table = Table(vampire, "orc", rules=RuleSystems().get("a5e"))
    table.start(ada=12, orc=5)
    for shaped in (False, True, False):
        assert bool(affordable_legendary_actions(table.encounter, table.rules, "ada")) is not shaped
        assert bool(denial_vetoes(table.encounter, table.rules, "ada", "reaction")) is shaped
        table.does(UseFeature("ada", "shapechange"))


@pytest.mark.parametrize("immune", [False, True])
def test_a_mimic_holds_only_what_it_can_hurt(immune: bool) -> None:
    text = (
        "If the target takes any damage from this attack, it is subjected to the slime's Sticky trait. A creature can use an "
        "action to make a DC 14 Strength check, freeing itself or an object or creature within reach on a success."
    )
    fist = Feature("fist", "Fist", "action", attack=5, reach=5, damage="1d4+4 bludgeoning", text=text)
    found = read("a5e", fist)
    assert found is not None
    table = Table(
        creature("ada", features=(found.feature,)),
        creature("orc", immunities=("bludgeoning",) * immune),
        rules=RuleSystems().get("a5e"),
    )
    table.start(ada=12, orc=5)
    table.dice(15, 2)
    table.does(Attack("ada", "orc", "fist"))
    assert ("grappled" in table.effects("orc")) is not immune


@pytest.mark.parametrize(("by", "state", "freed"), [("ada", "", True), ("ada", "stunned", True), ("orc", "", False)])
def test_a_web_that_is_destroyed_frees_whom_it_holds_although_its_spinner_is_helpless(
    by: str, state: str, freed: bool
) -> None:
    text = "The webbing can also be attacked and destroyed (AC 10; hp 5)."
    spider = creature("ada", features=(Feature("web", "Web", "action", text=text),))
    table = Table(shipped_readers().of("dnd5e").with_further(spider), "orc", "cat", rules=RuleSystems().get("dnd5e"))
    table.start(ada=12, orc=5, cat=2)
    table.does(ApplyCondition(("cat",), "restrained", by=by))
    if state:
        table.does(ApplyCondition(("ada",), state))
    destroyed = UseFeature("ada", "web-destroyed", targets=("cat",))
    if freed:
        table.does(destroyed)
    else:
        assert table.refuses(destroyed)
    assert ("restrained" in table.effects("cat")) is not freed


MIST = (
    "The vampire transforms into a mist or back into its true form. As mist, the vampire has a flying speed of 30, can't speak, "
    "can't take actions or manipulate objects, is immune to nonmagical damage from weapons, and has advantage on saving "
    "throws and Stealth checks. It can pass through any opening."
)
RECOVERY = (
    "When the vampire drops to 0 hit points, instead of falling unconscious, it turns into mist as if it had used the Mist "
    "Form legendary action. It can't revert to its vampire form, and it must reach its resting place within 2 hours or be "
    "destroyed."
)


def understood(block: Creature, game: str = "a5e") -> Creature:
    """A stat block as the importers read it, with the further features of its texts."""
    reader = shipped_readers().of(game)
    return reader.with_further(reader.creature(block)[0])


def vampire() -> Table:
    """Ann against a vampire, on a map whose light may be that of the sun."""
    bite = Feature("bite", "Bite", "bonus", attack=5, reach=5, damage="1d6 piercing", properties=("weapon",))
    features = (bite, Feature("mist-form", "Mist Form", "legendary", text=MIST))
    block = creature(
        "vampire",
        features=(*features, Feature("recovery", "Misty Recovery", "trait", text=RECOVERY)),
        legendary=3,
        hp=60,
    )
    read = understood(block)
    table = Table("ann", read, foes=["vampire"], rules=a5e())
    table.does(Add((Map(columns=10, rows=10, light="bright"),)))
    table.start(vampire=20, ann=10)
    for who, square in (("ann", (1, 1)), ("vampire", (1, 2))):
        table.does(SetPosition(who, position=square))
    return table


def test_a_vampire_as_mist_is_mist_in_unknown_light_and_does_not_bite() -> None:
    table = vampire()
    table.ends_turn()
    table.ends_turn()
    assert not denial_vetoes(table.encounter, table.rules, "vampire", "bonus")
    table.does(UseFeature("vampire", "mist-form"), anyway=True)
    for resource in ("action", "bonus"):
        assert denial_vetoes(table.encounter, table.rules, "vampire", resource)


def test_a_vampire_that_falls_reminds_of_its_resting_place() -> None:
    table = vampire()
    table.does(ApplyDamage(("vampire",), "70 slashing", by="ann"))
    assert told(table, "Resting Place")
    assert denial_vetoes(table.encounter, table.rules, "vampire", "action")
    assert denial_vetoes(table.encounter, table.rules, "vampire", "bonus")


def test_corrosion_asks_for_its_targets() -> None:
    text = (
        "When the dragon is first bloodied, it immediately recharges its breath weapon, if it's not already available. For the "
        "next minute, the dragon's acid becomes immensely more corrosive, ignoring acid resistance and treating acid immunity "
        "as acid resistance."
    )
    breath = Feature("breath", "Breath", "action", recharge=5, damage="6d6 acid", save="dex", dc=15)
    block = creature("dragon", features=(breath, Feature("acid", "Concentrated Acid", "trait", text=text)), hp=60)
    read = understood(block)
    table = Table("ann", "bob", read, foes=["dragon"], rules=a5e())
    table.start(dragon=20, ann=10, bob=5)
    table.does(ApplyDamage(("dragon",), "40 slashing", by="ann"))
    table.does(UseFeature("dragon", "acid-corrosion"))
    table.chooses("ann", "bob")
    assert [bool(table.encounter.of(Effect, who)) for who in ("ann", "bob", "dragon")][:2] == [True, True]


def test_a_second_ethereal_jaunt_leads_back() -> None:
    text = "The spider magically shifts from the Material Plane to the Ethereal Plane, or vice versa."
    jaunt = Feature("jaunt", "Ethereal Jaunt", "bonus", text=text)
    table = Table("ann", understood(creature("spider", features=(jaunt,))), foes=["spider"], rules=a5e())
    table.start(spider=20, ann=10)
    table.does(UseFeature("spider", "jaunt"))
    assert "ethereal" in table.effects("spider")
    table.does(SetTrack("spider", "bonus", 1))
    table.does(UseFeature("spider", "jaunt"))
    assert "ethereal" not in table.effects("spider")


def test_leadership_helps_others_on_the_leaders_side() -> None:
    text = (
        "For 1 minute, the knight can utter a special command or warning whenever a nonhostile creature that it can see within "
        "30 feet of it makes an attack roll or a saving throw. The creature can add a d4 to its roll provided it can hear and "
        "understand the knight."
    )
    block = creature("knight", features=(Feature("lead", "Leadership", "action", text=text),))
    table = Table("ann", "bob", understood(block), foes=["knight", "bob"], rules=a5e())
    table.start(knight=20, ann=10, bob=5)
    for nobody in ("ann", "knight"):
        assert table.refuses(UseFeature("knight", "lead", targets=(nobody,))).key == "refused.target_not_meant"
    table.does(UseFeature("knight", "lead", targets=("bob",)))
    assert [bool(table.encounter.of(Effect, who)) for who in ("ann", "bob", "knight")] == [False, True, False]


@pytest.mark.parametrize(("text", "actions"), [("Reload 1.", 1), ("Deadly d10, reload 2.", 2), ("Reload-2.", 2)])
def test_a_weapon_is_loaded_again_between_its_shots(text: str, actions: int) -> None:
    bow = Feature("bow", "Crossbow", "action", attack=20, range="60", damage="1 piercing", text=text)
    read = understood(creature("drow", features=(bow,)), "pf2e")
    table = Table("ann", read, foes=["drow"], rules=pf2e())
    table.start(drow=20, ann=10)
    load = next(each for each in read.features if each.name == "Load Crossbow")
    assert table.refuses(UseFeature("drow", load.id))
    table.dice(10, 10)
    table.does(Attack("drow", "ann", "bow"))
    assert table.refuses(Attack("drow", "ann", "bow"))
    table.does(UseFeature("drow", load.id))
    assert table.track("drow", "action") == 2 - actions


@pytest.mark.parametrize(("face", "hampered"), [(20, False), (5, True)])
def test_ropes_slow_until_their_victim_escapes(face: int, hampered: bool) -> None:
    text = (
        "When a creature is hit by the devil's rope, a segment of the snare tears loose and wraps itself around the creature, "
        "imposing a 10-foot circumstance penalty to Speed. When a creature Escapes the effect (DC 18), the segment withers."
    )
    rope = Feature("rope", "Rope", "action", attack=20, damage="1 slashing", reach=5)
    read = understood(creature("devil", features=(rope, Feature("snare", "Snare", text=text))), "pf2e")
    table = Table("ann", read, foes=["devil"], rules=pf2e())
    table.start(devil=20, ann=10)
    table.dice(10)
    table.does(Attack("devil", "ann", "rope"))
    table.ends_turn()
    table.dice(face)
    table.does(TakeAction("ann", "escape"))
    table.answers(check="str:athletics")
    assert ("hampered" in table.effects("ann")) == hampered


@pytest.mark.parametrize(
    "text",
    [
        "It gains an additional reaction at the beginning of each of their turns that they can use only for a Reactive Strike.",
        "It gains 1 extra reaction at the start of each of its turns that it can use only to make a Reactive Strike with a club.",
    ],
)
def test_a_further_reaction_for_reactive_strikes_offers_them(text: str) -> None:
    club = Feature("club", "Club", "action", attack=20, damage="1 bludgeoning", reach=5)
    strike = Feature("reactive-strike", "Reactive Strike (Special)", "reaction", text=text)
    read = understood(creature("giant", features=(club, strike)), "pf2e")
    table = Table(read, "ann", foes=["giant"], rules=pf2e())
    table.does(Add((Map(columns=9, rows=9),)))
    table.start(giant=20, ann=10)
    for who, square in {"giant": (1, 1), "ann": (2, 1)}.items():
        table.does(SetPosition(who, position=square))
    assert table.track("giant", "reaction") == 2
    table.ends_turn()
    table.does(MovePath("ann", ((3, 1), (4, 1))))
    assert [ask.id for ask in table.prompt.asks] == ["giant reactive-strike"]


@pytest.mark.parametrize(("kind", "hurt"), [("slashing", 2), ("fire", 0)])
def test_mould_explodes_around_it_when_it_is_damaged(kind: str, hurt: int) -> None:
    text = (
        "Trigger A creature moves into the mold's space or damages the mold. The mold can't use this reaction if it's in direct "
        "sunlight or if the damage was fire damage.\n"
        "Effect The triggering creature and all creatures within 10 feet are exposed to spores."
    )
    spores = Feature("spores", "Spores", "free", save="con", dc=30, damage="5 poison")
    read = understood(
        creature("mold", hp=60, features=(spores, Feature("burst", "Burst", "reaction", text=text))), "pf2e"
    )
    club = Feature("club", "Club", "action", attack=30, damage=f"5 {kind}", reach=5)
    table = Table(read, creature("ann", features=(club,), hp=60), "bob", "cat", foes=["mold"], rules=pf2e())
    table.does(Add((Map(columns=9, rows=9),)))
    table.start(mold=20, ann=15, bob=10, cat=5)
    table.ends_turn()
    for who, square in {"mold": (1, 1), "ann": (2, 1), "bob": (3, 1), "cat": (8, 8)}.items():
        table.does(SetPosition(who, position=square))
    table.dice(10, 5, 5)
    table.does(Attack("ann", "mold", "club"))
    while table.prompts:
        table.chooses("burst-damaged")
    assert sum(table.one(who).hp < table.one(who).hp_max for who in ("ann", "bob", "cat")) == hurt


def test_an_invoked_rune_is_chosen_for_the_weapon() -> None:
    text = (
        "It sprays sparks.\nA glowing copy of the invoked rune appears on a single weapon the giant holds, granting the weapon "
        "one effect listed below of the giant's choice.\n"
        "Rune of Flames The weapon deals an additional 3d6 fire damage on all attacks.\n"
        "Rune of Space During the giant's turn, the weapon's reach is increased to 60 feet."
    )
    rune = Feature("rune", "Rune", "action", save="dex", dc=15, damage="6 fire", text=text)
    table = Table("ann", understood(creature("giant", features=(rune,)), "pf2e"), foes=["giant"], rules=pf2e())
    table.start(giant=20, ann=10)
    table.dice(10)
    table.does(UseFeature("giant", "rune", targets=("ann",)))
    table.chooses("use rune-space")
    assert "Rune (Space)" in table.effects("giant")


def test_quickened_casting_ends_with_the_turn() -> None:
    text = (
        "Effect If the devil's next action is to cast an 8th-rank or lower innate spell, reduce the number of actions to cast it "
        "by 1 (minimum 1 action)."
    )
    quick = Feature("quick", "Quick", "free", text=text)
    table = Table("ann", understood(creature("devil", features=(quick,)), "pf2e"), foes=["devil"], rules=pf2e())
    table.start(devil=20, ann=10)
    table.does(UseFeature("devil", "quick"))
    effect = next(one for one in table.encounter.of(Effect, "devil") if one.name == "Quick")
    assert (effect.note, table.track("devil", "action")) == (text, 4)  # the table sees its condition
    table.ends_turn()
    assert "Quick" not in table.effects("devil")


def test_a_weapon_without_a_reload_has_no_limit() -> None:
    bow = Feature("bow", "Bow", "action", attack=20, range="60", damage="1 piercing", text="Deadly d10, reload 0.")
    assert [(each.name, each.uses) for each in understood(creature("elf", features=(bow,)), "pf2e").features] == [
        ("Bow", 0)
    ]


def test_a_disguise_explodes_only_while_it_is_worn_and_then_harms_others() -> None:
    text = "Requirements The dragon is wearing its conjured disguise.\nEffect It erupts, dealing 10 bludgeoning damage."
    burst = Feature(
        "burst", "Burst", "action", save="dex", dc=30, damage="10 bludgeoning", area="5-foot emanation", text=text
    )
    steps = (FeatureStep(gains="changed-shape", form="Medium humanoid"),)
    dragon = creature("dragon", features=(burst, Feature("suit", "Suit", "free", does=steps)))
    table = Table("ann", understood(dragon, "pf2e"), foes=["dragon"], rules=pf2e())
    table.does(Add((Map(columns=9, rows=9),)))
    table.start(dragon=20, ann=10)
    for who, square in {"dragon": (1, 1), "ann": (2, 1)}.items():
        table.does(SetPosition(who, position=square))
    table.does(ApplyCondition(("dragon",), "changed-shape"))  # of another kind
    assert table.refuses(UseFeature("dragon", "burst"))
    table.does(EndEffect(next(one.id for one in table.encounter.of(Effect, "dragon") if one.name == "changed-shape")))
    table.does(UseFeature("dragon", "suit"))
    table.does(UseFeature("dragon", "burst", targets=("ann",)))
    table.dice(2)
    assert (table.one("ann").hp, table.effects("dragon")) == (10, set())


COLD_MASTERY = "The dragon is not hindered by cold, icy surfaces, snow, wind, or storms."
ICE_WALK = "Difficult terrain composed of ice or snow doesn't cost it extra movement."


@pytest.mark.parametrize(
    ("game", "text", "ground", "cost"),
    [
        *(
            ("a5e", COLD_MASTERY, f"{name} field", 10)
            for name in ("icy", "snowy", "sleet", "hail", "wind", "snowstorm")
        ),
        *(("dnd5e", ICE_WALK, f"{name} field", 10) for name in ("icy", "snowy", "sleet", "snowstorm", "ice")),
        ("a5e", COLD_MASTERY, "muddy field", 20),
        ("dnd5e", ICE_WALK, "windy field", 20),
    ],
)
def test_those_at_home_in_the_cold_cross_its_ground_with_ease(game: str, text: str, ground: str, cost: int) -> None:
    found = shipped_readers().of(game).feature(Feature("cold", "Cold", text=text))
    assert found is not None
    table = Table(creature("dragon", features=(found.feature,)), rules=RuleSystems().get(game))
    table.start(dragon=20)
    area = Area("field", feature=ground, squares=((2, 0, 2, 16),))
    table.does(Add((Map(columns=16, rows=16, areas=(area,)),)))
    table.does(SetPosition("dragon", position=(1, 1)))
    table.does(MovePath("dragon", ((2, 1), (3, 1))))
    assert table.track("dragon", "moved") == cost


TAIL = (
    "Trigger A creature within reach of the dragon's club uses a move action or leaves a square during a move action it's using.\n"
    "Effect The dragon makes a club Strike at the creature with a \u20132 penalty. If it hits, the dragon disrupts the "
    "creature's action."
)


@pytest.mark.parametrize(("act", "offered"), [("stand", True), ("walk", True), ("shoot", False)])
def test_a_twisting_tail_answers_only_moves(act: str, offered: bool) -> None:
    club = Feature("club", "Club", "action", attack=20, damage="1 bludgeoning", reach=10)
    dragon = creature("dragon", hp=60, features=(club, Feature("tail", "Twisting Tail", "reaction", text=TAIL)))
    bow = Feature("bow", "Bow", "action", attack=5, range="60", damage="1 piercing")
    table = Table(understood(dragon, "pf2e"), creature("ann", features=(bow,)), foes=["dragon"], rules=pf2e())
    table.does(Add((Map(columns=9, rows=9),)))
    table.start(dragon=20, ann=10)
    for who, square in {"dragon": (1, 1), "ann": (3, 1)}.items():
        table.does(SetPosition(who, position=square))
    if act == "stand":
        table.does(ApplyCondition(("ann",), "prone"))
    table.ends_turn()
    table.dice(5, 5)
    commands = {"stand": StandUp("ann"), "walk": MovePath("ann", ((4, 1),)), "shoot": Attack("ann", "dragon", "bow")}
    table.does(commands[act])
    assert any(ask.id == "dragon tail" for prompt in table.prompts for ask in prompt.asks) == offered


def test_only_squeezed_creatures_that_fail_are_unconscious_and_successes_spare_them() -> None:
    text = "10 bludgeoning, DC 15 basic Fortitude"
    squeeze = Feature(
        "squeeze", "Greater Constrict", "action", save="con", dc=15, half=True, damage="10 bludgeoning", text=text
    )
    read = understood(creature("snake", features=(squeeze,)), "pf2e")
    table = Table(*(creature(who, hp=60) for who in ("ann", "bob")), read, foes=["snake"], rules=pf2e())
    table.start(snake=20, ann=10, bob=5)
    for faces in ((3, 18), (3, 3)):
        table.dice(*faces)
        table.does(UseFeature("snake", "squeeze", targets=("ann", "bob")))
    assert [("unconscious" in table.effects(who)) for who in ("ann", "bob")] == [True, False]


@pytest.mark.parametrize(("trait", "worse"), [("disease", True), ("poison", False)])
def test_a_stench_lowers_saves_against_diseases_only(trait: str, worse: bool) -> None:
    text = (
        "10 feet. While within the aura, the creature takes a \u20132 circumstance penalty to saves against disease and to "
        "recover from the sickened condition."
    )
    fever = Feature("fever", "Fever", "action", save="con", dc=11, properties=(trait,), damage="1 poison")
    ghast = understood(creature("ghast", features=(Feature("stench", "Stench", text=text), fever)), "pf2e")
    table = Table("ann", ghast, foes=["ghast"], rules=pf2e())
    table.does(Add((Map(columns=9, rows=9),)))
    table.start(ghast=20, ann=10)
    for who, square in {"ghast": (1, 1), "ann": (2, 1)}.items():
        table.does(SetPosition(who, position=square))
    hp = table.one("ann").hp
    table.dice(12)
    table.does(UseFeature("ghast", "fever", targets=("ann",)))
    assert (table.one("ann").hp < hp) == worse


def test_strikes_without_a_multiple_attack_penalty_keep_their_bonus() -> None:
    blade = Feature(
        "blade", "Blade", "action", attack=9, damage="1 slashing", reach=5, text="No multiple attack penalty."
    )
    table = Table(
        creature("ann", ac=20), understood(creature("saw", features=(blade,)), "pf2e"), foes=["saw"], rules=pf2e()
    )
    table.start(saw=20, ann=10)
    hp = table.one("ann").hp
    table.dice(11, 11)
    for _ in range(2):
        table.does(Attack("saw", "ann", "blade"))
    assert table.one("ann").hp == hp - 2


def test_allies_in_its_aura_are_healed_by_a_pulse_but_not_the_owner() -> None:
    text = "30 feet. Each creature recovers 5 Hit Points."
    pulse = Feature("pulse", "Pulse", "action", text=text)
    dragon = understood(creature("dragon", hp=60, features=(pulse,)), "pf2e")
    table = Table("ann", dragon, creature("imp", hp=60), foes=["dragon", "imp"], rules=pf2e())
    table.start(dragon=20, ann=10, imp=5)
    for nobody in ("ann", "dragon"):
        assert table.refuses(UseFeature("dragon", "pulse", targets=(nobody,))).key == "refused.target_not_meant"
    table.does(ApplyDamage(("imp",), "10"))
    table.does(UseFeature("dragon", "pulse", targets=("imp",)))
    assert table.one("imp").hp == 55


def test_an_aura_for_creatures_of_lower_level_leaves_out_its_owner() -> None:
    text = (
        "100 feet. Commanded or allied devils in the aura of lower level than the fiend gain a +1 circumstance bonus to attack "
        "rolls, damage rolls, AC, saves, and skill checks."
    )
    claw = Feature("claw", "Claw", "action", attack=5, damage="1 slashing", reach=5)
    fiend = understood(creature("fiend", features=(claw, Feature("aura", "Aura", text=text))), "pf2e")
    table = Table("ann", fiend, foes=["fiend"], rules=pf2e())
    table.start(fiend=20, ann=10)
    table.dice(20, 5)
    table.does(Attack("fiend", "ann", "claw"))
    assert not table.prompts


def test_a_willing_victim_needs_no_check_to_be_drunk_from() -> None:
    text = (
        "The victim is drained 1 and the bat regains 5 HP. Drinking blood from a creature that's already drained doesn't restore "
        "any HP to the bat, but increases the victim's drained value by 1."
    )
    drink = Feature("drink-blood", "Drink Blood", "action", text=text)
    bat = understood(creature("bat", features=(drink,)), "pf2e")
    willing = next(each for each in bat.features if each.name == "Drink Blood (Willing)")
    table = Table("ann", bat, foes=["bat"], rules=pf2e())
    table.start(bat=20, ann=10)
    table.does(UseFeature("bat", willing.id, targets=("ann",)))
    table.chooses("met")
    assert "drained" in table.effects("ann")


@pytest.mark.parametrize(("face", "bleeds"), [(19, True), (20, False)])
def test_an_infernal_wound_stops_bleeding_at_its_own_dc(face: int, bleeds: bool) -> None:
    text = (
        "The devil's Strikes also deal 1 persistent bleed damage that resist attempts to heal it. The flat check to stop the "
        "bleeding starts at DC 20."
    )
    claw = Feature("claw", "Claw", "action", attack=20, damage="1 slashing", reach=5)
    devil = understood(creature("devil", features=(claw, Feature("wound", "Wound", text=text))), "pf2e")
    table = Table(devil, "ann", foes=["devil"], rules=pf2e())
    table.start(devil=20, ann=10)
    table.dice(10)
    table.does(Attack("devil", "ann", "claw"))
    table.ends_turn()
    table.dice(face)
    table.ends_turn()
    assert ("ongoing" in table.effects("ann")) == bleeds


@pytest.mark.parametrize(
    ("traits", "asked"), [(("spell", "divine"), False), (("spell", "primal"), True), (("spell",), True)]
)
def test_saves_against_a_tradition_are_asked_about_unless_the_magic_is_of_another(
    traits: tuple[str, ...], asked: bool
) -> None:
    hex_ = Feature("hex", "Hex", "action", save="wis", dc=15, level=1, damage="1 mental", properties=traits)
    dragon = understood(creature("dragon", features=(Feature("ward", "+2 Status to All Saves vs. Primal"),)), "pf2e")
    table = Table(creature("ann", features=(hex_,)), dragon, foes=["dragon"], rules=pf2e())
    table.start(ann=20, dragon=10)
    table.dice(10, 1)
    table.does(UseFeature("ann", "hex", targets=("dragon",)))
    assert any("ward" in ask.detail or "Primal" in str(ask) for prompt in table.prompts for ask in prompt.asks) == asked


@pytest.mark.parametrize(("traits", "total"), [(("death",), 9), ((), 10)])
def test_saves_are_worse_against_death_effects_only(traits: tuple[str, ...], total: int) -> None:
    doom = Feature("doom", "Doom", "action", save="con", dc=10, damage="5 void", properties=traits)
    phantom = understood(
        creature("phantom", hp=30, features=(Feature("w", "-1 Status to All Saves vs. Death Effects"),)), "pf2e"
    )
    table = Table(creature("ann", features=(doom,)), phantom, foes=["phantom"], rules=pf2e())
    table.start(ann=20, phantom=10)
    hp = table.one("phantom").hp
    table.dice(10)
    table.does(UseFeature("ann", "doom", targets=("phantom",)))
    assert (table.one("phantom").hp < hp) == (total < 10)


def test_a_worm_that_thrashes_strikes_once_with_its_jaws_and_often_with_its_body() -> None:
    text = (
        "The worm makes a Strike once against each creature in its reach. It can Strike up to once with its jaws, up to once with "
        "its stinger, and any number of times with its body. Each attack counts toward the worm's multiple attack penalty, but the "
        "multiple attack penalty doesn't increase until after it makes all the attacks."
    )
    own = tuple(
        Feature(id, id.title(), "action", attack=5, reach=5, damage="1 piercing") for id in ("jaws", "stinger", "body")
    )
    worm = understood(creature("worm", features=(*own, Feature("thrash", "Thrash", "action", text=text))), "pf2e")
    thrash = next(each for each in worm.features if each.id == "thrash")
    assert [step.use for step in thrash.does] == ["jaws", "stinger", *["body"] * 4]


HEADS = "The {who} has five heads. Whenever the {who} takes 25 damage or more on a single turn, one of its heads dies."


@pytest.mark.parametrize(
    ("hurts", "offers"), [((25,), [True]), ((20, 5), [False, True]), ((20, 5, 30), [False, True, False])]
)
@pytest.mark.parametrize("apart", [False, True])
def test_damage_adds_up_in_a_turn(hurts: tuple[int, ...], offers: list[bool], apart: bool) -> None:
    hydra = creature("hydra", features=(Feature("heads", "Heads", text=HEADS.format(who="hydra")),), hp=200)
    table = Table("ann", "bob", understood(hydra, "dnd5e"), foes=["hydra"], rules=dnd5e())
    table.start(ann=20, bob=15, hydra=10)
    asked = []
    for amount in hurts:
        table.does(ApplyDamage(("hydra",), f"{amount} slashing", by="ann"))
        asked.append(bool(table.prompts))
        for _ in table.prompts:
            table.chooses("pass")
        if apart:
            table.ends_turn()
    assert asked == ([amount >= 25 for amount in hurts] if apart else offers)


SWALLOW = (
    "If the {who} takes 30 damage or more on a single turn from a creature inside it, the {who} must succeed on a DC 15 "
    "Constitution saving throw at the end of that turn or regurgitate all swallowed creatures, which fall prone. If the {who} "
    "dies, a swallowed creature is no longer restrained by it and can escape from the corpse using 5 feet of movement."
)


def test_the_swallowed_fight_their_way_out_with_several_hits_of_a_turn() -> None:
    held = (InflictedCondition("restrained", ends="owner-gone"), InflictedCondition("swallowed", bound_to="restrained"))
    gulp = Feature("gulp", "Gulp", "action", attack=30, reach=5, afflictions=held, text=SWALLOW.format(who="frog"))
    table = Table("ann", understood(creature("frog", features=(gulp,), hp=200), "dnd5e"), foes=["frog"], rules=dnd5e())
    table.start(frog=20, ann=10)
    table.dice(10)
    table.does(Attack("frog", "ann", "gulp"))
    table.ends_turn()
    table.does(ApplyDamage(("frog",), "20 slashing", by="ann"))
    assert "swallowed" in table.effects("ann")
    assert not table.prompts
    table.dice(2)
    table.does(ApplyDamage(("frog",), "10 slashing", by="ann"))
    table.chooses("ann")
    assert "swallowed" not in table.effects("ann")


GUARD = (
    "Trigger: An attack roll hits the wearer of the golem's amulet while the wearer is within 5 feet of the golem. Response: The "
    "wearer gains a +5 bonus to AC, including against the triggering attack and possibly causing it to miss, until the start of "
    "the golem's next turn."
)


def test_the_guard_of_a_wearer_stays_with_the_wearer() -> None:
    shield = Feature("shield", "Shield", "reaction", text=GUARD)
    hero = creature("ann", features=(Feature("ram", "Ram", "action", attack=5, reach=5, damage="4"),))
    golem = understood(creature("golem", features=(shield,)), "dnd5e")
    table = Table(hero, creature("orc", ac=14), golem, foes=["orc", "golem"], rules=dnd5e())
    table.does(Add((Map(columns=9, rows=9),)))
    table.start(ann=20, orc=15, golem=10)
    for who, square in {"golem": (1, 1), "orc": (2, 1), "ann": (3, 1)}.items():
        table.does(SetPosition(who, position=square))
    table.dice(10, 1)
    table.does(Attack("ann", "orc", "ram"))
    table.chooses("shield")
    assert table.happened(Attacked)[-1].outcome == "miss"
    assert "Shield" in table.effects("orc")
    assert "Shield" not in table.effects("golem")
    table.ends_turn(2)
    assert "Shield" not in table.effects("orc")


VENOM = (
    InflictedCondition("poisoned", ends="owner-end"),
    InflictedCondition("poisoned", lasts="1 minute", margin=5),
    InflictedCondition("unconscious", bound_to="poisoned", margin=5),
)
GAZE = (
    AfflictionStage(afflictions=(InflictedCondition("restrained", ends="saved"),)),
    AfflictionStage(afflictions=(InflictedCondition("petrified"),), final=True),
)


@pytest.mark.parametrize(
    ("face", "states"), [(9, {"poisoned"}), (7, {"poisoned"}), (6, {"poisoned", "unconscious", "prone"}), (12, set())]
)
def test_a_save_failed_by_more_leaves_the_worse_condition_alone(face: int, states: set[str]) -> None:
    sting = Feature("sting", "Sting", "action", save="con", dc=11, targets=1, afflictions=VENOM)
    table = Table("ann", creature("imp", features=(sting,)), foes=["imp"], rules=dnd5e())
    table.start(imp=20, ann=10)
    table.dice(face)
    table.does(UseFeature("imp", "sting", targets=("ann",)))
    assert table.effects("ann") == states
    gained = [one.name for one in table.happened(EffectGained)]
    assert gained.count("poisoned") == min(len(states), 1)


@pytest.mark.parametrize(("face", "state"), [(13, "restrained"), (9, "petrified"), (14, "")])
def test_a_gaze_that_petrifies_at_once_does_not_also_restrain(face: int, state: str) -> None:
    petrified = InflictedCondition("petrified", margin=5)
    gaze = Feature("gaze", "Gaze", "action", save="con", dc=14, targets=1, afflictions=(petrified,), stages=GAZE)
    table = Table("ann", creature("imp", features=(gaze,)), foes=["imp"], rules=dnd5e())
    table.start(imp=20, ann=10)
    table.dice(face)
    table.does(UseFeature("imp", "gaze", targets=("ann",)))
    assert {"restrained", "petrified"} & table.effects("ann") == ({state} if state else set())
