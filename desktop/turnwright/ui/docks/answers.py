"""What `?` answers where no label has its reasons with it: resources, hit points, places in the order, the world.

Each function returns a why-card's contents: the figures as they are shown, what they are made of, and the rule.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from turnwright.dice.errors import DiceError
from turnwright.dice.expression import parse
from turnwright.encounter.prepared import Countdown, Entry, Environment
from turnwright.encounter.running import Combatant, Effect, Pool, Track, track_id
from turnwright.play.events import Line
from turnwright.play.inquiries import armor_class, effects_of, resources_of
from turnwright.rules.parts.surroundings import entry_in, state_of
from turnwright.rules.terms import signed
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import Explainer, explainer
from turnwright.ui.models.expected import about_rolls, odds_of
from turnwright.ui.say import say
from turnwright.ui.widgets.reasons import Why, WhyLine

LATEST = 5
RULES_AT_MOST = 4
_TELLS_POINTS = ("harm", "heal")


def of_resource(bridge: Bridge, who: str, resource: str) -> Why:
    """Return why so much of a resource is left: what it is, what forbids it now, its rules."""
    explain = explainer(bridge)
    have = next((one for one in resources_of(bridge.encounter, bridge.rules, who) if one.resource.id == resource), None)
    if have is None:
        return Why(explain.name(f"<resource.{resource}>"), "")
    denied = [explain.worded("✕", explain.name(have.denied), have.rule)] if have.denied else []
    lines = [*denied, *rule_lines(explain, have.resource.ledger)]
    return Why(have.resource.name, f"{have.left} / {have.maximum}", tuple(lines))


def of_track(bridge: Bridge, who: str, name: str) -> Why:
    """Return what levels of fatigue and the like mean: the condition of that name and its rules."""
    explain = explainer(bridge)
    track = bridge.encounter.get(Track, track_id(who, name))
    condition = bridge.rules.conditions.get(name)
    text = [WhyLine("·", condition.text)] if condition is not None and condition.text else []
    rules = rule_lines(explain, condition.ledger) if condition is not None else []
    return Why(explain.name(f"<track.{name}>"), str(track.value if track else 0), (*text, *rules))


def of_hit_points(bridge: Bridge, who: str) -> Why:
    """Return why somebody has so many hit points: the maximum, what was lost, temporary ones, and what came last."""
    combatant = bridge.encounter.need(Combatant, who)
    return Why(say("ui.stat.hp"), _points(combatant), tuple(_hit_point_lines(bridge, combatant)))


def of_place(bridge: Bridge, who: str) -> Why:
    """Return what stands behind a row of the turn order: the initiative, hit points and AC of somebody, and conditions."""
    combatant, explain = bridge.encounter.need(Combatant, who), explainer(bridge)
    lines = list(_initiative_lines(bridge, combatant))
    lines.append(explain.worded(_points(combatant), say("ui.stat.hp"), explain.rule_on("hp.range")))
    figure = armor_class(bridge.encounter, bridge.rules, who)
    rule = next((part.rule for part in figure.parts if part.rule), "") or explain.rule_on("attack.ac-source")
    lines.append(explain.worded(str(figure.total), say("ui.stat.ac"), rule))
    lines += [line for effect in effects_of(bridge.encounter, who) for line in _effect_lines(bridge, effect)]
    return Why(combatant.label, "", tuple(lines))


def of_world_action(bridge: Bridge, environment: str, entry: str) -> Why:
    """Return why a world action is ready or not, what it rolls and asks for, and its rules."""
    explain = explainer(bridge)
    place = bridge.encounter.get(Environment, environment)
    row = entry_in(place, entry) if place is not None else None
    if row is None:
        return Why(entry, "")
    ready = state_of(bridge.encounter, environment, entry).ready
    lines = [*row_figures(explain, row)]
    topics = ("world.recharge.after-use", "world.recharge.repeat") if row.recharge else ("world.recharge.only-listed",)
    lines += rule_lines(explain, (*row.rules, *(explain.rule_on(topic) for topic in topics)))
    state = say("ui.order.ready") if ready else say("ui.order.spent")
    return Why(row.name, state, tuple(lines), (), (row.text,) if row.text else ())


def row_figures(explain: Explainer, row: Entry) -> Iterator[WhyLine]:
    """Yield the figures of an environment's row: recharge, save, check, damage."""
    if row.recharge:
        faces = str(row.recharge) if row.recharge >= 6 else f"{row.recharge}–6"
        yield WhyLine(faces, say("ui.answers.recharge"))
    if row.save is not None:
        save = explain.name(f"<save.{row.save.ability}>")
        yield WhyLine(say("ui.prompt.dc", dc=row.save.dc), save[:1].upper() + save[1:])
    if row.check is not None and row.check.dc:
        yield WhyLine(say("ui.prompt.dc", dc=row.check.dc), say("ui.answers.check"))
    if row.damage:
        yield damage_line(explain, row.damage)


def of_pool(bridge: Bridge, pool_id: str) -> Why:
    """Return why a pool stands as it does: its last faces, those that go, how long it will last, its rules."""
    explain = explainer(bridge)
    pool = bridge.encounter.get(Pool, pool_id)
    countdown = bridge.encounter.get(Countdown, pool.countdown) if pool is not None else None
    if pool is None or countdown is None:
        return Why(pool_id, "")
    lines = [*_countdown_lines(bridge, countdown, pool.dice)]
    if pool.faces:
        said = " ".join(str(face) for face in pool.faces)
        lines.insert(0, WhyLine("·", say("ui.answers.last-faces", faces=said)))
    topic = "countdown.unstoppable" if pool.unstoppable else "countdown.stop"
    lines += rule_lines(explain, (explain.rule_on("countdown.roll"), explain.rule_on(topic)))
    return Why(countdown.name, say("ui.answers.dice", n=pool.dice), tuple(lines))


def of_countdown(bridge: Bridge, countdown: Countdown) -> Why:
    """Return how long a prepared countdown lasts, by the table and by exact odds, and the rules that say so."""
    explain = explainer(bridge)
    lines = (
        *_countdown_lines(bridge, countdown, countdown.dice),
        *rule_lines(explain, (explain.rule_on("countdown.roll"),)),
    )
    return Why(countdown.name or countdown.id, say("ui.answers.dice", n=countdown.dice), lines)


def damage_line(explain: Explainer, expression: str) -> WhyLine:
    """Return what a damage expression comes to, and the rule of damage rolls."""
    try:
        dice = parse(expression)
    except DiceError:
        return WhyLine("·", expression)
    text = say("ui.window.roll-is", roll=expression, mean=f"{dice.mean:g}", least=dice.minimum, most=dice.maximum)
    return explain.worded("·", text, explain.rule_on("damage.form"))


def rule_lines(explain: Explainer, rules: tuple[str, ...]) -> list[WhyLine]:
    """Return a line for each rule that the ledger knows, so many at most."""
    known = list(dict.fromkeys(rule for rule in rules if explain.is_known(rule)))[:RULES_AT_MOST]
    return [explain.worded("§", explain.ledger.title(rule), rule) for rule in known]


def _points(combatant: Combatant) -> str:
    cap = f" +{combatant.temp_hp}" if combatant.temp_hp else ""
    return f"{combatant.hp} / {combatant.hp_max}{cap}"


def _hit_point_lines(bridge: Bridge, combatant: Combatant) -> Iterator[WhyLine]:
    explain = explainer(bridge)
    yield explain.worded(str(combatant.hp_max), say("ui.answers.maximum"), explain.rule_on("hp.range"))
    lost = combatant.hp_max - combatant.hp
    if lost:
        yield explain.worded(signed(-lost), say("ui.answers.lost"), explain.rule_on("hp.damage"))
    if combatant.temp_hp:
        rule = explain.rule_on("temp.separate")
        yield explain.worded(signed(combatant.temp_hp), say("ui.answers.temporary"), rule)
    for line in _latest(bridge, combatant.id):
        yield WhyLine("·", explain.phrase(line.phrase))


def _latest(bridge: Bridge, who: str) -> list[Line]:
    """Return the journal's last lines about somebody's hit points, the oldest of them first."""
    about = (Combatant.table, who)
    found: list[Line] = []
    for line in reversed(tuple(bridge.document.session.journal())):
        if line.subject == about and line.kind in _TELLS_POINTS:
            found.append(line)
            if len(found) == LATEST:
                break
    return found[::-1]


def _initiative_lines(bridge: Bridge, combatant: Combatant) -> Iterator[WhyLine]:
    """Yield the count with its roll as the journal has it; where nothing is rolled yet, what will be."""
    explain = explainer(bridge)
    title = say("ui.stat.initiative")
    told = next(
        (
            line
            for line in reversed(tuple(bridge.document.session.journal()))
            if line.subject == (Combatant.table, combatant.id) and line.phrase.key.startswith("journal.initiative_")
        ),
        None,
    )
    rule = (told.rule if told is not None else "") or explain.rule_on("initiative.order")
    if told is not None and told.roll is not None:
        why = explain.of_roll(told.roll, title)
        yield explain.worded(why.total, title, rule)
        for die in why.dice:
            yield WhyLine(str(die.face), f"d{die.sides}" + ("" if die.kept else f", {say('ui.why.dropped')}"))
        yield from why.lines
    elif combatant.initiative is not None:
        yield explain.worded(str(combatant.initiative), explain.phrase(told.phrase) if told else title, rule)
    else:
        spec = bridge.rules.initiative.roll(bridge.encounter, bridge.rules, combatant.id)
        yield explain.worded("·", f"{title}: {say('ui.answers.not-rolled')}", rule)
        yield from explain.of_spec(spec, title).lines


def _effect_lines(bridge: Bridge, effect: Effect) -> list[WhyLine]:
    explain = explainer(bridge)
    condition = bridge.rules.conditions.get(effect.name)
    name = explain.name(f"<condition.{effect.name}>")
    rules = [rule for rule in (condition.ledger if condition else ()) if explain.is_known(rule)]
    line = explain.worded("·", name, rules[0] if rules else "")
    text = condition.text if condition else ""
    return [msgspec.structs.replace(line, words=text) if text else line]


def _countdown_lines(bridge: Bridge, countdown: Countdown, dice: int) -> Iterator[WhyLine]:
    explain = explainer(bridge)
    lowest = bridge.rules.countdown_faces.get(countdown.speed)
    if lowest is not None:
        faces = "6" if lowest >= 6 else f"{lowest}–6"
        speed = say(f"ui.countdown.speed-{countdown.speed}")
        yield explain.worded(
            faces, say("ui.answers.faces-go", speed=speed), explain.rule_on(f"countdown.{countdown.speed}")
        )
    left = countdown if dice == countdown.dice else _with_dice(countdown, dice)
    about, odds = about_rolls(left, bridge.rules), odds_of(left, bridge.rules)
    row = next((row for row in bridge.rules.catalogue.countdown_table if row.dice == dice), None)
    if about is not None:
        rule = row.ledger[0] if row is not None and row.ledger else explain.rule_on("countdown.average-only")
        yield explain.worded(f"≈ {about}", say("ui.answers.rolls"), rule)
    if odds is not None:
        yield WhyLine(f"{odds.mean:.2f}", say("ui.answers.mean"))


def _with_dice(countdown: Countdown, dice: int) -> Countdown:
    return msgspec.structs.replace(countdown, dice=dice)
