"""Groups of identical creatures as plain data for a running sheet: stats, features in lines, and a box per member."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from turnwright.encounter.prepared import Creature
from turnwright.handouts.environment_data import one_line
from turnwright.handouts.feature_lines import FeatureLines
from turnwright.handouts.page_input import PageInput
from turnwright.handouts.roster_members import PERCEPTION, RosterMember, RosterMembers, text_of
from turnwright.rules.amount_texts import rating_text
from turnwright.rules.parts.economy.resources import maximum
from turnwright.rules.parts.preparation.encounter_budgets import budget_figures
from turnwright.rules.parts.stat_block.sections import stat_row
from turnwright.rules.parts.stat_block.text_runs import StatBlockNames
from turnwright.rules.word_keys import signed_text

DEFENCES = ("immunities", "condition_immunities", "resistances", "vulnerabilities", "absorptions")
FURTHER = ("skills", "senses", "phases")

Group = list[RosterMember]


class FoeGroups:
    """A roster's members, grouped by identical stats. `signs` are the members' letters on the map."""

    def __init__(self, source: PageInput, company: RosterMembers, signs: Mapping[str, str]) -> None:
        self._source, self._company, self._signs = source, company, signs
        self._names = StatBlockNames(source.rules.data, source.text)
        self._shown: dict[tuple[str, str], str] = {}  # names of groups whose features are on the sheet already

    def rows(self, members: Iterable[RosterMember]) -> list[dict[str, Any]]:
        """Return a row for each group. `same_as` names an earlier group whose features aren't repeated."""
        groups: dict[tuple[Any, ...], Group] = {}
        for member in members:
            entry = member.entry
            alike = (
                member.creature.id,
                entry.adjustment,
                member.ac,
                member.hp,
                entry.initiative,
                entry.check,
                entry.hidden,
            )
            groups.setdefault(alike, []).append(member)
        return [self._row(group) for group in groups.values()]

    def passive(self, member: RosterMember) -> str:
        """Return a member's passive Perception, or an empty string if the game has no passive scores."""
        return self._company.passive_perception(member)

    def sign(self, member: RosterMember) -> str:
        """Return a member's letters on the map."""
        return self._signs.get(member.label, "")

    def save_dc(self, member: RosterMember) -> str:
        """Return the highest DC of a member's features, or an empty string if there is none."""
        return self._company.highest_dc(member)

    def _row(self, group: Group) -> dict[str, Any]:
        first = group[0]
        entry, creature = first.entry, first.creature
        names = list(dict.fromkeys(one_line(member.entry.name) or one_line(creature.name) for member in group))
        name = names[0] if len(names) == 1 else one_line(creature.name)
        count = sum(1 + member.unlisted for member in group)
        alike = (creature.id, entry.adjustment)
        is_again = alike in self._shown
        before = self._shown.setdefault(alike, name)
        lines = FeatureLines(self._source, self._company.encounter, first.id, creature, len(group)).lines()
        return {
            "name": name,
            "kind": "" if one_line(creature.name).casefold() in name.casefold() else one_line(creature.name),
            "count": count,
            "rating": self._rating(creature),
            "worth": self._worth(creature),
            "adjusted": entry.adjustment.replace("-", " "),
            "hidden": entry.hidden,
            "ac": first.ac,
            "initiative": self._company.initiative(first),
            "facts": list(self._facts(first)),
            "saves": self._saves(first),
            "defences": list(self._rows_of(creature, DEFENCES)),
            "further": list(self._rows_of(creature, FURTHER)),
            "pools": list(self._pools(first)),
            "lines": [] if is_again else lines,
            "same_as": before if is_again else "",
            "tactics": "" if is_again else one_line(creature.tactics or creature.notes),
            "places": list(dict.fromkeys(text for member in group for text in _remarks(member))),
            "members": [{"sign": self.sign(member), "hp": member.hp, "half": member.hp // 2} for member in group],
            "unlisted": sum(member.unlisted for member in group),
        }

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

    def _rolls_checks(self) -> bool:
        return bool(self._source.rules.data.checks.die)

    def _facts(self, member: RosterMember) -> Iterator[dict[str, str]]:
        say = self._source.text
        lead, pieces = stat_row(member.creature, "speeds", self._names)
        yield {"lead": lead, "text": one_line(text_of(pieces)).removesuffix(".")}
        if not self._rolls_checks():
            yield {
                "lead": say("handout.running-sheet.perception"),
                "text": signed_text(self._company.skill_bonus(member, PERCEPTION)),
            }
        elif passive := self.passive(member):
            yield {"lead": say("handout.running-sheet.passive"), "text": passive}

    def _saves(self, member: RosterMember) -> list[dict[str, Any]]:
        """Return every save; `own` means that the stat block lists it."""
        own = dict(member.creature.saves)
        ids = [id for id, _ in self._names.data.presentation.saves] or [
            ability.id for ability in self._names.data.abilities
        ]
        saves = self._company.saves(member)
        return [save | {"own": id in own} for id, save in zip(ids, saves, strict=False)]

    def _rows_of(self, creature: Creature, names: Iterable[str]) -> Iterator[dict[str, str]]:
        """Yield a creature's stat rows, merging rows with the same label."""
        texts_by_lead: dict[str, list[str]] = {}
        for name in names:
            lead, pieces = stat_row(creature, name, self._names)
            if text := one_line(text_of(pieces)).removesuffix("."):
                texts_by_lead.setdefault(lead, []).append(text)
        yield from (
            {"lead": lead, "text": (", " if lead else "; ").join(texts)} for lead, texts in texts_by_lead.items()
        )

    def _pools(self, member: RosterMember) -> Iterator[dict[str, Any]]:
        pools = self._names.data.presentation.pools
        for resource in self._source.rules.data.resources:
            most = maximum(self._company.encounter, member.id, resource) if resource.id in pools else 0
            if most:
                yield {"name": resource.name, "most": most}


def _remarks(member: RosterMember) -> Iterator[str]:
    entry = member.entry
    yield from (text for text in (one_line(entry.place), one_line(entry.counts), one_line(entry.notes)) if text)
