"""The encounter at a glance: the scene, creatures with boxes to write in, environments, countdowns, notes."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

import msgspec

from turnwright.encounter.prepared import Scene
from turnwright.encounter.roles import is_ours
from turnwright.encounter.state import scene_of, wave_name
from turnwright.handouts import page_input
from turnwright.handouts.environment_data import (
    EnvironmentData,
    countdown_data,
    one_line,
    side_heading,
    threat_data,
    treasure_lines,
    visible_countdowns,
    wave_text,
)
from turnwright.handouts.map_tiles import map_thumbnail
from turnwright.handouts.roster_members import RosterMember, RosterMembers, group_label, member_signs

ID = "encounter-sheet"


def make(source: page_input.PageInput) -> page_input.PageContent:
    """Return the sheet. Players get the read-aloud text, their characters, and the countdowns they know."""
    scene = scene_of(source.encounter)
    company = RosterMembers(source)
    pictures: tuple[page_input.Picture, ...] = ()
    data: dict[str, Any] = {
        "title": (source.shows_secrets and one_line(scene.title)) or source.text("handout.encounter-sheet.untitled"),
        "read_aloud": scene.read_aloud.strip(),
        "groups": list(_groups(source, company)),
        "countdowns": [countdown_data(source, visible_countdown) for visible_countdown in visible_countdowns(source)],
        "passive": company.passive_name,
    }
    if source.shows_secrets:
        map_data, pictures = map_thumbnail(source)
        data |= {
            "map": map_data,
            "beside": _game(source),
            "facts": _facts(source, scene),
            "places": EnvironmentData(source).environments(),
            "goal": scene.goal.strip(),
            "turning_points": [one_line(point) for point in scene.turning_points if point.strip()],
            "notes": scene.notes.strip(),
            "treasure": treasure_lines(source),
            "forecast": [] if source.forecast is None else [_forecast(source.forecast)],
        }
    return page_input.PageContent((page_input.Section(ID, data),), pictures)


def _game(source: page_input.PageInput) -> str:
    """Return the printed name of the game."""
    name = source.rules.word("system.full")
    return source.rules.data.name if name == "system.full" else name


def _forecast(forecast: page_input.PrintedForecast) -> dict[str, Any]:
    """Return a forecast as plain data, with each text on one line."""
    lists = {"sentences": forecast.sentences, "courses": forecast.courses, "assumed": forecast.assumed}
    texts_by_name = {name: [one_line(text) for text in texts] for name, texts in lists.items()}
    charts = {
        "falls": [msgspec.to_builtins(fall) | {"name": one_line(fall.name)} for fall in forecast.falls],
        "rounds": [msgspec.to_builtins(row) for row in forecast.rounds],
        "marks": [{"round": number, "names": one_line(names)} for number, names in forecast.marks],
        "sources": [msgspec.to_builtins(source) | {"name": one_line(source.name)} for source in forecast.sources],
        "words": dict(forecast.words),
    }
    return {"headline": one_line(forecast.headline), "notes": one_line(forecast.notes), **texts_by_name, **charts}


def _facts(source: page_input.PageInput, scene: Scene) -> list[dict[str, str]]:
    """Return the facts about the whole scene, each with its label."""
    say = source.text
    threat = threat_data(source, scene)
    facts = [
        ("handout.encounter-sheet.threat", ", ".join(filter(None, (threat["word"], *threat["facts"][:-1])))),
        ("ui.scene.purpose", say(f"ui.scene.purpose-{scene.purpose}")),
        ("ui.scene.light", say(f"ui.light.{scene.light}").capitalize()),
        ("ui.scene.round-seconds", say("handout.encounter-sheet.seconds", n=scene.round_seconds)),
        ("handout.encounter-sheet.suspended", ", ".join(scene.suspended)),
        ("handout.encounter-sheet.throughout", scene.conditions.strip()),
    ]
    return [{"lead": say(key), "text": text} for key, text in facts if text]


def _groups(source: page_input.PageInput, company: RosterMembers) -> Iterable[dict[str, Any]]:
    """Yield the sides of the combatants present from the start, then the waves. Allies of the party are apart from it."""
    signs, is_character = member_signs(source), company.is_player_character
    if not source.shows_secrets:
        ours = [member for member in company.members if is_character(member)]
        if ours:
            yield _group(side_heading(source, ours[0].entry.side), "", ours, company, signs)
        return
    present = [member for member in company.members if not member.entry.wave]
    ours_first = sorted((member.entry for member in present), key=lambda entry: not is_ours(company.encounter, entry))
    for side in dict.fromkeys(entry.side for entry in ours_first):
        members = [member for member in present if member.entry.side == side]
        characters = [member for member in members if is_character(member)]
        allies = [member for member in members if characters and not is_character(member)]
        yield _group(side_heading(source, side), "", characters or members, company, signs)
        if allies:
            yield _group(source.text("handout.running-sheet.allies"), "", allies, company, signs)
    for wave in dict.fromkeys(member.entry.wave for member in company.members if member.entry.wave):
        waiting = [member for member in company.members if member.entry.wave == wave]
        title = source.text("handout.encounter-sheet.wave", name=one_line(wave_name(wave)))
        yield _group(title, one_line(wave_text(source, wave)), waiting, company, signs)


def _group(
    title: str, when: str, members: list[RosterMember], company: RosterMembers, signs: Mapping[str, str]
) -> dict[str, Any]:
    rows = [_row(tuple(group), company, signs) for _, group in groupby(members, key=lambda member: member.entry.id)]
    return {"title": title, "when": when, "count": sum(1 + member.unlisted for member in members), "rows": rows}


def _row(group: tuple[RosterMember, ...], company: RosterMembers, signs: Mapping[str, str]) -> dict[str, Any]:
    """Return the row of all members of a roster entry."""
    member, entry = group[0], group[0].entry
    is_character, letters = company.is_player_character(member), [signs.get(one.label, "") for one in group]
    return {
        "name": group_label(group),
        "kind": member.kind,
        "player": one_line(entry.player),
        "level": entry.level or (member.creature.level if is_character else 0),
        "ac": member.ac,
        "hp": member.hp,
        "initiative": company.initiative(member),
        "speed": company.speed(member),
        "passive": company.passive_perception(member),
        "sign": letters[0] if len(group) == 1 else letters[0].rstrip("0123456789"),
        "members": letters,
        "ours": is_ours(company.encounter, entry),
        "ordered": not entry.bystander,
        "hidden": entry.hidden and not is_character,
        "place": "" if is_character else one_line(entry.place),
        "notes": "" if is_character else one_line(", ".join(filter(None, (*entry.effects, entry.counts, entry.notes)))),
        "more": group[-1].unlisted,
    }


KIND = page_input.PageKind(ID, make, for_players=True)
