"""Each roster member with its stats at the start of a fight, alone or in groups of identical creatures.

Stats come from the game's rule engine, applied to an encounter in which every combatant is ready and nothing has
happened yet. So printed pages always match the window.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec

from turnwright.battlemap.segments import square_name
from turnwright.dice.expression import RollSpec
from turnwright.encounter import state
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.roles import is_character, present
from turnwright.encounter.running import Clock, Combatant, Effect, KnownName, kind_id
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageInput
from turnwright.handouts.stat_block_data import FeatureLines, fighting_text, point_pools
from turnwright.rules.parts.checks import ability_checks
from turnwright.rules.parts.conditions.numbers import maximum_hit_points
from turnwright.rules.parts.preparation.encounter_budgets import budget_figures
from turnwright.rules.parts.stat_block import prose, sections
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.word_keys import rating_text, signed_text

NUMBERED: Final = re.compile(r"(.*\D)(\d+)")
MAX_MEMBERS: Final = 60  # maximum number of members listed for one roster entry


class RosterMember(msgspec.Struct, frozen=True):
    """One member of a roster entry. If unknown, `ac` is empty and `hp` is 0. `unlisted` counts further members.

    `is_known`: the encounter has its stat block. `id` is the combatant whose stats were calculated; all members of
    an entry share it.
    """

    id: str
    label: str
    creature: Creature
    entry: RosterEntry
    ac: str
    hp: int
    unlisted: int = 0
    is_known: bool = True

    @property
    def kind(self) -> str:
        """The name of its stat block, or an empty string if the label already contains it."""
        name = one_line(self.creature.name)
        return "" if name.casefold() in self.label.casefold() else name


def member_signs(source: PageInput) -> dict[str, str]:
    """Return the letters of each member on the map, keyed by label."""
    lookup = source.encounter
    counts = state.name_counts(lookup)
    labels = [
        label
        for entry in present(lookup)
        for _, label in zip(range(entry.count), state.member_labels(lookup, entry, counts=counts), strict=False)
    ]
    return {one_line(label): sign for label, sign in zip(labels, state.monograms(labels), strict=True)}


class RosterMembers:
    """All members of an encounter's roster. Each member's `id` is a combatant in `encounter`."""

    def __init__(self, source: PageInput) -> None:
        self._source = source
        lookup = source.encounter
        entries = present(lookup)
        records: list[state.Record] = [record for kind in state.PREPARED for record in lookup.all(kind)]
        self.encounter = state.Encounter(
            [*records, *(self._standing(entry) for entry in entries), *self._adjusted(entries)]
        )
        self.members = tuple(member for entry in entries for member in self._members(entry))

    def selected(self) -> tuple[RosterMember, ...]:
        """Return the members whose creatures are printed. If no creatures are named, the party's aren't included."""
        return tuple(member for member in self.members if self._source.has_creature(member.creature.id))

    def named(self) -> tuple[RosterMember, ...]:
        """Return the members whose creatures are named for printing, or all members if none are named."""
        selected = self._source.options.creatures
        return tuple(member for member in self.members if not selected or member.creature.id in selected)

    def is_player_character(self, member: RosterMember) -> bool:
        """Return whether a member is a player character, about which the players know everything."""
        entry = member.entry
        is_public = bool(entry.player) or not (entry.hidden or entry.wave)  # a player knows the own character
        return is_public and is_character(self.encounter, entry)

    def initiative(self, member: RosterMember) -> str:
        """Return a member's initiative modifier, or an empty string if it is unknown."""
        given = member.entry.initiative if member.entry.initiative is not None else member.creature.initiative
        if given is None and not sections.knows_skill(member.creature, sections.PERCEPTION):
            return ""
        return _total_text(ability_checks.initiative_roll(self.encounter, self._source.rules, member.id))

    def saves(self, member: RosterMember) -> list[dict[str, str]]:
        """Return the names and bonuses of a member's saves."""
        if not member.is_known:
            return []
        rules = self._source.rules
        data = rules.data
        own = dict(data.presentation.saves)
        names = own or {ability.id: (ability.short or ability.id).capitalize() for ability in data.abilities}
        rolls = {id: ability_checks.save_roll(self.encounter, rules, member.id, id) for id in names}
        known = rolls if member.creature.abilities else dict(member.creature.saves)
        return [{"name": names[id], "bonus": _total_text(roll) if id in known else ""} for id, roll in rolls.items()]

    def stat_line(self, member: RosterMember, line_id: str) -> dict[str, str] | None:
        """Return a line of a member's stat block with its label, or None if the line is empty."""
        if not member.is_known:
            return None
        lead, pieces = sections.stat_row(
            member.creature, line_id, prose.StatBlockNames(self._source.rules.data, self._source.text)
        )
        text = one_line(text_of(pieces))
        return {"lead": lead, "text": text} if text else None

    def passive_perception(self, member: RosterMember) -> str:
        """Return a member's passive Perception, or an empty string if it is unknown or the game doesn't use it."""
        return self.passive(member, sections.PERCEPTION)

    @property
    def passive_name(self) -> str:
        """The short name of the score that `passive_perception` returns."""
        style = self._source.rules.data.presentation.style
        return self._source.text(f"handout.running-sheet.passive-{style}")

    def passive(self, member: RosterMember, skill: str) -> str:
        """Return a member's passive score for a skill, or an empty string if unknown or not used in the game."""
        rules = self._source.rules
        if not member.is_known or not rules.data.checks.die:
            return ""
        score = ability_checks.passive_score(self.encounter, rules, member.id, skill)
        if score is None and not sections.knows_skill(member.creature, skill):
            return ""
        return str(score.total if score is not None else sections.USUAL_PASSIVE + self.skill_bonus(member, skill))

    def highest_dc(self, member: RosterMember) -> str:
        """Return the highest DC of a member's features, or an empty string if there is none."""
        return str(max((feature.dc for feature in member.creature.features), default=0) or "")

    def speed(self, member: RosterMember) -> str:
        """Return a member's speeds as written in its stat block, or an empty string if they are unknown."""
        return (self.stat_line(member, "speeds") or {"text": ""})["text"]

    def skill_bonus(self, member: RosterMember, skill: str) -> int:
        """Return a member's bonus to checks with a skill."""
        definition = next((each for each in self._source.rules.data.skills if each.id == skill), None)
        check = f"{definition.ability}:{skill}" if definition is not None else skill
        return _total(ability_checks.check_roll(self.encounter, self._source.rules, member.id, check))

    def _standing(self, entry: RosterEntry) -> Combatant:
        hp = self._hit_points(entry, self._source.encounter.get(Creature, entry.creature))
        return Combatant(
            id=entry.id,
            creature=entry.creature,
            label=state.entry_name(self._source.encounter, entry),
            side=entry.side,
            roster=entry.id,
            hp=hp,
            hp_max=hp,
            ac=entry.ac,
            initiative_bonus=entry.initiative,
            check=entry.check,
            player=entry.player,
            outside=entry.outside,
            gear=entry.gear,
            dying=entry.dying,
            bystander=entry.bystander,
        )

    def _adjusted(self, entries: Iterable[RosterEntry]) -> Iterable[Effect]:
        """Yield the effects that make roster entries stronger or weaker than their stat block."""
        for entry in entries:
            if self._adjustment(entry) is not None:
                yield Effect(f"adjusted-{entry.id}", entry.id, entry.adjustment)

    def _adjustment(self, entry: RosterEntry) -> Condition | None:
        return next((each for each in self._source.rules.data.adjustments if each.id == entry.adjustment), None)

    def _hit_points(self, entry: RosterEntry, creature: Creature | None) -> int:
        """Return the starting hit points of each member of an entry, or 0 if they are unknown."""
        if entry.hp is not None or creature is None:
            return entry.hp or 0
        bearer = Combatant(entry.id, entry.creature, "", entry.side, entry.id, hp_max=creature.hp)
        lookup = state.Encounter((creature, entry, bearer, *self._adjusted((entry,))))
        return maximum_hit_points(lookup, self._source.rules, entry.id).total if creature.hp else 0

    def _members(self, entry: RosterEntry) -> Iterable[RosterMember]:
        standing = self.encounter.need(Combatant, entry.id)
        stat_block = self.encounter.get(Creature, entry.creature)
        creature = stat_block or Creature(entry.creature, standing.label)
        unknown = (stat_block is None and entry.ac is None) or ability_checks.armor_class_unknown(
            self.encounter, entry.id
        )
        ac = "" if unknown else str(ability_checks.armor_class(self.encounter, self._source.rules, entry.id).total)
        listed_count = min(entry.count, MAX_MEMBERS)
        for number, numbered in zip(
            range(1, listed_count + 1), state.member_labels(self._source.encounter, entry), strict=False
        ):
            label = one_line(numbered) or self._source.text("ui.stat.unnamed")
            more = entry.count - listed_count if number == listed_count else 0
            yield RosterMember(entry.id, label, creature, entry, ac, standing.hp, more, stat_block is not None)


def group_label(group: Sequence[RosterMember]) -> str:
    """Return a single member's label, `Raider 1–4` for consecutive numbers, or else all labels."""
    labels = [member.label for member in group]
    if len(labels) == 1 and not group[0].unlisted:
        return labels[0]
    last = int(match[2]) + group[-1].unlisted if (match := NUMBERED.fullmatch(labels[-1])) else 0
    first = NUMBERED.fullmatch(labels[0])
    if match and first and first[1] == match[1] and last - int(first[2]) + 1 == len(labels) + group[-1].unlisted:
        return f"{labels[0]}–{last}"
    return ", ".join(labels)


def players_label(source: PageInput, member: RosterMember) -> str:
    """Return a member's label with the name by which players know it, or its own label if they know it by no other."""
    entry, lookup = member.entry, source.encounter
    ids = (one.id for one in lookup.all(Combatant) if one.roster == entry.id)
    known = (lookup.get(KnownName, id) for id in (*ids, kind_id(entry.creature)))
    shown = next((one_line(name.shown_as) for name in known if name is not None and name.shown_as), "")
    return shown + member.label.removeprefix(one_line(state.entry_name(lookup, entry))) if shown else member.label


def players_characters(source: PageInput) -> PageInput:
    """Reduce input for players to their characters, so that names and numbers don't depend on other creatures.

    Their stat blocks omit the game master's notes and tactics.
    """
    if source.shows_secrets:
        return source
    company = RosterMembers(source)
    theirs = {member.entry.id: member.creature.id for member in company.members if company.is_player_character(member)}
    records: list[state.Record] = []
    for kind in state.PREPARED:
        for record in source.encounter.all(kind):
            if isinstance(record, Creature):
                if record.id in theirs.values():
                    records.append(msgspec.structs.replace(record, notes="", tactics=""))
            elif not isinstance(record, RosterEntry) or record.id in theirs:
                records.append(record)
    return PageInput(state.Encounter(records), source.rules, source.text, source.options, source.picture)


def _total(roll: RollSpec) -> int:
    return sum(part.value for part in roll.modifiers)


def _total_text(roll: RollSpec) -> str:
    """Return the sum of a roll's modifiers with its sign."""
    return signed_text(_total(roll))


class CurrentState(msgspec.Struct, frozen=True):
    """The hit points that a member has left, its conditions and its initiative in the running fight, as text."""

    left: str = ""
    state: str = ""
    initiative: str = ""


def current_states(source: PageInput) -> dict[str, CurrentState]:
    """Return the states of the running fight's combatants by label, in turn order. Without the option, there are none."""
    lookup, clock = source.encounter, source.encounter.get(Clock, "clock")
    if not source.options.now or clock is None or not clock.round:
        return {}
    names = {condition.id: condition.name.lower() for condition in source.rules.data.conditions}
    counts = {who: str(slot.count) for slot in state.slots_in_order(lookup) for who in slot.members}
    order = sorted(lookup.all(Combatant), key=lambda one: [*counts].index(one.id) if one.id in counts else len(counts))
    found = {}
    for one in order:
        effects = (effect for effect in lookup.of(Effect, one.id) if effect.shown and effect.name in names)
        told = [f"{names[effect.name]} {effect.value or ''}".strip() for effect in effects]
        told = [source.text("ui.turn-order.dead")] if one.dead else told
        found[one_line(one.label)] = CurrentState(str(one.hp), ", ".join(dict.fromkeys(told)), counts.get(one.id, ""))
    return found


def with_newcomers(source: PageInput) -> PageInput:
    """Return the input with the running fight's combatants that aren't in the roster, such as summoned creatures."""
    lookup = source.encounter
    if not isinstance(lookup, state.Encounter) or not current_states(source):
        return source
    signs = member_signs(source)
    others = (one for one in lookup.all(Combatant) if one_line(one.label) not in signs)
    rows = (RosterEntry(f"now-{one.id}", one.creature, one.label, side=one.side, hp=one.hp_max) for one in others)
    return replace(source, encounter=state.Encounter([*lookup, *rows]))


def text_of(pieces: Iterable[prose.TextRun]) -> str:
    """Return the plain text of a stat block line."""
    return "".join(piece.text for piece in pieces)


DEFENCES = ("immunities", "condition_immunities", "resistances", "vulnerabilities", "absorptions")
FURTHER = ("skills", "senses", "phases", "gear")

Group = list[RosterMember]


class FoeGroups:
    """A roster's members, grouped by identical stats. `signs` are the members' letters on the map."""

    def __init__(self, source: PageInput, company: RosterMembers, signs: Mapping[str, str]) -> None:
        self._source, self._company, self._signs = source, company, signs
        self._names = prose.StatBlockNames(source.rules.data, source.text)
        self._now = current_states(source)
        self._shown: dict[tuple[str, str], str] = {}  # names of groups whose features are on the sheet already

    def rows(self, members: Iterable[RosterMember]) -> list[dict[str, Any]]:
        """Return a row for each group. `same_as` names an earlier group whose features aren't repeated."""
        groups: dict[tuple[Any, ...], Group] = {}
        for member in members:
            entry = member.entry
            stats = (member.creature.id, entry.adjustment, member.ac, member.hp, entry.gear)
            groups.setdefault((*stats, entry.initiative, entry.check, entry.hidden), []).append(member)
        return [self._row(group) for group in groups.values()]

    def sign(self, member: RosterMember) -> str:
        """Return a member's letters on the map."""
        return self._signs.get(member.label, "")

    def _row(self, group: Group) -> dict[str, Any]:
        first = group[0]
        entry, creature = first.entry, first.creature
        names = list(dict.fromkeys(one_line(member.entry.name) or one_line(creature.name) for member in group))
        name = names[0] if len(names) == 1 else one_line(creature.name)
        count = sum(1 + member.unlisted for member in group)
        alike = (creature.id, entry.adjustment)
        is_again = alike in self._shown
        before = self._shown.setdefault(alike, name)
        lines = FeatureLines(self._source, self._company.encounter, first.id, creature).lines()
        return {
            "name": name,
            "kind": first.kind if first.is_known else "",
            "count": count,
            "rating": self._rating(creature),
            "worth": self._worth(creature),
            "adjusted": entry.adjustment.replace("-", " "),
            "hidden": entry.hidden,
            "ac": first.ac,
            "initiative": self._company.initiative(first),
            "score": self.state(first).initiative,
            "facts": list(self._facts(first)),
            "saves": self._saves(first),
            "defences": list(self._rows_of(first, ("saves", *DEFENCES))),
            "further": list(self._rows_of(first, FURTHER)),
            "pools": point_pools(creature, self._names.data),
            "lines": [] if is_again else lines,
            "legendary": 0 if is_again else creature.legendary,
            "slots": () if is_again else creature.slots,
            "same_as": before if is_again else "",
            "tactics": "" if is_again else one_line(creature.tactics or fighting_text(creature.notes)),
            "places": list(dict.fromkeys(text for member in group for text in _remarks(member))),
            "members": [self._member(member) for member in group],
            "unlisted": sum(member.unlisted for member in group),
        }

    def state(self, member: RosterMember) -> CurrentState:
        """Return the current state of a member in the running fight."""
        return self._now.get(member.label, CurrentState())

    def _member(self, member: RosterMember) -> dict[str, Any]:
        now = {"left": self.state(member).left, "state": self.state(member).state}
        return {"sign": self.sign(member), "hp": member.hp, "half": member.hp // 2} | now

    def _rating(self, creature: Creature) -> str:
        presentation = self._names.data.presentation
        rating = creature.rating or (str(creature.level) if presentation.leveled and creature.level else "")
        key = "ui.stat.rating" if presentation.leveled else "handout.running-sheet.rating"
        return self._names.say(key, rating=rating_text(rating)) if rating else ""

    def _worth(self, creature: Creature) -> str:
        """Return a creature's experience points, or an empty string if its game awards them by the party's level."""
        budget = budget_figures(self._source.encounter, self._source.rules)
        worth = creature.xp or (dict(budget.ratings).get(creature.rating, 0) if budget is not None else 0)
        return self._names.say("ui.budget.worth", amount=f"{worth:,}", unit="XP") if worth else ""

    def _facts(self, member: RosterMember) -> Iterator[dict[str, str]]:
        say = self._source.text
        if member.creature.type and member.is_known:
            yield {"lead": one_line(sections.type_text(member.creature, self._names)), "text": ""}
        lead, pieces = sections.row_with_remarks(member.creature, "speeds", self._names)
        yield {"lead": lead, "text": one_line(text_of(pieces)).replace("ft.", "ft")}
        for about in ("ac", "hp"):
            note = member.creature.ac_note if about == "ac" and re.search(r"\d", member.creature.ac_note) else ""
            if told := note or text_of(sections.with_remarks(member.creature, about, ())).strip("()"):
                yield {"lead": sections.stat_row(member.creature, about, self._names)[0], "text": told}
        if not self._source.rules.data.checks.die:
            if member.is_known and sections.knows_skill(member.creature, sections.PERCEPTION):
                bonus = signed_text(self._company.skill_bonus(member, sections.PERCEPTION))
                yield {"lead": say("handout.running-sheet.perception"), "text": bonus}
        elif passive := self._company.passive_perception(member):
            yield {"lead": self._company.passive_name, "text": passive}
        if self._names.data.presentation.has("maneuver_dc"):
            lead, pieces = sections.stat_row(member.creature, "maneuver_dc", self._names)
            yield from ({"lead": lead, "text": text} for text in [text_of(pieces)] if text)

    def _saves(self, member: RosterMember) -> list[dict[str, Any]]:
        """Return every save; `own` means that the stat block lists it. The ability's `modifier` is empty if it is the same."""
        own, named = dict(member.creature.saves), self._names.data.presentation.saves
        ids = [id for id, _ in named] or [each.id for each in self._names.data.abilities]
        saves = [(id, save) for id, save in zip(ids, self._company.saves(member), strict=False) if save["bonus"]]
        known = () if named else dict(member.creature.abilities)
        plain = {id: signed_text(self._source.rules.modifier_of(member.creature, id)) for id in known}
        return [
            save | {"own": id in own, "modifier": "" if (text := plain.get(id, "")) == save["bonus"] else text}
            for id, save in saves
        ]

    def _rows_of(self, member: RosterMember, names: Iterable[str]) -> Iterator[dict[str, str]]:
        """Yield a creature's stat rows, merging rows with the same label. Its passive Perception is among the facts."""
        found: dict[str, list[str]] = {}
        skill, score = self._names.skills.get(sections.PERCEPTION, ""), self._company.passive_perception(member)
        passive = self._names.say("ui.stat.passive", skill=skill, n=score)
        gear = tuple(sorted({*member.creature.gear, *member.entry.gear}))
        creature = msgspec.structs.replace(member.creature, gear=gear)
        for name in names:
            row = sections.stat_row if name == "gear" else sections.row_with_remarks  # of gear, only what rules use
            lead, pieces = (
                ("", sections.with_remarks(creature, name, ())) if name == "saves" else row(creature, name, self._names)
            )
            lead = lead or self._names.say(f"ui.stat.{name}")  # a row that continues another
            if text := one_line(text_of(pieces)).replace(passive, "").strip(", ").removesuffix("."):
                found.setdefault(lead, []).append(text)
        yield from ({"lead": lead, "text": ", ".join(texts)} for lead, texts in found.items())


def _remarks(member: RosterMember) -> Iterator[str]:
    entry = member.entry
    squares = [square_name(square) for square in entry.positions] if entry.wave else []
    texts = (entry.place, ", ".join(squares), *entry.effects, entry.counts, entry.notes)
    yield from (line for text in texts if (line := one_line(text)))
