"""The usual parties of a game, and what a game master can do for a party before a fight: another character, a rest, a level.

The forecast shows what each of these changes.
"""

from collections.abc import Iterator, Sequence
from statistics import median_low

import msgspec

from turnwright.encounter.prepared import Creature, Party, RosterEntry, Scene
from turnwright.encounter.roles import is_character
from turnwright.encounter.state import Change, Encounter, clock_of, key_of
from turnwright.forecast.sheet_builder import Kind
from turnwright.importers.traits.powers import character_rules
from turnwright.play.session import Session
from turnwright.play.setup.roster import AddGroup
from turnwright.rules.parts.preparation.creature_scaling import rating_difference, scale_creature
from turnwright.rules.parts.preparation.encounter_budgets import budget_figures, party_levels
from turnwright.rules.parts.stat_block.prose import Translate
from turnwright.rules.system import RuleSystem
from turnwright.storage.library.parties import party_of
from turnwright.workspace.party_states import after_rest, sample_party
from turnwright.workspace.party_table import PartyReader, PartyRow


def usual_party(levels: Sequence[int], rules: RuleSystem, say: Translate) -> Party | None:
    """Return a usual party of these levels, for forecasts, or None if the game has no usual numbers."""
    data = rules.data
    if data.suggest.party:
        reader = PartyReader(rules, character_rules(data), lambda _name: None, say)
        classes = [data.suggest.party[number % len(data.suggest.party)] for number in range(len(levels))]
        rows = [PartyRow(each, classes=f"{each} {level}") for each, level in zip(classes, levels, strict=True)]
        return reader.party(rows, "party", "")
    sample = sample_party(data.id)
    if sample is None:
        return None
    blocks, creatures, roster = {block.id: block for block in sample.creatures}, [], []
    for number, level in enumerate(levels):
        member = sample.roster[number % len(sample.roster)]
        block = blocks[member.creature]
        steps = rating_difference(data.scaling, str(block.level), str(level))
        scaled = scale_creature(block, data.scaling, steps, str(level)).creature if steps is not None else block
        ids = {"id": f"{block.id}-{number}"}
        creatures.append(msgspec.structs.replace(scaled, **ids))
        roster.append(msgspec.structs.replace(member, **ids, creature=ids["id"], level=level, hp=None, state=None))
    return Party("party", "", tuple(creatures), tuple(roster))


def encounter_of(party: Party, system: str) -> Encounter:
    """Return an encounter with only a party."""
    return Encounter((Scene(system=system), *party.creatures, *party.roster))


def party_variants(encounter: Encounter, rules: RuleSystem) -> Iterator[tuple[Kind, str, Encounter]]:
    """Yield each change of a party before its fight: the kind, the class of a new character, and the changed encounter.

    A change that makes no difference is left out.
    """
    if clock_of(encounter).phase != "preparing":
        return
    party = party_of(encounter, "party", "")
    figures = budget_figures(encounter, rules) or rules.data.suggest.instead
    levels = party_levels(encounter, figures) if figures is not None else ()
    wider = usual_party([*levels, median_low(levels)], rules, _without_words) if levels else None
    if wider is not None:
        joined = Session(encounter, rules)
        joined.do(AddGroup(Party("party", "", wider.creatures[-1:], wider.roster[-1:])))
        yield "character", wider.creatures[-1].classes or wider.creatures[-1].name, joined.encounter
    rested = after_rest(party, rules, "long")
    if rested != party:
        yield "rest", "", with_party(encounter, rested)
    reader = PartyReader(rules, character_rules(rules.data), lambda _name: None, _without_words)
    risen = (
        msgspec.structs.replace(row, classes=reader.raised(row.classes))
        for row in reader.rows_of(party)
        if row.member is not None and is_character(encounter, row.member[1])
    )
    raised = reader.changed(party, [*risen])
    if _numbers_of(raised) != _numbers_of(party):
        yield "level", "", with_party(encounter, raised)


def _numbers_of(party: Party) -> list[Creature]:
    """Return the stat blocks of a party without their levels, which alone change nothing in a fight."""
    return [msgspec.structs.replace(block, level=0, rating="", classes="") for block in party.creatures]


def with_party(encounter: Encounter, party: Party) -> Encounter:
    """Return an encounter with the creatures of a party, and its members' levels and states, as they are in the party."""
    changes = [Change(key_of(block), encounter.record(key_of(block)), block) for block in party.creatures]
    for member in party.roster:
        former = encounter.get(RosterEntry, member.id)
        if former is not None:
            own = msgspec.structs.replace(former, level=member.level, hp=member.hp, state=member.state)
            changes.append(Change(key_of(own), former, own))
    return encounter.with_changes(changes)


def _without_words(key: str, /, **_params: object) -> str:
    """Return the key of a text that isn't shown."""
    return key
