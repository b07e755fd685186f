"""Stats of creatures in other programs' files, read from their fields in the plainest way, without an importer.

One function a format gives a `Truth` a record, in the order of the files. What a file leaves to prose is None or left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

FULL: Final = {
    "str": "strength", "dex": "dexterity", "con": "constitution", "int": "intelligence", "wis": "wisdom", "cha": "charisma",
}  # fmt: skip
MOVES: Final = ("walk", "fly", "swim", "climb", "burrow")
_DICE = re.compile(r"\d+d\d+")


class Attack(NamedTuple):
    """An attack as its source has it: its name, its bonus, the dice (`2d6+3`) it rolls for damage, the label of each."""

    name: str
    bonus: int | None
    dice: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class Truth(NamedTuple):
    """A creature as its source has it; None for stats that no field states."""

    name: str
    hp: int | None
    ac: int | None
    speeds: Mapping[str, int] | None
    abilities: Mapping[str, int] | None
    saves: Mapping[str, int] | None
    attacks: tuple[Attack, ...]


def added(dice: str, bonus: Any) -> str:
    """Return dice with a bonus, as `2d6+3`."""
    plain = dice.replace(" ", "").replace("+-", "-")
    return f"{plain}{int(bonus):+d}" if bonus else plain


def summed(formula: str) -> list[str]:
    """Return the dice of a formula, those of one size together: `1d6+3+2d6` has `3d6`."""
    counts: dict[str, int] = {}
    for number, faces in re.findall(r"(\d+)d(\d+)", formula):
        counts[faces] = counts.get(faces, 0) + int(number)
    return [f"{number}d{faces}" for faces, number in counts.items()]


def fields_of(folder: Path, table: str) -> list[dict[str, Any]]:
    path = folder / f"{table}.json"
    return json.loads(path.read_text()) if path.is_file() else []


def open5e_v1(folder: Path) -> Iterator[Truth]:
    for row in (each["fields"] for each in fields_of(folder, "Monster")):
        saves = {id: row[f"{name}_save"] for id, name in FULL.items() if row[f"{name}_save"] is not None}
        speeds = {way: feet for way, feet in json.loads(row["speed_json"]).items() if way in MOVES}
        attacks = []
        for section in ("special_abilities", "actions", "bonus_actions", "reactions", "legendary_actions"):
            for entry in json.loads(row.get(f"{section}_json") or "null") or []:
                said = re.search(r"Attack:\s*([+-]\d+) to hit", entry["desc"])
                first, *others = (entry.get("damage_dice") or "").replace(" ", "").split("+")
                parts = (added(first, entry.get("damage_bonus")), *others) if first else ()
                if said:
                    attacks.append(Attack(entry["name"], entry.get("attack_bonus") or int(said[1]), parts))
        abilities = {id: row[name] for id, name in FULL.items()}
        yield Truth(row["name"], row["hit_points"], row["armor_class"], speeds, abilities, saves, tuple(attacks))


def open5e_v2(folder: Path) -> Iterator[Truth]:
    actions = {each["pk"]: each["fields"] for each in fields_of(folder, "CreatureAction")}
    attacks: dict[str, list[Attack]] = {}
    for row in (each["fields"] for each in fields_of(folder, "CreatureActionAttack")):
        of = actions[row["parent"]]
        dice = [
            added(f"{row[f'{kind}_die_count']}{row[f'{kind}_die_type'].lower()}", row[f"{kind}_bonus"])
            for kind in ("damage", "extra_damage")
            if row[f"{kind}_die_count"] and row[f"{kind}_die_type"]
        ]
        attacks.setdefault(of["parent"], []).append(Attack(of["name"], row["to_hit_mod"], tuple(dice)))
    for each in fields_of(folder, "Creature"):
        row = each["fields"]
        saves = {id: row[f"saving_throw_{name}"] for id, name in FULL.items()}
        bare = {id: (row[f"ability_score_{name}"] - 10) // 2 for id, name in FULL.items()}
        yield Truth(
            row["name"], row["hit_points"], row["armor_class"], {way: int(row[way]) for way in MOVES if row[way]},
            {id: row[f"ability_score_{name}"] for id, name in FULL.items()},
            {id: bonus for id, bonus in saves.items() if bonus is not None and bonus != bare[id]},
            tuple(attacks.get(each["pk"], ())),
        )  # fmt: skip


def five_e_bits(folder: Path) -> Iterator[Truth]:
    for row in json.loads((folder / "5e-SRD-Monsters.json").read_text()):
        saves = {
            each["proficiency"]["index"].removeprefix("saving-throw-"): each["value"]
            for each in row["proficiencies"]
            if each["proficiency"]["index"].startswith("saving-throw-")
        }
        attacks = []
        for section in ("special_abilities", "actions", "reactions", "legendary_actions"):
            for each in row.get(section, ()):
                if each.get("attack_bonus") and "options" not in each:
                    harms = [part["from"]["options"][0] if "from" in part else part for part in each.get("damage", ())]
                    dice = tuple(added(part["damage_dice"], 0) for part in harms)
                    attacks.append(Attack(each["name"], each["attack_bonus"], dice))
        worn = [each["value"] for each in row["armor_class"] if each["type"] not in ("spell", "condition")]
        speeds = {way: int(text.split()[0]) for way, text in row["speed"].items() if way in MOVES}
        abilities = {id: row[name] for id, name in FULL.items()}
        yield Truth(row["name"], row["hit_points"], max(worn), speeds, abilities, saves, tuple(attacks))


def improved_initiative(folder: Path) -> Iterator[Truth]:
    for row in json.loads((folder / "ogl_creatures.json").read_text("utf-8-sig")):
        speeds: dict[str, int] = {}
        for text in row["Speed"]:
            for way, feet in re.findall(r"(?:(fly|swim|climb|burrow|walk) )?(\d+) ?ft", re.sub(r"\([^)]*\)", "", text)):
                speeds.setdefault(way or "walk", int(feet))
        attacks = []
        for section in ("Traits", "Actions", "Reactions", "LegendaryActions"):
            for each in row.get(section, ()):
                said = re.search(r"Attack: ([+-]\d+) to hit.*?Hit:(.*)", each["Content"], re.DOTALL)
                if said:
                    sentence = re.split(r"\bor \d|\.|\bDC\b", said[2])[0]
                    dice = re.findall(r"\((\d+d\d+(?: ?[+-] ?\d+)?)\)", sentence)
                    attacks.append(Attack(each["Name"], int(said[1]), tuple(added(one, 0) for one in dice)))
        yield Truth(
            row["Name"], row["HP"]["Value"], row["AC"]["Value"], speeds,
            {name.lower(): score for name, score in row["Abilities"].items()},
            {each["Name"].lower(): each["Modifier"] for each in row["Saves"]}, tuple(attacks),
        )  # fmt: skip


def fantasy_statblocks(folder: Path) -> Iterator[Truth]:
    import pyjson5

    for row in pyjson5.decode((folder / "srd-bestiary.json5").read_text()):
        speeds: dict[str, int] = {}
        for way, feet in re.findall(r"(?:(fly|swim|climb|burrow) )?(\d+) ft", re.sub(r"\([^)]*\)", "", row["speed"])):
            speeds.setdefault(way or "walk", int(feet))
        attacks = []
        for section in ("traits", "actions", "reactions", "legendary_actions"):
            for each in row.get(section, ()):
                if each.get("attack_bonus"):
                    dice = _DICE.findall(each.get("damage_dice", ""))
                    attacks.append(Attack(each["name"], each["attack_bonus"], tuple(dice)))
        saves = {name[:3]: bonus for save in row.get("saves", ()) for name, bonus in save.items()}
        yield Truth(
            row["name"], row["hp"], row["ac"], speeds, dict(zip(FULL, row["stats"], strict=True)), saves, tuple(attacks)
        )


def foundry_a5e(folder: Path) -> Iterator[Truth]:
    for path in sorted((folder / "monsters").glob("*.json")):
        data = json.loads(path.read_text())
        system = data["system"]
        scores = {id: held["value"] for id, held in system["abilities"].items()}
        proficiency = 2 + max(0, int(-(-system["details"]["cr"] // 1)) - 1) // 4
        bonus = {id: (score - 10) // 2 for id, score in scores.items()}
        saves = {id: bonus[id] + proficiency for id, held in system["abilities"].items() if held["save"]["proficient"]}
        formula = system["attributes"]["ac"]["baseFormula"]
        moves = system["attributes"]["movement"]
        feet = {way: moves[way]["distance"] for way in MOVES if moves[way]["distance"]}
        metric = any(moves[way]["unit"] == "meters" and moves[way]["distance"] for way in MOVES)
        attacks = []
        for item in data["items"]:
            actions = (
                list((item["system"].get("actions") or {}).values()) if item["type"] in ("feature", "object") else []
            )
            for action in actions if len(actions) == 1 else ():
                rolls = list((action.get("rolls") or {}).values())
                hits = [roll for roll in rolls if roll.get("type") == "attack"]
                if not hits:
                    continue
                known = hits[0].get("ability") in bonus and not hits[0].get("bonus") and hits[0].get("proficient", True)
                plus = bonus[hits[0]["ability"]] + proficiency if known else None
                if any(system["bonuses"].get("attacks", {}).values()):
                    plus = None
                dice, listed = [], []
                for roll in rolls:
                    if roll.get("type") == "damage":
                        for die in summed(roll.get("formula") or ""):
                            dice.append(die)
                            listed.append((roll.get("label") or roll.get("name") or "").strip())
                attacks.append(Attack(item["name"], plus, tuple(dice), tuple(listed)))
        yield Truth(
            data["name"], system["attributes"]["hp"]["baseMax"], int(formula) if formula.isdecimal() else None,
            None if metric else feet, scores, saves, tuple(attacks),
        )  # fmt: skip


def number(value: Any) -> int:
    return int(str(value))


def foundry_pf2e(folder: Path) -> Iterator[Truth]:
    for path in sorted(folder.rglob("*.json")):
        data = json.loads(path.read_text())
        if data["type"] != "npc":
            continue
        body = data.get("system") or data["data"]
        speed = body["attributes"]["speed"]
        walks = re.match(r"\s*(\d+)", str(speed["value"]))
        speeds = {"walk": int(walks[1])} if walks else {}
        for other in speed.get("otherSpeeds", ()):
            feet = re.match(r"\s*(\d+)", str(other["value"]))
            if feet and other["type"].lower() in MOVES:
                speeds[other["type"].lower()] = int(feet[1])
        said_whole = walks is not None and re.fullmatch(r"\s*\d+(?: feet)?\s*", str(speed["value"])) is not None
        attacks = []
        for item in (each for each in data["items"] if each["type"] == "melee"):
            held = item.get("system") or item["data"]
            rolls = held["damageRolls"]
            dice = [str(one["damage"]) for one in (rolls.values() if isinstance(rolls, dict) else rolls)]
            attacks.append(
                Attack(item["name"], number(held["bonus"]["value"]), tuple(re.findall(r"\d+d\d+", " ".join(dice))))
            )
        yield Truth(
            data["name"].strip(), number(body["attributes"]["hp"]["max"]), number(body["attributes"]["ac"]["value"]),
            speeds if said_whole else None, {id: number(held["mod"]) for id, held in body["abilities"].items()},
            {id: number(body["saves"][name]["value"]) for id, name in PF2_SAVES.items()}, tuple(attacks),
        )  # fmt: skip


PF2_SAVES: Final = {"con": "fortitude", "dex": "reflex", "wis": "will"}


def pf2_yaml(folder: Path) -> Iterator[Truth]:
    import yaml

    for path in sorted((folder / "monsters").glob("*.y*ml")):
        held = yaml.load(path.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        for row in held if isinstance(held, list) else [held]:
            feet = {each["type"].lower(): each["amount"] for each in row["speed"] if each["amount"] is not None}
            speeds = {"walk" if way in ("land", "speed") else way: amount for way, amount in feet.items()}
            strikes = [
                *(row.get("melee_attacks") or row.get("melee") or ()), *(row.get("ranged_attacks") or row.get("ranged") or ()),
            ]  # fmt: skip
            attacks = [
                Attack(
                    each["name"],
                    each["to_hit"],
                    tuple(_DICE.findall(" ".join(one["formula"] or "" for one in each["damage"] or ()))),
                )
                for each in strikes
            ]
            yield Truth(
                row["name"], row["hp"], row["ac"], {way: speeds[way] for way in MOVES if way in speeds},
                {name.removesuffix("_mod"): mod for name, mod in row["ability_mods"].items()},
                dict(zip(("con", "dex", "wis"), (row["saves"][one] for one in ("fort", "ref", "will")), strict=True)),
                tuple(attacks),
            )  # fmt: skip


def kobold(folder: Path) -> Iterator[Truth]:
    for path in sorted(folder.glob("*.json")):
        for row in json.loads(path.read_text()):
            yield Truth(row["name"], row["hp"], int(re.findall(r"\d+", str(row["ac"]))[0]), None, None, None, ())


SOURCES: Final[Mapping[str, Callable[[Path], Iterable[Truth]]]] = {
    "open5e/v1-menagerie": open5e_v1, "open5e/v1-wotc-srd": open5e_v1, "open5e/v2-a5e-mm": open5e_v2,
    "open5e/v2-srd-2014": open5e_v2, "open5e/v2-srd-2024": open5e_v2, "5e-bits/2014": five_e_bits, "5e-bits/2024": five_e_bits,
    "improved-initiative": improved_initiative, "fantasy-statblocks": fantasy_statblocks, "foundry-a5e": foundry_a5e,
    "foundry-pf2e-2021": foundry_pf2e, "foundry-pf2e-current-TRANSCRIBED": foundry_pf2e, "pf2-sqlite-yaml": pf2_yaml,
    "kobold-plus-fight-club": kobold,
}  # fmt: skip
