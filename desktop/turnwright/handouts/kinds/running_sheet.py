"""One page to run an encounter from: rounds, party, enemies with stats, world actions, map, and turning points."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import floor
from typing import Any, Final

from turnwright.dice import distributions, expression
from turnwright.encounter import prepared, roles, running
from turnwright.encounter.state import PREPARED, Encounter, scene_of, wave_name
from turnwright.handouts import environment_data, map_tiles, roster_members
from turnwright.handouts.kinds import condition_cards, reference
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.rules.parts.stat_block.features import faces_text

ID: Final = "running-sheet"
ROUNDS: Final = 10
SPAWNS: Final = 4  # boxes for a creature that an environment may spawn again and again


def make(source: PageInput) -> PageContent:
    """Return the sheet, or no pages if there is nothing to run. It is full of secrets, so there is no players' edition."""
    source = roster_members.with_newcomers(source)
    spawned = list(_spawned(source))
    with_spawned = _with_spawned(source, spawned)
    company = roster_members.RosterMembers(with_spawned)
    signs = roster_members.member_signs(with_spawned) | roster_members.member_signs(source)
    kinds = (prepared.RosterEntry, prepared.Environment, prepared.Countdown)
    if not any(True for kind in kinds for _ in source.encounter.all(kind)):
        return PageContent()
    scene = scene_of(source.encounter)
    groups = roster_members.FoeGroups(source, company, signs)
    map_data, pictures = map_tiles.map_thumbnail(source)
    clock = source.encounter.get(running.Clock, "clock")
    now = clock.round if clock is not None and source.options.now else 0
    first = now if now > ROUNDS - 2 else 1
    data: dict[str, Any] = {
        "title": environment_data.one_line(scene.title) or source.text("handout.encounter-sheet.untitled"),
        "threat": environment_data.threat_data(source, scene),
        "rounds": _rounds(source, first),
        "first": first,
        "now": now,
        "order": [label for label, state in roster_members.current_states(source).items() if state.initiative],
        "round_length": source.text("handout.running-sheet.round-length", n=scene.round_seconds),
        "party": [_character(groups, company, each, source) for each in company.members if _is_ours(company, each)],
        "sides": list(_sides(source, company, groups)),
        "waves": list(_waves(source, company, groups, {entry.wave: name for name, entry, _ in spawned})),
        "world": {
            "pools": [_pool(source, letter, pool) for letter, pool in _lettered(source)],
            "places": environment_data.EnvironmentData(source).environments(brief=True),
        },
        "map": map_data,
        "style": source.rules.data.presentation.style,
        "scene": list(_paragraphs(source, scene)),
        "read_aloud": environment_data.one_line(scene.read_aloud) if source.options.read_aloud else "",
        "conditions": [*map(reference.ReferenceData(source).condition, condition_cards.conditions_in_play(source))],
        "spoils": environment_data.treasure_lines(source),
    }
    return PageContent((Section(ID, data),), pictures)


# The head ---------------------------------------------------------------------------------------------------------


def _rounds(source: PageInput, first: int) -> list[list[str]]:
    """Return the events expected in each round from the first one on: countdowns that start or probably run out, waves, reminders."""
    due: list[list[str]] = [[] for _ in range(ROUNDS)]

    def note(number: int, text: str) -> None:
        if first <= number < first + ROUNDS:
            due[number - first].append(environment_data.one_line(text))

    over: dict[int, list[str]] = {}
    for letter, pool in _lettered(source):
        if pool.starts > 1:
            note(pool.starts, source.text("handout.running-sheet.starts", what=letter))
        mean = _mean_rolls(source, pool)
        if pool.starts and mean:
            over.setdefault(pool.starts - 1 + round(mean), []).append(letter)
    for number, letters in over.items():
        note(number, source.text("handout.running-sheet.probably-out", what=", ".join(letters)))
    for wave in source.encounter.all(prepared.Wave):
        if wave.round:
            note(wave.round, wave_name(wave.id))
    for reminder in source.encounter.all(prepared.Reminder):
        if reminder.at == "round" and reminder.round:
            note(reminder.round, reminder.text)
    return due


def _lettered(source: PageInput) -> Iterator[tuple[str, prepared.Countdown]]:
    for number, pool in enumerate(source.encounter.all(prepared.Countdown)):
        letter = chr(ord("A") + number % 26)
        yield letter * (number // 26 + 1), pool


def _mean_rolls(source: PageInput, pool: prepared.Countdown) -> float:
    """Return the average number of rolls until a countdown runs out, or 0 if the game has no countdown dice."""
    lowest = source.rules.countdown_faces.get(pool.speed)
    if lowest is None:
        return 0.0
    try:
        return distributions.countdown_odds(pool.dice, lowest).mean
    except expression.DiceError:
        return 0.0


# Party, enemies and waves -----------------------------------------------------------------------------------------


def _is_ours(company: roster_members.RosterMembers, member: roster_members.RosterMember) -> bool:
    return not member.entry.wave and company.is_player_character(member)


def _character(
    groups: roster_members.FoeGroups,
    company: roster_members.RosterMembers,
    member: roster_members.RosterMember,
    source: PageInput,
) -> dict[str, Any]:
    say, now = source.text, groups.state(member)
    facts = (
        (say("ui.roster.ac"), member.ac),
        (company.passive_name, company.passive_perception(member)),
        (say("handout.running-sheet.dc"), company.highest_dc(member)),
        (say("ui.roster.hp"), f"{now.left}/{member.hp}" if now.left else ""),
    )
    return {
        "sign": groups.sign(member),
        "name": member.label,
        "facts": [{"lead": lead, "text": text} for lead, text in facts if text],
        "state": now.state,
        "initiative": company.initiative(member),
        "score": now.initiative,
    }


def _sides(
    source: PageInput, company: roster_members.RosterMembers, groups: roster_members.FoeGroups
) -> Iterator[dict[str, Any]]:
    """Yield the sides of the combatants present from the start, enemies first and bystanders last, each with its groups."""
    present = [each for each in company.members if not (each.entry.wave or _is_ours(company, each))]
    ours = roles.party_sides(source.encounter)
    kinds = dict.fromkeys((each.entry.bystander, each.entry.side) for each in present)
    for is_bystander, side in sorted(kinds, key=lambda kind: (kind[0], kind[1] in ours, kind[1] != "enemies")):
        key = "bystanders" if is_bystander else "allies" if side in ours else ""
        members = (each for each in present if (each.entry.bystander, each.entry.side) == (is_bystander, side))
        title = source.text(f"handout.running-sheet.{key}") if key else environment_data.side_heading(source, side)
        yield {"title": title, "groups": groups.rows(members)}


def _spawned(source: PageInput) -> Iterator[tuple[str, prepared.RosterEntry, prepared.Creature]]:
    """Yield the creatures that environments spawn, each as a roster entry with the name of the entry that spawns it."""
    lookup = source.encounter
    for place in lookup.all(prepared.Environment):
        for row in (*place.features, *place.actions):
            brings = row.spawn if row.enabled else None
            creature = brings and (
                lookup.get(prepared.Creature, brings.creature) or source.rules.spawns.get(brings.creature)
            )
            if brings and creature:
                id = f"spawned-{place.id}-{row.id}"
                entry = prepared.RosterEntry(
                    id, creature.id, brings.name, SPAWNS, side=brings.side, initiative=brings.initiative, wave=id
                )
                yield environment_data.one_line(row.name) or environment_data.id_as_words(row.id), entry, creature


def _with_spawned(
    source: PageInput, spawned: Iterable[tuple[str, prepared.RosterEntry, prepared.Creature]]
) -> PageInput:
    """Return the input with spawned creatures appended to the roster."""
    old = (record for kind in PREPARED for record in source.encounter.all(kind))
    new = (record for _, entry, creature in spawned for record in (creature, entry))
    records = {(type(record), record.id): record for record in (*old, *new)}
    return replace(source, encounter=Encounter(records.values()))


def _waves(
    source: PageInput,
    company: roster_members.RosterMembers,
    groups: roster_members.FoeGroups,
    brought_by: Mapping[str, str],
) -> Iterator[dict[str, Any]]:
    """Yield the waves, then the creatures that environments spawn."""
    for wave in dict.fromkeys(member.entry.wave for member in company.members if member.entry.wave):
        waiting = [member for member in company.members if member.entry.wave == wave]
        planned, first, own = source.encounter.get(prepared.Wave, wave), waiting[0], dict[str, Any]()
        name, when = wave_name(wave), ""
        if cause := brought_by.get(wave):
            when, name = source.text("handout.running-sheet.brought-by", what=cause), first.entry.name
            # A given initiative is its place in the order, not a bonus.
            place = first.entry.initiative
            own = {"count": 1} | ({"initiative": "", "score": str(place)} if place else {})
        yield {
            "name": environment_data.one_line(name or first.creature.name),
            "when": when or _when(source, wave, planned),
            "notes": environment_data.one_line(planned.notes) if planned is not None else "",
            "groups": [row | own for row in groups.rows(waiting)],
        }


def _when(source: PageInput, wave: str, planned: prepared.Wave | None) -> str:
    """Return a wave's trigger: its countdown's letter, or its plan."""
    bringing = [(letter, pool) for letter, pool in _lettered(source) if prepared.AddWave(wave) in pool.outcomes]
    if not bringing or (planned is not None and (planned.round or planned.when)):
        return environment_data.one_line(environment_data.wave_text(source, wave))
    key, name = "handout.running-sheet.when-empty", environment_data.one_line
    return "; ".join(source.text(key, what=letter, name=name(pool.name)) for letter, pool in bringing)


# World ------------------------------------------------------------------------------------------------------------


def _pool(source: PageInput, letter: str, pool: prepared.Countdown) -> dict[str, Any]:
    data = environment_data.countdown_data(source, pool)
    letters = {other.id: letter for letter, other in _lettered(source)}
    mean = _mean_rolls(source, pool)
    lowest = faces_text(source.rules.countdown_faces.get(pool.speed, 0))
    pace = [source.text("handout.running-sheet.leaves", faces=lowest) if lowest else data["speed"]]
    if pool.starts != 1:
        pace.append(data["starts"])
    if mean:
        pace.append(source.text("handout.running-sheet.about", n=floor(mean + 0.5)))
    return {
        "letter": letter,
        "name": data["name"],
        "dice": pool.dice,
        "pace": [part for part in pace if part],
        "secret": pool.secret,
        "unstoppable": pool.unstoppable,
        "announced": [
            text
            for each in pool.outcomes
            if isinstance(each, prepared.Announce) and (text := environment_data.one_line(each.text))
        ],
        "outcomes": [
            environment_data.one_line(text)
            for one in pool.outcomes
            if not isinstance(one, prepared.Announce) and (text := environment_data.outcome_text(source, one, letters))
        ],
        "notes": environment_data.one_line(data["notes"]),
    }


# The foot ---------------------------------------------------------------------------------------------------------


def _paragraphs(source: PageInput, scene: prepared.Scene) -> Iterator[dict[str, Any]]:
    """Yield the scene's goal, turning points, lasting conditions and notes, each with its label."""
    sections: tuple[tuple[str, Iterable[str]], ...] = (
        ("ui.scene.goal", scene.goal.splitlines()),
        ("ui.scene.turning-points", [environment_data.joined_sentences(each.strip()) for each in scene.turning_points]),
        ("handout.encounter-sheet.throughout", scene.conditions.splitlines()),
        ("handout.encounter-sheet.notes", scene.notes.splitlines()),
    )
    for key, parts in sections:
        texts = [text for part in parts if (text := environment_data.one_line(part))]
        if texts:
            yield {"lead": source.text(key), "texts": texts, "is_goal": key == "ui.scene.goal"}


KIND: Final = PageKind(ID, make)
