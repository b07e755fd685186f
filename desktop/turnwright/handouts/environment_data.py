"""Environments, countdowns, the difficulty and treasure as plain data for pages.

Converts environments and countdowns to plain data for pages, with their numbers and outcomes as text.

An encounter's threat as plain data, according to its game's budget: a word, a level and the numbers.

Treasure as listed on the game master's sheets, one line per item.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from turnwright.encounter import prepared
from turnwright.encounter.state import scene_of, wave_name
from turnwright.handouts.page_input import PageInput
from turnwright.rules.parts.environment.entries import with_options
from turnwright.rules.parts.preparation.encounter_budgets import Budget, encounter_budget
from turnwright.rules.parts.preparation.experience import prepared_experience
from turnwright.rules.parts.stat_block.features import damage_with_average, faces_text
from turnwright.rules.word_keys import amount_text, system_words

BLANK_ENTRY: Final = prepared.EnvironmentEntry("", "")
_SHIELDS: Final = ("resistant", "immune")


def id_as_words(id: str) -> str:
    """Convert an id to words."""
    return id.replace("-", " ").replace("_", " ")


def one_line(text: str) -> str:
    """Return a text without line breaks or repeated spaces."""
    return " ".join(text.split())


def joined_sentences(*texts: str) -> str:
    """Join texts to one line, with a stop after each that lacks one."""
    return " ".join(text if text[-1] in ".!?:;" else f"{text}." for text in texts if text)


def paragraphs(text: str) -> list[str]:
    """Return the non-empty lines of a text."""
    return [line for line in (one_line(part) for part in text.splitlines()) if line]


def side_heading(source: PageInput, side: str) -> str:
    """Return the heading of a side: the translated name if the side is known, else its own name."""
    key = f"ui.side.{side}"
    heading = source.text(key)
    return one_line(side[:1].upper() + side[1:]) if heading == key else heading


class EnvironmentData:
    """Converts an encounter's environments to plain data."""

    def __init__(self, source: PageInput) -> None:
        self._source = source
        self._say = source.text
        data = source.rules.data
        self._terms = system_words(data)
        self._abilities = {ability.id: ability.name for ability in data.abilities}
        self._conditions = {condition.id: condition.name for condition in data.conditions}
        self._damage = {damage_type.id: damage_type.name.lower() for damage_type in data.damage_types}
        self._sizes = {size.id: size.name.lower() for size in data.sizes}
        self._resources = {resource.id: resource.name.lower() for resource in data.resources}
        self._actions = {action.id: action.name for action in data.actions}

    def environments(self, *, chosen: bool = False, brief: bool = False) -> list[dict[str, Any]]:
        """Return the data of every environment that isn't empty, or only of those to be printed singly.

        `brief`: entries have their key facts and their texts in one line.
        """
        written = self._source.encounter.all(prepared.Environment)
        places = (self._place(each, brief) for each in written if not chosen or self._source.is_chosen(each))
        return [place for place in places if any(place[name] for name in place)]

    def _place(self, environment: prepared.Environment, brief: bool) -> dict[str, Any]:
        row_of = self._brief_row if brief else self._row
        return {
            "name": one_line(environment.name) or id_as_words(environment.id),
            "size": one_line(environment.size),
            "description": environment.description.strip(),
            "features": [row_of(environment, row) for row in environment.features if row.enabled],
            "actions": [row_of(environment, row) for row in environment.actions if row.enabled],
            "notes": environment.notes.strip(),
        }

    def _row(self, environment: prepared.Environment, written: prepared.EnvironmentEntry) -> dict[str, Any]:
        row = with_options(self._source.encounter, self._source.rules, environment, written)
        facts = [text for fact in self._figures(row) if (text := one_line(fact))]
        facts[:1] = [text[:1].upper() + text[1:] for text in facts[:1]]
        return {
            "name": one_line(row.name) or id_as_words(row.id),
            "recharge": faces_text(row.recharge),
            "secret": row.secret,
            "figures": facts,
            "text": row.text.strip(),
        }

    def _brief_row(self, place: prepared.Environment, row: prepared.EnvironmentEntry) -> dict[str, Any]:
        told = {"figures": self.few_figures(place, row), "text": one_line(row.short) or one_line(row.text)}
        return self._row(place, row) | told

    def few_figures(self, environment: prepared.Environment, written: prepared.EnvironmentEntry) -> list[str]:
        """Return an entry's key facts in brief, omitting those that its one-line text already gives."""
        row = with_options(self._source.encounter, self._source.rules, environment, written)
        given = {"trigger": "standing", "affects": "nobody", "within": "", "once": "", "unaffected": ()}
        bare = msgspec.structs.replace(row, save=None, magical=False, **(given if row.short else {}))
        facts = [text for fact in self._figures(bare) if (text := one_line(fact))]
        brief = [self.brief_save(row.save), *facts] if row.save is not None else facts
        return [*brief[:1], *map(self._within_line, brief[1:])]

    def dcs(self, environment: prepared.Environment, written: prepared.EnvironmentEntry) -> list[str]:
        """Return an entry's save and check, each with its DC."""
        row = with_options(self._source.encounter, self._source.rules, environment, written)
        save = [self.brief_save(row.save)] if row.save is not None else []
        return save + ([self._check(row.check)] if row.check is not None and row.check.dc else [])

    def _within_line(self, fact: str) -> str:
        """Return a fact as written within a line: in lower case, except for abilities and `AC 12`."""
        names = (*self._abilities.values(), *(skill.name for skill in self._source.rules.data.skills))
        is_name = fact.startswith(names) or fact[1:2].isupper()
        return fact if is_name else fact[:1].lower() + fact[1:]

    def brief_save(self, save: prepared.SavingThrow) -> str:
        """Return a save with its DC in a few characters."""
        data = self._source.rules.data
        names = {ability.id: ability.short.capitalize() for ability in data.abilities} | dict(data.presentation.saves)
        return self._say("handout.running-sheet.save", ability=names.get(save.ability, save.ability), dc=save.dc)

    def _figures(self, row: prepared.EnvironmentEntry) -> Iterable[str]:
        """Yield an entry's properties in a few words each: trigger, targets, protection, damage and effects."""
        say = self._say
        if row.trigger not in ("used", "standing"):
            yield say("handout.world.when", what=say(f"ui.environment-entry.trigger-{row.trigger}"))
        whom = say(f"ui.environment-entry.affects-{row.affects}") if row.affects != "nobody" else ""
        yield ", ".join(part for part in (whom, row.within) if part)
        yield say(f"ui.environment-entry.once-{row.once}") if row.once else ""
        if row.save is not None:
            save = self._terms.get(f"save.{row.save.ability}", row.save.ability.upper())
            yield f"{say('handout.world.dc', n=row.save.dc)} {save}"
            yield say("ui.environment-entry.magical") if row.magical else ""
        yield self._check(row.check) if row.check is not None else ""
        yield self._costs(row.cost) if row.cost and row.check is None else ""
        yield damage_with_average(row.damage) or row.damage
        if row.reduced and row.reduced_damage:
            damage = damage_with_average(row.reduced_damage) or row.reduced_damage
            yield say("handout.world.reduced", damage=damage, what=self._statement(row.reduced))
        yield from (self._affliction(affliction) for affliction in row.afflictions)
        yield say("handout.world.fatigue", n=row.fatigue) if row.fatigue else ""
        yield say("ui.stat.push", n=row.push) if row.push else ""
        yield say("handout.world.teleport", n=row.teleport) if row.teleport else ""
        exempt = ", ".join(map(self._statement, row.unaffected))
        yield say("handout.world.unaffected", what=exempt) if exempt else ""
        yield self._brings(row)
        yield from self._ground(row)
        yield from self._thing(row)

    def _check(self, check: prepared.Check) -> str:
        name = f"check.{check.ability}:{check.skill}" if check.skill else f"check.{check.ability}"
        text = self._terms.get(name) or self._abilities.get(check.ability, check.ability)
        dc = self._say("handout.world.dc", n=check.dc) if check.dc else ""
        against = self._say("handout.world.against-caster") if check.against else ""
        return ", ".join(part for part in (text, dc or against, self._costs(check.cost)) if part)

    def _costs(self, cost: str) -> str:
        return self._say("handout.world.costs", what=self._say(f"ui.feature.cost-{cost}").lower()) if cost else ""

    def _statement(self, statement: str) -> str:
        """Return the text of a fact that an entry depends on."""
        text = self._say(f"statement.{statement}")
        if text != f"statement.{statement}":
            return text
        word, _, kind = statement.partition(":")
        if word in _SHIELDS and kind:
            name = self._damage.get(kind) or self._conditions.get(kind, id_as_words(kind)).lower()
            return self._say(f"ui.editing.{word}", what=name).lower()
        return self._conditions.get(statement, id_as_words(statement)).lower()

    def _affliction(self, affliction: prepared.InflictedCondition) -> str:
        name = self._conditions.get(affliction.condition) or id_as_words(affliction.condition).capitalize()
        value = f" {affliction.value}" if affliction.value else ""
        parts = [self._say(f"degree.{affliction.degree}")] if affliction.degree else []
        parts += [self._say(f"ui.inflicted-condition.ends-{affliction.ends}")] if affliction.ends != "never" else []
        parts += [self._say("ui.stat.lasts", time=affliction.lasts)] if affliction.lasts else []
        parts += [self._say("ui.stat.escape", dc=affliction.escape_dc)] if affliction.escape_dc else []
        if affliction.break_free:
            cost = self._resources.get(affliction.break_free, id_as_words(affliction.break_free))
            parts.append(self._say("ui.editing.break-free", cost=cost))
        return f"{name}{value} ({', '.join(parts)})" if parts else f"{name}{value}"

    def _brings(self, row: prepared.EnvironmentEntry) -> str:
        spawn = row.spawn
        if spawn is None:
            return ""
        creature = self._source.encounter.get(prepared.Creature, spawn.creature) or self._source.rules.spawns.get(
            spawn.creature
        )
        kind = creature.name if creature is not None else id_as_words(spawn.creature)
        name = f"{spawn.name} ({kind})" if spawn.name and spawn.name != kind else kind
        key = "handout.world.spawns" if spawn.initiative is None else "handout.world.spawns-at"
        return self._say(key, what=name, side=side_heading(self._source, spawn.side).lower(), n=spawn.initiative)

    def _ground(self, row: prepared.EnvironmentEntry) -> Iterable[str]:
        say = self._say
        yield say(f"handout.world.difficult{'-turning' if row.redirect else ''}") if row.terrain else ""
        yield say(f"ui.environment-entry.obscured-{row.obscured}") if row.obscured else ""
        if row.cover:
            usual = say("ui.environment-entry.cover-short", what=say(f"ui.environment-entry.cover-{row.cover}"))
            cover = self._terms.get(f"cover.{row.cover}", usual)
            yield f"{cover} ({row.cover_when})" if row.cover_when else cover
        yield say("handout.world.hearing", n=row.hearing) if row.hearing else ""
        yield say("handout.world.sound", n=row.sound) if row.sound != BLANK_ENTRY.sound else ""
        yield say("handout.world.per-die", what=self._damage.get(row.per_die, row.per_die)) if row.per_die else ""
        if row.edge:
            rolls = say(f"ui.environment-entry.edge-on-{row.edge_on or 'none'}").lower()
            yield say("handout.world.edge", edge=say(f"ui.environment-entry.edge-{row.edge}"), rolls=rolls)
        for action, points in row.extra_costs:
            yield say("handout.world.extra-cost", what=self._actions.get(action, id_as_words(action)), n=points)

    def _thing(self, row: prepared.EnvironmentEntry) -> Iterable[str]:
        say = self._say
        yield self._sizes.get(row.size, row.size).capitalize()
        yield say("handout.world.ac", n=row.ac) if row.ac else ""
        yield say("ui.stat.range", range=row.range).capitalize() if row.range else ""
        yield say("handout.world.reflects", n=row.reflects) if row.reflects is not None else ""
        yield say("ui.environment-entry.breaks") if row.breaks else ""
        yield say("handout.world.delay", n=row.delay) if row.delay else ""


def countdown_data(source: PageInput, countdown: prepared.Countdown) -> dict[str, Any]:
    """Return a countdown as data. The players' edition has only its name and dice."""
    data: dict[str, Any] = {"name": one_line(countdown.name) or id_as_words(countdown.id), "dice": countdown.dice}
    if not source.shows_secrets:
        return data
    say = source.text
    lowest = source.rules.countdown_faces.get(countdown.speed, 0)
    starts = countdown.starts
    others = source.encounter.all(prepared.Countdown)
    starter = next((each for each in others if prepared.StartCountdown(countdown.id) in each.outcomes), None)
    later = say("ui.roster.manual-start")
    if starter is not None:
        later = say("handout.world.started-by", what=one_line(starter.name) or id_as_words(starter.id))
    return data | {
        "speed": say(f"ui.countdown.speed-{countdown.speed}"),
        "leaves": say("ui.countdown.leaves", faces=faces_text(lowest)) if lowest else "",
        "starts": say("ui.roster.from-round", n=starts) if starts else later,
        "secret": countdown.secret,
        "unstoppable": countdown.unstoppable,
        "outcomes": [text for outcome in countdown.outcomes if (text := one_line(outcome_text(source, outcome)))],
        "notes": countdown.notes.strip(),
    }


def visible_countdowns(source: PageInput) -> list[prepared.Countdown]:
    """Return an edition's countdowns; only the game master's includes secret ones and those that begin later."""
    countdowns = source.encounter.all(prepared.Countdown)
    return [each for each in countdowns if source.shows_secrets or (each.starts == 1 and not each.secret)]


def outcome_text(source: PageInput, outcome: prepared.Outcome, letters: Mapping[str, str] | None = None) -> str:
    """Return the text of a countdown's outcome. With the `letters` of countdowns, it is only letters and names."""
    say, lookup = source.text, source.encounter
    if isinstance(outcome, prepared.Announce):
        return outcome.text
    if isinstance(outcome, prepared.AddWave):
        return say(f"handout.{'running-sheet.wave' if letters else 'world.wave-comes'}", wave=wave_name(outcome.wave))
    if isinstance(outcome, prepared.StartCountdown):
        if letters and outcome.countdown in letters:
            return say("handout.running-sheet.starts", what=letters[outcome.countdown])
        other = lookup.get(prepared.Countdown, outcome.countdown)
        return say("handout.world.starts-countdown", what=other.name if other else id_as_words(outcome.countdown))
    if isinstance(outcome, prepared.DealDamage):
        whom = side_heading(source, outcome.side).lower() if outcome.side else say("handout.world.everyone")
        return say("handout.world.deals", damage=damage_with_average(outcome.damage) or outcome.damage, whom=whom)
    place = lookup.get(prepared.Environment, outcome.environment)
    rows = (*place.features, *place.actions) if place else ()
    row = next((entry.name for entry in rows if entry.id == outcome.entry), id_as_words(outcome.entry))
    name = place.name if place else id_as_words(outcome.environment)
    return row if letters else say("handout.world.environment-acts", place=name, what=row)


def wave_text(source: PageInput, wave: str) -> str:
    """Return the text of a wave's trigger."""
    say, lookup = source.text, source.encounter
    planned = lookup.get(prepared.Wave, wave) or prepared.Wave(wave)
    triggers = [say("ui.wave.in-round", n=planned.round)] if planned.round else []
    if planned.when:
        triggers.append(say(f"ui.wave.once-{planned.when}", who=_watched(source, planned.who)))
    bringing = (each for each in lookup.all(prepared.Countdown) if prepared.AddWave(wave) in each.outcomes)
    triggers += [say("ui.wave.by-countdown", what=countdown.name) for countdown in bringing]
    return "; ".join(triggers) or say("ui.wave.manual")


def _watched(source: PageInput, who: str) -> str:
    if not who:
        return source.text("ui.wave.who-enemies").lower()
    entry = source.encounter.get(prepared.RosterEntry, who)
    if entry is None:
        return side_heading(source, who).lower()
    creature = source.encounter.get(prepared.Creature, entry.creature)
    return entry.name or (creature.name if creature else id_as_words(entry.creature))


def threat_data(source: PageInput, scene: prepared.Scene) -> dict[str, Any]:
    """Return the encounter's threat: its level among the game's `cells`, its name, and the numbers behind it."""
    budget = encounter_budget(source.encounter, source.rules)
    light = source.text(f"ui.light.{scene.light}").lower()
    facts = [*(_worth(source, budget) if budget else ()), light]
    strong = () if budget is None else budget.too_strong
    if (
        budget is None or budget.unknown or (budget.off_table and not strong)
    ):  # the threat without them would be too low
        return {"cells": 0, "filled": 0, "word": "", "facts": facts}
    at = budget.threats.index(budget.threat) + 1 if budget.threat in budget.threats else 0
    return {"cells": len(budget.threats), "filled": at, "word": budget.threat.capitalize(), "facts": facts}


def _worth(source: PageInput, budget: Budget) -> Iterator[str]:
    say, unit = source.text, budget.figures.unit
    total = say("ui.budget.worth", amount=amount_text(budget.total), unit=unit)
    uncounted = ", ".join((*budget.unknown, *budget.off_table))
    limit = None if uncounted else budget.limit
    yield say("handout.running-sheet.worth-of", worth=total, limit=amount_text(limit)) if limit else total
    low, high = min(budget.levels), max(budget.levels)
    levels = str(low) if low == high else say("ui.budget.levels", low=low, high=high)
    yield say("handout.running-sheet.party-of", n=budget.size, level=levels)
    amount, each = prepared_experience(source.encounter, source.rules)
    if amount not in (0, budget.total):
        yield say("handout.running-sheet.award", amount=amount_text(amount), each=amount_text(each))
    if budget.in_waves:
        later = say("ui.budget.worth", amount=amount_text(budget.in_waves), unit=unit)
        yield say("handout.running-sheet.in-waves", worth=later)
    if uncounted:
        yield say("handout.running-sheet.uncounted", who=one_line(uncounted))


def treasure_lines(source: PageInput) -> list[str]:
    """Return an encounter's treasure: the scene's list, then items with their value."""
    lines = [one_line(find) for find in scene_of(source.encounter).treasure]
    items = (_line(source, treasure) for treasure in source.encounter.all(prepared.Treasure))
    return [line for line in (*lines, *items) if line]


def worth(treasure: prepared.Treasure) -> tuple[str, ...]:
    """Return an item's rarity and price, if known."""
    return tuple(line for text in (treasure.rarity, treasure.price) if (line := one_line(text)))


def _line(source: PageInput, treasure: prepared.Treasure) -> str:
    uses = (source.text("ui.treasure.times", n=treasure.uses),) if treasure.uses else ()
    looks = one_line(treasure.looks) if treasure.secret else ""
    seen = (source.text("handout.treasure-cards.looks-like", what=looks),) if looks else ()
    return ", ".join((one_line(treasure.name) or treasure.id, *worth(treasure), *uses, *seen))
