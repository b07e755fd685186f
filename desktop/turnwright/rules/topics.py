"""The topics on which the engines cite a rule, and the word keys of a system's ids and ratings.

Topics are the keys of `cites` in a system's data. A `*` matches one word that varies, such as a mode of movement
(`move.*-speed`). Word keys have the form `condition.prone`, `damage.fire`, `skill.stealth` or `check.dex:stealth`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from turnwright.rules.system_data import SystemData

_TOPICS: Final = """
    absorption.heals acting.* action.disabled action.improvise affliction.save attack.ac-source
    attack.cover-judgement attack.critical attack.down attack.drop-prone attack.edges attack.fumble attack.hidden
    attack.hidden-miss attack.hit attack.line-of-sight attack.modifier.magic-weapon attack.modifier.melee-ability
    attack.modifier.misc attack.modifier.monster attack.modifier.nonproficient attack.modifier.proficient
    attack.modifier.ranged-ability attack.modifier.spell-ability attack.multiple attack.properties
    attack.range-unknown attack.resolve attack.reveal attack.roll attack.stays-hidden attack.stowed attack.target
    attack.thing-ac award.treasure award.xp control.attack.already-save control.attack.numbers control.attack.save
    control.check.one-roll control.check.strength control.command control.group-move control.same-action countdown.*
    countdown.adjust countdown.average-only countdown.expire countdown.pool countdown.roll countdown.stop
    countdown.unstoppable cover.creature critical.block-reaction critical.dice critical.double
    critical.downgrade-fatigue critical.downgrade-shield critical.shield damage.form damage.least
    damage.minimum-zero damage.multi-target damage.types-used damage.weapon-modifier death.attacked death.count
    death.critical death.dying death.floor death.instant death.massive-at-zero death.natural-1 death.natural-20
    death.other-damage death.other-damage-option death.place death.reset death.skipped death.target
    death.third-failure death.third-success death.turn-start doomed.remedy drag.cost drag.grip drag.start effect.*
    effect.falls effect.rounds effect.sustained effect.turns endround.conclude endround.loop
    env.rule.end-of-turn-saves env.rule.first-touch env.rule.frost-exempt env.rule.lightning-no-repeat
    env.rule.mirror-breaks env.rule.shadow-joins env.rule.thunder-per-die external.concentration
    external.level-hit-dice external.max-health falling.figures fatigue.cause-critical-at-zero fatigue.deferred
    fatigue.seven feature.granted feature.use gale.straight haze.moves heal.dead heal.excess help.check hp.damage
    hp.heal hp.range immunity.conditions immunity.mundane immunity.type initiative.alternate-check
    initiative.default-dexterity initiative.opener initiative.order initiative.own-value initiative.reuse
    initiative.tie initiative.tie-others initiative.tie-players initiative.together knockout.melee knockout.result
    knockout.timing massive.save massive.success massive.threshold melee.reach-default melee.reach-larger mount.*
    mount.control mount.cost mount.half-cover mount.initiative mount.intelligent mount.mount-prone
    mount.mount-prone-reaction mount.moved mount.once mount.one-attack mount.orders mount.paid-orders
    mount.rider-prone mount.size mount.training mount.willing move.* move.*-cost move.*-speed move.additional-speeds
    move.fall-prone move.fall-speed-zero move.hard-price move.held move.jump-height move.jump-speed move.replanned
    move.switch move.switch-blocked npc.doomed-at-zero npc.dying-rules npc.monster-dies offturn.plan
    offturn.reaction ongoing.end ongoing.flat-check ongoing.timing ongoing.typed ongoing.untyped ongoing.worst
    opportunity.forced opportunity.single-melee opportunity.teleport opportunity.trigger passive.scores phase.two
    position.* position.distance position.told price.* price.attack prone.crawl-only prone.drop-free
    prone.drop-reaction prone.stand ranged.beyond-long ranged.increment ranged.single reaction.check
    reaction.interrupted reaction.once reaction.order reaction.own-turn reaction.trigger ready.reaction
    recovery.first-level recovery.haven recovery.hit-points recovery.one-per-rest resistance.figure resistance.half
    resistance.no-stack rest.* rolling.no-forward rolling.world round.off-turn round.on-turn round.sequence
    round.simultaneous scene.edge scene.when setup.initiative-step setup.order setup.scene setup.surprise-step
    size.no-ending size.pass-through size.surround-limit spell.slot-a-turn spell.unknown-time sprint.straight
    squeeze.speed stable.aid stable.damaged stable.recover stable.unconscious sudden.advantage sudden.no-surprise
    surprise.ambush surprise.cause surprise.checks surprise.none suspended.astral-speed suspended.descend
    suspended.fall temp.expire temp.first temp.no-stack temp.separate terrain.occupied thing.stopped throw.catch
    tumble.once turn.*-note turn.*-order turn.*-trigger turn.announced turn.any-order turn.choose-lost turn.delay
    turn.free-actions turn.joined turn.lapsed turn.not-regained turn.nothing turn.reaction-refresh
    turn.regain-changed turn.speed turn.spent turn.split-movement turn.unfinished twf.damage twf.extra-attack
    twf.heavy twf.offhand-property twf.trigger vulnerability.double vulnerability.no-stack weakness.figure
    world.new-participants world.own-turn world.range world.recharge.after-use world.recharge.only-listed
    world.recharge.repeat world.recharge.spent world.start-of-round zero.fatigue zero.revived zero.unconscious
    zero.wake
"""
TOPICS: Final = frozenset(_TOPICS.split())
_PATTERN: Final = re.compile(
    "|".join(re.escape(topic).replace(r"\*", r"[^.]+") for topic in sorted(TOPICS) if "*" in topic)
)


def is_topic(name: str) -> bool:
    """Return whether the engines cite a rule on this topic."""
    return name in TOPICS or _PATTERN.fullmatch(name) is not None


def signed_text(value: int) -> str:
    """Return a number with its sign, using a typographic minus."""
    return f"\N{MINUS SIGN}{-value}" if value < 0 else f"+{value}"


def system_words(data: SystemData) -> dict[str, str]:
    """Return the texts of a system's data, keyed by word key."""
    return dict([*_named(data), *data.terms])


def keys_of_ids(data: SystemData) -> frozenset[str]:
    """Return the word keys of a game's ids."""
    return frozenset(key for key, _ in _named(data))


def _named(data: SystemData) -> Iterator[tuple[str, str]]:
    for kind, entries in (
        ("condition", data.conditions),
        ("condition", data.standing),
        ("cover", data.cover),
        ("sense", data.senses),
        ("terrain", data.terrains),
        ("resource", data.resources),
        ("resource-one", data.resources),  # the singular, as in "1 Action", which a game's terms may override
        ("track", tuple(resource for resource in data.resources if resource.characters is not None)),
        ("action", data.actions),
        ("size", data.sizes),
        ("skill", data.skills),
        ("speed", data.speeds),
        ("ability", data.abilities),
        ("round", data.round_lengths),
    ):
        yield from ((f"{kind}.{entry.id}", entry.name) for entry in entries)
    yield from ((f"condition.speed:{speed.id}", speed.name) for speed in data.speeds)
    yield from ((f"damage.{damage.id}", damage.name.lower()) for damage in data.damage_types)
    terms = dict(data.terms)
    for ability in data.abilities:
        bare = terms.get(f"check.{ability.id}", ability.name)
        before, _, after = bare.partition(ability.name)  # the words around the ability, such as "… check"
        yield f"check.{ability.id}", bare
        yield f"save.{ability.id}", ability.name
        for skill in data.skills:
            plain = (
                data.checks.degrees and skill.ability == ability.id
            )  # "Athletics check", not "Strength (Athletics) check"
            name = skill.name if plain else f"{ability.name} ({skill.name})"
            yield f"check.{ability.id}:{skill.id}", f"{before}{name}{after}"


_FRACTIONS: Final[Mapping[str, str]] = {"1/8": "⅛", "1/4": "¼", "1/3": "⅓", "1/2": "½", "2/3": "⅔", "3/4": "¾"}
_THOUSANDS: Final = 1000  # larger amounts are shown without fractions


def rating_text(rating: str) -> str:
    """Return a challenge rating as text, with a fraction character such as ¼."""
    return _FRACTIONS.get(rating, rating)


def amount_text(value: Fraction) -> str:
    """Return an amount as text, with a fraction such as ½ or up to two decimal places.

    Amounts of 1,000 or more are shown without a fraction.
    """
    whole, rest = divmod(value, 1)
    if not rest or whole >= _THOUSANDS:
        return f"{whole:,}"
    if rest.denominator > 8:
        return f"{float(value):,.2f}".rstrip("0").rstrip(".")
    part = rating_text(str(rest))
    return f"{whole:,}{part}" if whole and part != str(rest) else f"{whole:,} {part}" if whole else part
