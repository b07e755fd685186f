"""One attack: it is declared and paid for, aimed, rolled against armor class, and what a hit does is done.

What a person has to say is asked on the way: an AC that nobody knows, a guess at where a hidden target is, reactions.
Damage, and what it leaves behind, is the business of `strikes`.
"""

from __future__ import annotations

import msgspec

from turnwright.dice.roll import RollSpec
from turnwright.encounter.pending import CRITICAL, FUMBLE, HIT, MISS, Answered, Ask, Assault, Option, Procedure
from turnwright.encounter.prepared import Entry
from turnwright.encounter.running import Combatant, Dice
from turnwright.play.assaults import RIGHT, WRONG, legality, must_guess, name_of
from turnwright.play.events import Acted, Attacked, AttackFailed, GuessMade, Skipped, Supplied
from turnwright.play.harm import end_effect, put_condition, use_up
from turnwright.play.procedures.announcing import announce, is_announced
from turnwright.play.procedures.attack_costs import at_its_price, attack_reserves, is_price_open, open_prices, pay
from turnwright.play.procedures.concentration import concentrate
from turnwright.play.procedures.criticals import block_ask
from turnwright.play.procedures.interrupts import interrupt
from turnwright.play.procedures.loop import Answers, Stage, ask, at
from turnwright.play.procedures.offers import usual_ask
from turnwright.play.procedures.questions import is_given_up, remember_prices
from turnwright.play.procedures.reactions import may_react, reaction_ask, taken
from turnwright.play.procedures.tallies import count_attack
from turnwright.play.procedures.trials import take_result
from turnwright.play.resources import take
from turnwright.play.transaction import Transaction
from turnwright.rules.hooks import Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.ability_checks import lacks_armor_class
from turnwright.rules.parts.aim import thing_of
from turnwright.rules.parts.attacks import RANGED, tags_of
from turnwright.rules.parts.means import lacks_range
from turnwright.rules.parts.statements import condition_names, effects_on
from turnwright.rules.system import AttackRoll, RuleSystem

DROP, HIDDEN, PRONE = "drop-prone", "hidden", "prone"
STAYS_HIDDEN = "hidden-attacker"
AC, GUESS, RANGE = "ac", "guess", "range"
FOUND, FLAT = "found", "ask.flat_check"  # the fact that the flat check before an attack is made, and its words
SAID = (Option(HIT, "option.hit"), Option(MISS, "option.miss"))
NEEDED = (AC, GUESS)  # without an answer to these no attack goes on


def declare(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """See whether the attack may be made, pay for it, and ask what nobody knows of its target.

    What a person ordered is refused where a rule forbids it. An attack that something else has set going has been
    paid for there, and comes to nothing where it can't be aimed so.
    """
    data = assault_of(procedure)
    if is_price_open(tx, rules, data):
        if is_given_up(answers):
            tx.emit(Skipped(purpose="ask.attack", who=data.attacker, detail=data.means.name))
            return None
        remember_prices(tx, rules, data.attacker, data.means.id, answers)
        asks = open_prices(tx, rules, data)
        _card(tx, rules, procedure, data, asks)
        if asks:
            return at(procedure, "declare")
        data = at_its_price(tx, data)
    if lacks_range(data.means, thrown="thrown" in data.tags) and rules.catalogue.attack.asks_range:
        said = answers.get(RANGE)
        if said is None:
            rule = rules.cite("attack.range-unknown")
            asked = Ask(RANGE, "number", "ask.range", data.attacker, data.means.name, rule=rule)
            _card(tx, rules, procedure, data, [asked])
            return at(procedure, "declare", data)
        if not said.number:
            tx.emit(Skipped(purpose="ask.attack", who=data.attacker, detail=data.means.name))
            return None
        data = msgspec.structs.replace(data, means=msgspec.structs.replace(data.means, range=str(said.number)))
    if is_announced(tx, rules, procedure):
        return _announced(tx, rules, procedure, data)
    return begun(tx, rules, at(procedure, "begun", data), answers)


def _announced(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Assault) -> Procedure:
    """Announce an attack that may be made, in a game where others may answer it."""
    vetoes = legality(tx, rules, data)
    for veto in vetoes:
        tx.forbid_by((veto,))
    return announce(
        tx,
        rules,
        at(procedure, "begun", data),
        data.attacker,
        data.means.name or "<option.unarmed>",
        attack_reserves(tx, rules, data),
        targets=(data.target,) if data.target and not data.thing else (),
        insisted=bool(vetoes),
    )


def begun(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Pay for an attack that hasn't been paid for, and ask what nobody knows of its target."""
    data = assault_of(procedure)
    if procedure.parent:
        forbidden = rules.attack.vetoes(tx, rules, data)
        if forbidden and not tx.anyway and tx.strictness != "off":
            _come_to_nothing(tx, data, forbidden[0])
            return None
    else:
        for veto in legality(tx, rules, data):
            tx.forbid_by((veto,))
        pay(tx, rules, data)
    if data.means.concentration:
        concentrate(tx, rules, data.attacker, data.means.name)
    asks = []
    if data.thing and not rules.catalogue.attack.said and rules.attack.defence(tx, rules, data) is None:
        asks.append(Ask(AC, "number", "ask.ac", detail=name_of(tx, data), rule=rules.cite("attack.thing-ac")))
    if data.target and not data.thing and not rules.catalogue.attack.said and lacks_armor_class(tx, data.target):
        asks.append(Ask(AC, "number", "ask.ac", detail=name_of(tx, data), rule=rules.cite("attack.ac-source")))
    guessed = rules.catalogue.attack.guessed and data.at is None
    if guessed and data.target and not data.thing and must_guess(tx, data.attacker, data.target):
        options = (Option(RIGHT, "option.guess_right"), Option(WRONG, "option.guess_wrong"))
        asks.append(Ask(GUESS, "choice", "ask.guess", options=options, rule=rules.cite("attack.hidden")))
    for open_question in rules.attack.roll(tx, rules, data).asked:
        rule = open_question.rule
        yes_or_no = (Option(f"yes:{rule}", "option.yes"), Option(f"no:{rule}", "option.no"))
        asks.append(Ask(rule, "choice", open_question.reason, options=yes_or_no, rule=rule))
    _card(tx, rules, procedure, data, [*asks, *_suggestions(tx, rules, data)])
    return at(procedure, "aim", data)


def _suggestions(tx: Transaction, rules: RuleSystem, data: Assault) -> list[Ask]:
    """Return, unless the table plays by the letter, whether the usual effects of conditions hold for this attack."""
    found = () if tx.strictness == "enforce" else rules.attack.roll(tx, rules, data).suggested
    return [usual_ask(one) for one in found if f"yes:{one.id}" not in data.facts]


def _come_to_nothing(tx: Transaction, data: Assault, why: Veto) -> None:
    means = data.means.name
    tx.emit(AttackFailed(who=data.attacker, means=means, reason=why.reason, params=why.params, rule=why.rule))


def aim(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Take what was said, and offer the target what it may do before the roll."""
    data = assault_of(procedure)
    for id, answer in answers.items():
        if answer.skipped and id in NEEDED:
            tx.emit(Skipped(purpose=f"ask.{id}", who=data.attacker, detail=data.means.name))
            return None
        if id == AC and not data.thing:
            tx.update(tx.need(Combatant, data.target), ac=answer.number)
            tx.emit(Supplied(who=data.target, figure=AC, value=answer.number or 0, rule=rules.cite("attack.ac-source")))
            continue
        if id == RANGE:
            continue
        said = answer.chosen or (f"ac:{answer.number}" if id == AC else f"no:{id}",)
        data = msgspec.structs.replace(data, facts=(*data.facts, *said))
    if _may_drop(tx, rules, data):
        rule = rules.cite("attack.drop-prone")
        asked = reaction_ask(data.target, [Option(DROP, "option.drop_prone")], rule=rule, detail=data.means.name)
        ask(tx, procedure, "prompt.reaction", [asked], subject=name_of(tx, data), rule=rule)
    return at(procedure, "roll", data)


def _may_drop(tx: Transaction, rules: RuleSystem, data: Assault) -> bool:
    """Return whether the target may drop prone before a shot that it sees coming, and somebody is there to ask."""
    target = tx.get(Combatant, data.target)
    if target is None or data.thing or WRONG in data.facts or RANGED not in tags_of(tx, rules, data):
        return False
    if not rules.catalogue.movement.drop_cost:
        return False
    asked = bool(target.player) or (tx.get(Dice, "dice") or Dice()).mode == "ask"
    if not asked or PRONE in condition_names(tx, rules, target.id) or not may_react(tx, rules, target.id):
        return False
    unnoticed = positions.is_unnoticed(tx, data.attacker, target.id)
    return positions.sees(tx, rules, target.id, data.attacker) is True and not unnoticed


def roll(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Take reactions, then ask the attack roll against the target's AC."""
    data = assault_of(procedure)
    for who, what in taken(answers):
        rule = rules.cite("attack.drop-prone")
        if what == DROP:
            take(tx, rules, who, "reaction")
            tx.emit(Acted(who=who, action="<action.drop_prone>", cost="reaction", rule=rule))
            put_condition(tx, rules, who, PRONE, rule=rule)
    if tx.get(Combatant, data.attacker) is None or (data.target and not name_of(tx, data)):
        return None
    rolling = rules.attack.roll(tx, rules, data)
    if rolling.flat is not None and FOUND not in data.facts:
        figures, flat = rules.catalogue.turns, rolling.flat
        spec = RollSpec(figures.flat_die)
        asked = Ask("flat", "roll", FLAT, data.attacker, flat.reason, spec, flat.steps, rule=flat.rule)
        _card(tx, rules, procedure, data, [asked])
        return at(procedure, "found", data)
    if rolling.fails is not None:
        return _settle(tx, rules, procedure, msgspec.structs.replace(data, outcome=MISS), rolling.fails.rule)
    meets = rules.attack.defence(tx, rules, data)
    rule = rules.cite("attack.roll")
    unrolled = rules.catalogue.attack.said and not rolling.spec.dice
    asked = Ask(
        "roll",
        "choice" if unrolled else "roll",
        "ask.attack",
        data.attacker,
        data.means.name,
        rolling.spec,
        meets.total if meets is not None and WRONG not in data.facts else 0,
        options=SAID if unrolled else (),
        rule=rule,
    )
    _card(tx, rules, procedure, data, [asked])
    return at(procedure, "outcome", data)


def found(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Let an attack miss whose flat check failed; passed over, none was needed."""
    data = assault_of(procedure)
    if tx.get(Combatant, data.attacker) is None or (data.target and not name_of(tx, data)):
        return None
    flat, answer = rules.attack.roll(tx, rules, data).flat, answers.get("flat")
    if flat is not None and answer is not None and not answer.skipped:
        passed = take_result(tx, rules, answer, FLAT, data.attacker, flat.reason, flat.steps, flat.rule)
        if not passed:
            return _settle(tx, rules, procedure, msgspec.structs.replace(data, outcome=MISS), flat.rule)
    return at(procedure, "roll", msgspec.structs.replace(data, facts=(*data.facts, FOUND)))


def outcome(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """See how the attack went: by the roll, or by what a person says of dice that nobody knows."""
    data = assault_of(procedure)
    answer = answers.get("roll", Answered("roll", skipped=True))
    if answer.skipped or tx.get(Combatant, data.attacker) is None or (data.target and not name_of(tx, data)):
        tx.emit(Skipped(purpose="ask.attack", who=data.attacker, detail=data.means.name))
        return None
    rolling = rules.attack.roll(tx, rules, data)
    meets = rules.attack.defence(tx, rules, data)
    went = next((one for one in (HIT, CRITICAL, MISS) if one in answer.chosen), MISS)
    if answer.roll is not None and rules.catalogue.attack.said:
        rule = rules.cite("attack.hit")
        asked = Ask("said", "choice", "ask.attack_said", data.attacker, data.means.name, options=SAID, rule=rule)
        _card(tx, rules, procedure, data, [asked])
        return at(procedure, "judged", msgspec.structs.replace(data, roll=answer.roll))
    if answer.roll is not None:
        went = (
            rules.attack.outcome(rules, answer.roll, meets.total if meets else 0, rolling.critical is not None) or MISS
        )
    if WRONG in data.facts and went != FUMBLE:
        went = MISS
    use_up(tx, rules, rolling.used)
    data = msgspec.structs.replace(data, roll=answer.roll, outcome=went, critical=went == CRITICAL)
    return _settle(tx, rules, procedure, data, _rule(rules, data, rolling, meets.total if meets else 0))


def judged(tx: Transaction, rules: RuleSystem, procedure: Procedure, answers: Answers) -> Procedure | None:
    """Take it from a person whether a roll that the game holds against nothing has hit."""
    data = assault_of(procedure)
    if tx.get(Combatant, data.attacker) is None or (data.target and not name_of(tx, data)):
        return None
    use_up(tx, rules, rules.attack.roll(tx, rules, data).used)
    hit = "said" in answers and HIT in answers["said"].chosen
    data = msgspec.structs.replace(data, outcome=HIT if hit else MISS)
    return _settle(tx, rules, procedure, data, rules.cite(_topic(data)))


def _rule(rules: RuleSystem, data: Assault, rolling: AttackRoll, meets: int) -> str:
    """Return the rule by which an attack went as it did; of a hit that only something makes critical, that one's."""
    made = rolling.critical if data.outcome == CRITICAL and data.roll is not None else None
    if made is not None and data.roll is not None and rules.attack.outcome(rules, data.roll, meets, False) != CRITICAL:
        return made.rule
    return rules.cite(_topic(data))


def _topic(data: Assault) -> str:
    if WRONG in data.facts:
        return "attack.hidden-miss"
    return {CRITICAL: "attack.critical", FUMBLE: "attack.fumble", HIT: "attack.hit"}.get(data.outcome, "attack.resolve")


def _settle(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Assault, rule: str) -> Procedure | None:
    """Say how the attack went, give its maker's place away, and go on where it hit."""
    _tell(tx, rules, data, rule)
    if data.purpose != "opportunity":
        count_attack(tx, rules, data.attacker)
    _reveal(tx, rules, data)
    if data.outcome not in (HIT, CRITICAL) or not name_of(tx, data):
        return None
    thing = thing_of(tx, data.target) if data.thing else None
    if isinstance(thing, Entry):
        return at(procedure, "row", data)
    interrupt(tx, data, procedure.id)
    if data.critical and data.means.damage and not data.thing:
        asked = block_ask(tx, rules, data.target)
        if asked is not None:
            ask(tx, procedure, "prompt.reaction", [asked], subject=name_of(tx, data), rule=asked.rule)
    return at(procedure, "damage", data)


def _tell(tx: Transaction, rules: RuleSystem, data: Assault, rule: str) -> None:
    """Tell the attack; of one at a guessed place the players hear no more than whether it hit."""
    guessed = RIGHT in data.facts or WRONG in data.facts
    quiet = guessed and data.outcome not in (HIT, CRITICAL)
    meets = rules.attack.defence(tx, rules, data)
    tx.emit(
        Attacked(
            who=data.attacker,
            means=data.means.name,
            target=data.target,
            name=name_of(tx, data),
            outcome=MISS if quiet else data.outcome,
            roll=None if quiet else data.roll,
            ac=meets.total if meets is not None and not guessed else None,
            defence=meets.parts if meets is not None and not guessed else (),
            guessed=guessed,
            rule=rules.cite("attack.hidden-miss") if quiet else rule,
        )
    )
    if guessed:
        right = RIGHT in data.facts
        tx.emit(
            GuessMade(
                who=data.attacker, target=data.target, right=right, roll=data.roll, rule=rules.cite("attack.hidden")
            )
        )


def _reveal(tx: Transaction, rules: RuleSystem, data: Assault) -> None:
    """Let a hidden attacker be found out; at most tables one that stays unseen for another reason stays hidden."""
    stays = rules.option(tx, STAYS_HIDDEN)
    for effect in effects_on(tx, data.attacker):
        if effect.name != HIDDEN:
            continue
        observer = effect.by or (data.target if not data.thing else "")
        tx.remove(effect)
        if stays and observer and positions.sees(tx, rules, observer, data.attacker) is False:
            tx.put(effect)
        else:
            end_effect(tx, rules, effect, rules.cite("attack.stays-hidden" if stays else "attack.reveal"))


def _card(tx: Transaction, rules: RuleSystem, procedure: Procedure, data: Assault, asks: list[Ask]) -> None:
    subject = name_of(tx, data) or data.means.name
    ask(tx, procedure, "prompt.attack", asks, subject=subject, rule=rules.cite("attack.resolve"))


def assault_of(procedure: Procedure) -> Assault:
    """Return the attack that a procedure is about."""
    assert isinstance(procedure.data, Assault)
    return procedure.data


STAGES: dict[tuple[str, str], Stage] = {
    ("attack", "declare"): declare,
    ("attack", "begun"): begun,
    ("attack", "aim"): aim,
    ("attack", "roll"): roll,
    ("attack", "found"): found,
    ("attack", "outcome"): outcome,
    ("attack", "judged"): judged,
}
