"""Whom and what an attack can be aimed at: how far it is, what stands in the way, and the armor class to meet."""

from __future__ import annotations

from turnwright.battlemap import sight as lines
from turnwright.battlemap.spaces import Space
from turnwright.dice.roll import Modifier, share_id
from turnwright.encounter.pending import Assault
from turnwright.encounter.prepared import Entry, Environment, Feature, Obstacle
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.catalogue.places import CoverGrade
from turnwright.rules.figures import Figure, figure
from turnwright.rules.hooks import Moment, Veto
from turnwright.rules.parts import positions
from turnwright.rules.parts.ability_checks import lacks_armor_class
from turnwright.rules.parts.areas import map_of
from turnwright.rules.parts.field import field_of
from turnwright.rules.parts.means import RANGED, is_spell, kind_of, range_of
from turnwright.rules.parts.surroundings import entry_in
from turnwright.rules.system import RuleSystem, creature_of, label_of

NO_SIGHT = "no-sight"  # the property of what needs no sight of its target


def reach_of(lookup: Lookup, rules: RuleSystem, who: str, means: Feature) -> int:
    """Return how far an attack in melee reaches: its own figure, the creature's, or everybody's usual one."""
    return means.reach or creature_of(lookup, lookup.need(Combatant, who)).reach or rules.catalogue.attack.reach


def thing_of(lookup: Lookup, target: str) -> Obstacle | Entry | None:
    """Return the obstacle of the map with an id, or the row of an environment (`cavernous.stalactites`) with an AC."""
    field = map_of(lookup)
    found = next((one for one in (field.obstacles if field else ()) if one.id == target), None)
    if found is not None:
        return found
    place, _, row = target.partition(".")
    environment = lookup.get(Environment, place)
    entry = entry_in(environment, row) if environment is not None else None
    return entry if entry is not None and entry.ac else None


def feet_to(lookup: Lookup, rules: RuleSystem, assault: Assault) -> int | None:
    """Return the feet to what is attacked, or to the square aimed at; None where nobody knows."""
    if assault.at is not None:
        return feet_to_squares(lookup, rules, assault.attacker, assault.at, (1, 1))
    if not assault.thing:
        return positions.distance(lookup, rules, assault.attacker, assault.target) if assault.target else None
    thing = thing_of(lookup, assault.target)
    if isinstance(thing, Obstacle):
        return feet_to_squares(lookup, rules, assault.attacker, thing.at, thing.size)
    return None


def feet_to_squares(
    lookup: Lookup, rules: RuleSystem, who: str, corner: tuple[int, int], size: tuple[int, int]
) -> int | None:
    """Return the distance to some squares, by their upper left one and how many there are; None where nobody knows."""
    field, here = positions.grid(lookup), lookup.get(Combatant, who)
    if field is None or here is None or here.position is None:
        return None
    side = max(1, round(positions.space_of(lookup, rules, who) / field.cell))
    gaps = [
        max(0, there - (own + side) + 1, own - (there + extent) + 1)
        for own, there, extent in zip(here.position, corner, size, strict=True)
    ]
    return max(gaps) * field.cell


def stands_on(lookup: Lookup, rules: RuleSystem, who: str, square: tuple[int, int]) -> bool:
    """Return whether somebody's space takes in a square."""
    field, here = positions.grid(lookup), lookup.get(Combatant, who)
    if field is None or here is None or here.position is None:
        return False
    side = max(1, round(positions.space_of(lookup, rules, who) / field.cell))
    return all(0 <= aimed - own < side for aimed, own in zip(square, here.position, strict=True))


def obstacle_on(lookup: Lookup, square: tuple[int, int]) -> Obstacle | None:
    """Return the obstacle of the map that stands on a square, None where none does."""
    field = map_of(lookup)
    for one in field.obstacles if field else ():
        if all(0 <= aimed - own < extent for aimed, own, extent in zip(square, one.at, one.size, strict=True)):
            return one
    return None


# What has to be met --------------------------------------------------------------------------------------------


def defence(lookup: Lookup, rules: RuleSystem, assault: Assault) -> Figure | None:
    """Return the armor class an attack has to meet, cover included; None where nobody has said it."""
    given = next((int(fact.removeprefix("ac:")) for fact in assault.facts if fact.startswith("ac:")), None)
    if assault.thing:
        thing = thing_of(lookup, assault.target)
        if given is not None:
            return figure(Modifier(given, "why.narrator", rules.cite("attack.thing-ac")))
        if thing is None or not thing.ac:
            return None
        return figure(Modifier(thing.ac, thing.name or assault.target, rules.cite("attack.ac-source")))
    if lookup.get(Combatant, assault.target) is None:
        return None
    if lacks_armor_class(lookup, assault.target):
        return None
    own = rules.armor_class(lookup, rules, assault.target, met_by(lookup, rules, assault))
    declined = {fact.removeprefix("no:") for fact in assault.facts if fact.startswith("no:")}
    parts = [
        Modifier(part.value, part.reason, part.rule or rules.cite("attack.ac-source"), part.kind)
        for part in own.parts
        if not part.rule or not {part.rule, share_id(part.rule, part.reason)} & declined
    ]
    said = _said_cover(rules, assault)
    shelter = positions.cover_bonus(lookup, rules, assault.attacker, assault.target, _kind(assault))
    if said is not None:
        by_word = said.bonus if "ac" in said.on else 0
        rule = said.ledger[0] if said.ledger else rules.cite("attack.cover-judgement")
        shelter = Modifier(by_word, said.name, rule, said.type)
    return rules.figure(*parts, *((shelter,) if shelter is not None else ()))


def met_by(lookup: Lookup, rules: RuleSystem, assault: Assault) -> Moment:
    """Return an attack as what the target's AC has to meet."""
    said = tuple(fact for fact in assault.facts if ":" not in fact)
    return Moment(assault.target, "ac-against", other=assault.attacker, tags=(*_kind(assault), *assault.tags, *said))


def _said_cover(rules: RuleSystem, assault: Assault) -> CoverGrade | None:
    """Return the cover that a person says the target has, None where nobody said."""
    grade = next((fact.removeprefix("cover:") for fact in assault.facts if fact.startswith("cover:")), "")
    return next((one for one in rules.catalogue.cover if one.id == grade), None)


def _kind(assault: Assault) -> tuple[str, ...]:
    return (kind_of(assault.means, thrown="thrown" in assault.tags),)


# What forbids it -------------------------------------------------------------------------------------------------


def vetoes(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Veto, ...]:
    """Return why an attack can't be aimed so: its kind, its reach or range, total cover, or a line that is missing."""
    if assault.target == assault.attacker:
        who = ("who", label_of(lookup, assault.attacker))
        return (Veto("refused.oneself", rules.cite("attack.target"), (who,)),)
    found: list[Veto] = []
    thrown = "thrown" in assault.tags
    shot = kind_of(assault.means, thrown=thrown) == RANGED
    what = ("what", assault.means.name)
    if thrown and not ("thrown" in assault.means.properties or assault.means.range):
        found.append(Veto("refused.not_thrown", rules.cite("attack.properties"), (what,)))
    if shot and assault.purpose == "opportunity":
        found.append(Veto("refused.melee_only", rules.cite("opportunity.single-melee"), (what,)))
    found += _unfound(lookup, rules, assault)
    found += _too_far(lookup, rules, assault, shot)
    return (*found, *_barred(lookup, rules, assault))


def _unfound(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[Veto, ...]:
    """Return why somebody hidden can't be chosen, in a game where what is hidden can't be, guess or no guess."""
    if assault.thing or not _is_a_guess(lookup, assault):
        return ()
    kept = positions.denied(lookup, rules, assault.target, "being-targeted")
    params = (("who", label_of(lookup, assault.attacker)), ("target", label_of(lookup, assault.target)))
    return tuple(Veto("refused.hidden", rule, params) for _, rule in kept[:1])


def _barred(lookup: Lookup, rules: RuleSystem, assault: Assault) -> list[Veto]:
    """Return which lines to the target are missing, and whether it is wholly covered."""
    rule = rules.cite("attack.line-of-sight")
    sight, effect = _lines(lookup, rules, assault)
    found = []
    if sight is False and NO_SIGHT not in assault.means.properties:
        found.append(Veto("refused.no_line_of_sight", rule))
    if effect is False:
        found.append(Veto("refused.no_line_of_effect", rule))
    if assault.thing or _is_a_guess(lookup, assault) or lookup.get(Combatant, assault.target) is None:
        return found
    said = _said_cover(rules, assault)
    if said is not None:
        barred_by = said.untargetable and said.ledger and said.bars((*_kind(assault), *assault.means.properties))
        return [*found, *([Veto("refused.total_cover", said.ledger[0])] if barred_by else [])]
    tags = (*_kind(assault), *assault.means.properties)
    barred = positions.untargetable(lookup, rules, assault.attacker, assault.target, tags)
    return [*found, *((barred,) if barred is not None else ())]


def _lines(lookup: Lookup, rules: RuleSystem, assault: Assault) -> tuple[bool | None, bool | None]:
    """Return whether a line of sight and one of effect lead to the square aimed at, or to the target; None: not known."""
    field, here = field_of(lookup), positions.space(lookup, rules, assault.attacker)
    if assault.at is not None and field is not None and here is not None:
        there = Space(*assault.at, side=field.cell, elevation=here.elevation)
        sight, effect = (lines.between(field, barrier, here, there) for barrier in (field.sight, field.effect))
        return sight.clear, effect.clear
    if assault.thing or _is_a_guess(lookup, assault) or lookup.get(Combatant, assault.target) is None:
        return None, None
    ends = (assault.attacker, assault.target)
    return positions.line_of_sight(lookup, rules, *ends), positions.line_of_effect(lookup, rules, *ends)


def _is_a_guess(lookup: Lookup, assault: Assault) -> bool:
    """Return whether the attack goes to where a hidden target is only taken to be, so that nothing may give it away."""
    return bool(assault.target) and positions.is_hidden_from(lookup, assault.target, assault.attacker)


def _too_far(lookup: Lookup, rules: RuleSystem, assault: Assault, shot: bool) -> list[Veto]:
    if assault.at is None and _is_a_guess(lookup, assault):
        return []
    feet = feet_to(lookup, rules, assault)
    params = (("feet", feet or 0), ("what", assault.means.name))
    if shot:
        normal, longest = range_of(assault.means)
        increments = 0 if is_spell(assault.means) else rules.catalogue.attack.increments
        longest = longest or normal * increments
        if feet is None or not normal or feet <= (longest or normal):
            return []
        topic = "ranged.beyond-long" if longest else "ranged.single"
        return [Veto("refused.out_of_range", rules.cite(topic), (*params, ("range", longest or normal)))]
    reach = reach_of(lookup, rules, assault.attacker, assault.means)
    said = positions.relation(lookup, assault.attacker, assault.target)
    if feet is None:
        away = said is not None and said.reached is False
    else:
        away = feet > reach and not (said is not None and said.reached)
    if not away:
        return []
    topic = "melee.reach-default" if reach == rules.catalogue.attack.reach else "melee.reach-larger"
    return [Veto("refused.out_of_reach", rules.cite(topic), (*params, ("reach", reach)))]
