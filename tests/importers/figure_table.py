"""The figures of other programs' files, read from raw fields and prose without an importer, against those imported: a table.

Each column counts values that are right, that differ and are told in the import report, and that differ in silence.
Run: python -m tests.importers.figure_table FOLDER, where FOLDER holds one folder of files for each format. `--written`
first writes those of the programs whose files we may not ship.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.importers.source_stats import FULL, SOURCES, Attack, Truth
from tests.importers.written_files import WRITERS
from turnwright.encounter.prepared import Creature, Feature
from turnwright.importers.files.import_files import read_paths
from turnwright.importers.results import ImportedRecord

COLUMNS: Final = ("core", "to hit", "reach", "damage", "save DC", "limits", "multiattack", "features", "text")
SAVES: Final = {"fort": "con", "ref": "dex", "will": "wis"}
WORDS: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_ABILITIES: Final = "Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma"
_ASKED = re.compile(rf"DC (\d+) ({_ABILITIES}) (?:saving throw|save)|({_ABILITIES}) Saving Throw: DC (\d+)")
_HEAD = re.compile(r"Attack(?: Roll)?:? ?[+-]\d+(?: to hit)?(?P<where>.*?)(?:Hit:|$)", re.DOTALL)
_RECHARGE = re.compile(r"\(Recharge (?:on )?(?:a )?(?:roll of )?(\d)", re.IGNORECASE)
_DAILY = re.compile(r"\((\d)/Day", re.IGNORECASE)
_MAKES = re.compile(rf"\bmakes ({'|'.join(WORDS)}) (?:(?:melee|ranged|[A-Z][\w']*|\w+) ){{0,3}}attacks?\b")
_TOTAL = re.compile(
    rf"\bmakes ({'|'.join(WORDS)}) (?:(?:melee|ranged|weapon) )?attacks(?:[:;.]|, (?:using|one|two|three)| using)"
)
_LOST = re.compile(r"\[\[|\]\]|@[A-Z][a-z]+\[|DC [,.;]|\(\)|(?<![a-z])[A-Za-z]*\d[A-Za-z0-9]{15,}|within  ?feet")


class Strike(NamedTuple):
    """An attack: its name, bonus, reach and range in feet (None where nothing says them), its dice, the label of each."""

    name: str
    bonus: int | None
    reach: int | None = None
    range: str | None = None
    dice: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


class Facts(NamedTuple):
    """What a source says of a creature: numbers by name, attacks, saves asked of others, limits, counts of attacks, names."""

    name: str
    core: Mapping[str, int]
    strikes: tuple[Strike, ...] = ()
    asked: tuple[tuple[str, str, int], ...] = ()
    limits: tuple[tuple[str, str], ...] = ()
    multiattacks: tuple[tuple[str, int], ...] = ()
    features: tuple[str, ...] = ()


Entries = Iterable[tuple[str, str]]  # names and texts


def plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", re.sub(r"\s*[(\[][^)\]]*[)\]]?", "", name).lower())


def core_of(truth: Truth) -> dict[str, int]:
    """Return the numbers of the head of a stat block by name."""
    found = {"hp": truth.hp, "ac": truth.ac}
    for part in ("speeds", "abilities", "saves"):
        held = getattr(truth, part) or {}
        if part != "saves" or any(held.values()):  # saves that are all 0 are a column nobody filled
            found |= {f"{part}.{key}": value for key, value in held.items()}
    return {key: value for key, value in found.items() if value is not None}


def facts_of_prose(truth: Truth, entries: Entries) -> Facts:
    """Return a creature's facts, where the sentences of its features say what no field does."""
    listed = list(entries)
    where = {plain(name): found["where"] for name, text in listed if (found := _HEAD.search(text))}
    strikes = []
    for one in truth.attacks:
        said = where.get(plain(one.name), "")
        reach, far = re.search(r"reach (\d+)", said), re.search(r"range (\d+(?:/\d+)?)", said)
        strikes.append(Strike(one.name, one.bonus, int(reach[1]) if reach else None, far[1] if far else None, one.dice))
    asked, limits, several = [], [], []
    for name, text in listed:
        save = _ASKED.search(text)
        if save and "pellcasting" not in name and not re.search(r"inside|successful $", text[: save.start()]):
            ability, dc = (save[2], save[1]) if save[2] else (save[3], save[4])
            asked.append((name, ability[:3].lower(), int(dc)))
        if found := _RECHARGE.search(name):
            limits.append((name, f"recharge {found[1]}"))
        elif found := _DAILY.search(name):
            limits.append((name, f"uses {found[1]}"))
        counts = _MAKES.findall(text)
        joined = re.search(r"\b(?:also|and|or|uses|replace)\b", text)
        varied = re.search(r"\bother attacks|\b(?:if|form|different)\b|attacks? or\b", text)
        alone = not joined or (_TOTAL.findall(text) == counts and not varied)
        if name.startswith("Multiattack") and len(counts) == 1 and alone:
            several.append((name, WORDS[counts[0]]))
    names = tuple(name for name, text in listed if text and plain(name))
    return Facts(truth.name, core_of(truth), tuple(strikes), tuple(asked), tuple(limits), tuple(several), names)


def _rows(path: Path) -> list[Any]:
    return json.loads(path.read_text("utf-8-sig"))


def open5e_v1(folder: Path) -> Iterator[Facts]:
    sections = ("special_abilities", "actions", "bonus_actions", "reactions")
    for truth, row in zip(SOURCES["open5e/v1-wotc-srd"](folder), _rows(folder / "Monster.json"), strict=True):
        held = [each for one in sections for each in json.loads(row["fields"].get(f"{one}_json") or "null") or []]
        texts = ((each["name"], re.sub(r"\s+", " ", each["desc"])) for each in held)
        yield facts_of_prose(truth, ((name, text) for name, text in texts if len(name) < 80))


def open5e_v2(folder: Path) -> Iterator[Facts]:
    texts = defaultdict(list)
    for table in ("CreatureTrait", "CreatureAction"):
        for row in (each["fields"] for each in _rows(folder / f"{table}.json")):
            if row.get("action_type") != "LEGENDARY_ACTION" and row["desc"] and len(row["name"]) < 80:
                texts[row["parent"]].append((row["name"], re.sub(r"\s+", " ", row["desc"])))
    for truth, row in zip(SOURCES["open5e/v2-srd-2014"](folder), _rows(folder / "Creature.json"), strict=True):
        yield facts_of_prose(truth, texts[row["pk"]])


def _json_entries(
    source: str, file: str, sections: tuple[str, ...], name: str, text: str
) -> Callable[[Path], Iterator[Facts]]:
    def read(folder: Path) -> Iterator[Facts]:
        import pyjson5

        rows = pyjson5.decode((folder / file).read_text("utf-8-sig"))
        for truth, row in zip(SOURCES[source](folder), rows, strict=True):
            held = (each for section in sections for each in row.get(section) or ())
            yield facts_of_prose(truth, ((each[name], re.sub(r"\s+", " ", each[text])) for each in held))

    return read


def _bare(source: str) -> Callable[[Path], Iterator[Facts]]:
    def read(folder: Path) -> Iterator[Facts]:
        for truth in SOURCES[source](folder):
            strikes = tuple(Strike(one.name, one.bonus, dice=one.dice, labels=one.labels) for one in truth.attacks)
            yield Facts(truth.name, core_of(truth), strikes)

    return read


def _check_in(text: str) -> tuple[str, int] | None:
    """Return the first saving throw that a mark of Foundry's Pathfinder asks for with a number."""
    for mark in re.findall(r"@Check\[([^\]]*)\]", text):
        kind, dc = re.search(r"\b(fort|ref|will)(?:itude|lex)?\b", mark), re.search(r"dc:(\d+)", mark)
        if kind and dc:
            return SAVES[kind[1]], int(dc[1])
    return None


def foundry_pf2e(folder: Path) -> Iterator[Facts]:
    paths = [path for path in sorted(folder.rglob("*.json")) if json.loads(path.read_text())["type"] == "npc"]
    for truth, path in zip(SOURCES["foundry-pf2e-2021"](folder), paths, strict=True):
        data = json.loads(path.read_text())
        strikes, asked, names = [], [], []
        for item in data["items"]:
            held = item.get("system") or item.get("data") or {}
            if item["type"] == "melee":
                traits = [str(one) for one in (held["traits"].get("value") or [])]
                rolls = held["damageRolls"]
                dice = [
                    str(one["damage"]).replace(" ", "")
                    for one in (rolls.values() if isinstance(rolls, dict) else rolls)
                ]
                far = next(
                    (found[1] for one in traits if (found := re.match(r"(?:thrown|range(?:-increment)?)-(\d+)", one))),
                    None,
                )
                near = next((int(found[1]) for one in traits if (found := re.match(r"reach-(\d+)", one))), None)
                strikes.append(Strike(item["name"], int(held["bonus"]["value"]), near, far, tuple(dice)))
                names.append(item["name"])
            elif item["type"] == "action":
                names.append(item["name"])
                if save := _check_in(held["description"]["value"]):
                    asked.append((item["name"], *save))
        yield Facts(truth.name, core_of(truth), tuple(strikes), tuple(asked), features=tuple(names))


def obsidian_pf2e(folder: Path) -> Iterator[Facts]:
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text()
        if "```statblock" not in text:
            continue
        core = {
            "hp": int(re.search(r"^hp: (\d+)", text, re.MULTILINE)[1]),
            "ac": int(re.search(r"^ac: (\d+)", text, re.MULTILINE)[1]),
        }
        for word, bonus in re.findall(
            r"__(Fort|Ref|Will)__:? ([+-]\d+)", text.partition("armorclass:")[2].partition("\nhp:")[0]
        ):
            core[f"saves.{SAVES[word.lower()]}"] = int(bonus)
        mods = re.search(r"^abilityMods: \[([^\]]*)\]", text, re.MULTILINE)[1].split(",")
        core |= {f"abilities.{id}": int(mod) for id, mod in zip(FULL, mods, strict=True)}
        said = re.search(r"^speed: (.*)$", text, re.MULTILINE)[1]
        for way, feet in re.findall(r"(?:(fly|swim|climb|burrow) )?(\d+) feet", re.sub(r"\([^)]*\)", "", said)):
            core.setdefault(f"speeds.{way or 'walk'}", int(feet))
        skills = text.partition("\nskills:")[2].partition("\nabilityMods")[0]
        for name, bonus in re.findall(r"__([A-Za-z' ]+)__: ([+-]\d+) ", skills):
            about = re.sub(r"[^a-z]+", "-", name.lower().removesuffix(" lore").replace("'", "")).strip("-")
            core[f"skills.lore-{about}" if name.endswith(" lore") else f"skills.{about}"] = int(bonus)
        strikes, asked, names = [], [], []
        for way, name, bonus, rest in re.findall(r'name: (Melee|Ranged)\n\s+desc: "\S? ?(.*?) ([+-]\d+) (.*)"', text):
            head, _, dealt = rest.partition("__Damage__")
            near, far = re.search(r"reach (\d+)", head), re.search(r"(?:range|increment|thrown) (\d+)", head)
            reach = int(near[1]) if near else 5 if way == "Melee" and "reach" not in head else None
            dice = tuple(re.findall(r"(\d+d\d+(?:[+-]\d+)?) \(\d", dealt))
            strikes.append(Strike(name, int(bonus), reach if way == "Melee" else None, far[1] if far else None, dice))
            names.append(name)
        for part in ("abilities_mid", "abilities_bot", "abilities_top"):
            block = re.search(rf"^{part}:\n((?:[ ].*\n)*)", text, re.MULTILINE)
            for name, desc in re.findall(r'- name: "(.*)"\n\s+desc: "(.*)"', block[1] if block else ""):
                names += [name] if name != "Items" else []
                save = re.search(r"DC (\d+) (?:basic )?(Fortitude|Reflex|Will)\b", desc)
                if save and not re.search(r"\bthe [\w ]+ must [^.]{0,20}$", desc[: save.start()]):
                    asked.append((name, SAVES[re.sub("itude|lex", "", save[2].lower())], int(save[1])))
        title = re.search(r'^name: "?(.*?)"?$', text.partition("```statblock")[2], re.MULTILINE)[1]
        yield Facts(title, core, tuple(strikes), tuple(asked), features=tuple(names))


def foundry_dnd5e(folder: Path) -> Iterator[Facts]:
    import yaml

    for path in sorted(folder.rglob("*.yml")):
        data = yaml.load(path.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        body = data["system"]
        if data["type"] != "npc" or not body["attributes"]["hp"]["max"] or body["details"].get("cr") is None:
            continue
        mods = {id: (held["value"] - 10) // 2 for id, held in body["abilities"].items()}
        trained = 2 + max(0, int(-(-body["details"]["cr"] // 1)) - 1) // 4
        core = {
            "hp": body["attributes"]["hp"]["max"],
            **{f"abilities.{id}": held["value"] for id, held in body["abilities"].items()},
        }
        if body["attributes"]["ac"]["calc"] in ("natural", "flat"):
            core["ac"] = body["attributes"]["ac"]["flat"]
        core |= {
            f"speeds.{way}": int(feet)
            for way, feet in body["attributes"]["movement"].items()
            if way in ("walk", "fly", "swim", "climb", "burrow") and feet and str(feet).isdecimal()
        }
        core |= {
            f"saves.{id}": mods[id] + trained
            for id, held in body["abilities"].items()
            if held["proficient"] and not held["bonuses"]["save"]
        }
        strikes, asked, limits, several, names = [], [], [], [], []
        for item in data["items"]:
            held = item["system"]
            if item["type"] not in ("feat", "weapon"):
                continue
            names.append(item["name"])
            doing = list((held.get("activities") or {}).values())
            attack = next((one for one in doing if one["type"] == "attack"), None)
            save = next((one for one in doing if one["type"] == "save"), None)
            if attack and not attack["attack"].get("flat"):
                words, far = held.get("properties") or [], held.get("range") or {}
                kind = (held.get("type") or {}).get("value") or ""
                ranged = kind.endswith("R")
                ability = attack["attack"].get("ability") or (
                    "dex" if ranged else max("str", "dex", key=mods.get) if "fin" in words else "str"
                )
                bonus = attack["attack"].get("bonus") or "0"
                practised = trained if held.get("proficient") not in (0, False) else 0
                number = (
                    mods[ability] + practised + int(bonus)
                    if ability in mods and re.fullmatch(r"[+-]?\d+", str(bonus))
                    else None
                )
                base = (held.get("damage") or {}).get("base") or {}
                dice = (
                    [f"{base['number']}d{base['denomination']}"]
                    if base.get("number") and base.get("denomination")
                    else []
                )
                dice += [
                    f"{one['number']}d{one['denomination']}" for one in attack["damage"]["parts"] if one.get("number")
                ]
                reach = None if ranged else far.get("reach") or None
                pair = f"{far['value']}/{far['long']}" if far.get("value") and far.get("long") else None
                strikes.append(Strike(item["name"], number, reach, pair, tuple(dice)))
            if save:
                how, formula = save["save"]["dc"]["calculation"], save["save"]["dc"]["formula"]
                dc = (
                    int(formula)
                    if str(formula).isdecimal() and not how
                    else 8 + trained + mods[how]
                    if how in mods
                    else None
                )
                ability = save["save"]["ability"]
                if dc:
                    asked.append((item["name"], ability[0] if isinstance(ability, list) else ability, dc))
            faces = [
                one.get("formula") or "6"
                for one in (held.get("uses") or {}).get("recovery") or ()
                if one["period"] == "recharge"
            ]
            limits += [(item["name"], f"recharge {faces[0]}")] if faces else []
            if item["name"].startswith("Multiattack"):
                said = re.sub(r"\[\[/item ([^\]]*)\]\](?:\{[^}]*\})?", "Blow", held["description"]["value"])
                counts = re.findall(rf"\b({'|'.join(('one', *WORDS))}) Blow attacks?", said)
                only = (
                    "Blow" in said
                    and " or " not in said
                    and "other" not in said
                    and "uses" not in said
                    and "replace" not in said
                )
                if counts and only:
                    several.append((item["name"], sum(WORDS.get(one, 1) for one in counts)))
        yield Facts(data["name"], core, tuple(strikes), tuple(asked), tuple(limits), tuple(several), tuple(names))


_TAGS: Final = {
    "h": "Hit: ", "m": "Miss: ", "atk mw": "Melee Weapon Attack:", "atk rw": "Ranged Weapon Attack:",
    "atk mw,rw": "Melee or Ranged Weapon Attack:", "atk ms": "Melee Spell Attack:", "atk rs": "Ranged Spell Attack:",
    "atk ms,rs": "Melee or Ranged Spell Attack:", "atkr m": "Melee Attack Roll:", "atkr r": "Ranged Attack Roll:",
    "atkr m,r": "Melee or Ranged Attack Roll:", "actSaveFail": "Failure:", "actSaveSuccess": "Success:", "recharge": "(Recharge 6)",
}  # fmt: skip


def _untagged(text: str) -> str:
    """Return a text of 5etools and its sister as it is printed."""
    for _ in range(4):
        text = re.sub(r"\{@([^{}]*)\}", lambda match: _printed(match[1]), text)
    return re.sub(r"\s+", " ", text).strip()


def _printed(tag: str) -> str:
    name, _, rest = tag.partition(" ")
    first = rest.split("|")[0]
    signs = {"hit": f"+{first.removeprefix('+')}", "dc": f"DC {first}", "recharge": f"(Recharge {first}-6)"}
    said = f"{first[:3].title()} Saving Throw:" if name == "actSave" else ""
    return said or (signs.get(name) if rest else None) or _TAGS.get(tag.strip()) or first


def _flat(entry: Any) -> str:
    if isinstance(entry, dict):
        return " ".join(_flat(entry[key]) for key in ("name", "entry", "entries", "items", "rows") if key in entry)
    return " ".join(map(_flat, entry)) if isinstance(entry, list) else str(entry)


def _attacks_in(entries: Entries) -> tuple[Attack, ...]:
    """Return the attacks that prose states first in a feature: bonus, and the dice of the hit."""
    found = []
    for name, text in entries:
        to_hit = re.search(r"(?:^|[:\w,.] )\+?([+-]\d+)(?: to hit|, reach|, range)(?! with)", text)
        dice = (
            re.match(r".{0,260}?(?:Hit: |target\. |creature\. )\d+ \((\d+d\d+(?: ?[+-] ?\d+)?)\)", text[to_hit.end() :])
            if to_hit
            else None
        )
        if to_hit and "pellcasting" not in name:
            found.append(Attack(name, int(to_hit[1]), (dice[1].replace(" ", ""),) if dice else ()))
    return tuple(found)


def _speeds_in(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for way, feet in re.findall(r"(?:(fly|swim|climb|burrow) )?(\d+) ?ft", re.sub(r"\([^)]*\)", "", text)):
        found.setdefault(way or "walk", int(feet))
    return found


def five_e_tools(folder: Path) -> Iterator[Facts]:
    for path in sorted(folder.rglob("*.json")):
        for row in _rows(path).get("monster") or ():
            if "_copy" in row or "average" not in (row.get("hp") or {}):
                continue
            sections = ("trait", "action", "bonus", "reaction")
            held = [each for section in sections for each in row.get(section) or ()]
            entries = [
                (_untagged(each["name"]), _untagged(_flat(each["entries"]))) for each in held if each.get("name")
            ]
            ac = row["ac"][0] if row.get("ac") else None
            ways = row["speed"] if isinstance(row.get("speed"), dict) else {}
            feet = {way: far["number"] if isinstance(far, dict) else far for way, far in ways.items() if way in ("walk", "fly", "swim", "climb", "burrow")}  # fmt: skip
            saves = {
                id: int(bonus) for id, bonus in (row.get("save") or {}).items() if re.fullmatch(r"[+-]?\d+", str(bonus))
            }
            truth = Truth(
                row["name"], row["hp"]["average"], ac.get("ac") if isinstance(ac, dict) else ac,
                {way: far for way, far in feet.items() if type(far) is int}, {id: row[id] for id in FULL if type(row.get(id)) is int}, saves, _attacks_in(entries),
            )  # fmt: skip
            yield facts_of_prose(truth, entries)


def fight_club(folder: Path) -> Iterator[Facts]:
    from xml.etree.ElementTree import parse

    for path in sorted(folder.rglob("*.xml")):
        for row in parse(path).getroot().iter("monster"):
            entries, attacks = [], []
            for one in (each for tag in ("trait", "action", "reaction") for each in row.findall(tag)):
                name, text = (
                    one.findtext("name") or "",
                    re.sub(r"\s+", " ", " ".join(each.text or "" for each in one.findall("text"))),
                )
                entries.append((name.replace("(Bonus Action)", "").strip(), text))
                roll = ([*(one.findtext("attack") or "").split("|"), "", ""])[1:3]
                if re.fullmatch(r"[+-]?\d+", roll[0]) and "DC " not in text.split(" attack")[0]:
                    dice = (roll[1].replace(" ", ""),) if re.fullmatch(r"\d+d\d+([+-]\d+)?", roll[1]) else ()
                    attacks.append(Attack(name, int(roll[0]), dice))
            hp, ac = (re.match(r"\d+", row.findtext(tag) or "") for tag in ("hp", "ac"))
            saves = {id: int(bonus) for id, bonus in re.findall(r"(str|dex|con|int|wis|cha)\w* ([+-]\d+)", (row.findtext("save") or "").lower())}  # fmt: skip
            scores = {id: int(row.findtext(id) or 10) for id in FULL}
            truth = Truth((row.findtext("name") or "").strip(), int(hp[0]) if hp else None, int(ac[0]) if ac else None, _speeds_in(row.findtext("speed") or ""), scores, saves, tuple(attacks))  # fmt: skip
            yield facts_of_prose(truth, entries)


_UNROLLED: Final = (
    (r"`?dice: ?1?d20 ?[+-]\d+`? \(([+-]\d+)( to hit)?\)", r"\1\2"),
    (r"`?dice: ?1?d20[^`(]*text\(([+-]\d+)\)`?", r"\1"),
    (r"`?dice: ?[^`(]*text\((\d+)\)`? \(`?([^`)]*)`?\)", r"\1 (\2)"),
    (r"`?dice: ?[^`(|]*(?:\|\w+)*`? \(`?([^`)]*)`?\)", r"1 (\1)"),
    (r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}", ""),
)


def _unrolled(text: str) -> str:
    """Return a text of a note without the marks of rolls and emphasis."""
    for mark, shown in _UNROLLED:
        text = re.sub(mark, shown, text)
    return text


def vault(folder: Path) -> Iterator[Facts]:
    import yaml

    for path in sorted(folder.rglob("*.md")):
        for block in re.findall(r"^```+ *statblock\n(.*?)^```", path.read_text(), re.DOTALL | re.MULTILINE):
            plain_block = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", re.sub(r"!!dev[\w.]+", "", block))
            row = {key.lower().replace("_", ""): value for key, value in yaml.safe_load(plain_block).items()}
            if "stats" not in row or not isinstance(row.get("hp"), int):
                continue
            held = [
                each
                for key in ("traits", "actions", "reactions")
                for each in row.get(key) or ()
                if isinstance(each, dict)
            ]
            entries = [(str(each.get("name")), _unrolled(str(each.get("desc") or ""))) for each in held]
            ac = re.match(r"\d+", str(row.get("ac")))
            saves = {str(key)[:3].lower(): int(value) for each in row.get("saves") or () for key, value in each.items()}
            truth = Truth(str(row["name"]), row["hp"], int(ac[0]) if ac else None, _speeds_in(str(row.get("speed"))), dict(zip(FULL, row["stats"], strict=False)), saves, _attacks_in(entries))  # fmt: skip
            yield facts_of_prose(truth, entries)


def pf2e_tools(folder: Path) -> Iterator[Facts]:
    for path in sorted(folder.rglob("*.json")):
        for row in _rows(path).get("creature") or ():
            body = {**row, **(row.get("defenses") or {})}
            if "_copy" in row or not body.get("hp"):
                continue
            core = {"hp": body["hp"][0]["hp"] if isinstance(body["hp"], list) else body["hp"], "ac": body["ac"]["std"]}
            core |= {
                f"saves.{SAVES[key]}": held["std"]
                for key, held in body["savingThrows"].items()
                if key in SAVES and isinstance(held, dict)
            }
            core |= {f"abilities.{id}": value for id, value in row["abilityMods"].items()}
            core |= {
                f"speeds.{way}": feet
                for way, feet in (row.get("speed") or {}).items()
                if way in ("walk", "fly", "swim", "climb", "burrow") and type(feet) is int
            }
            strikes, asked, names = [], [], []
            for one in row.get("attacks") or ():
                traits = [
                    re.sub(r"\{@trait ([^|}]*)[^}]*\}", r"\1", str(each)).replace("<", "").replace(">", "").lower()
                    for each in one.get("traits") or ()
                ]
                near = next((int(found[1]) for each in traits if (found := re.match(r"reach (\d+)", each))), None)
                far = next(
                    (
                        found[1]
                        for each in traits
                        if (found := re.match(r"(?:range|range increment|thrown) (\d+)", each))
                    ),
                    None,
                )
                melee = one.get("range", "Melee").lower() == "melee"
                dice = tuple(
                    each.replace(" ", "")
                    for each in re.findall(r"\{@(?:damage|dice) ([^|{}]*\d)\}", one.get("damage", ""))
                )
                strikes.append(
                    Strike(
                        one["name"], one.get("attack"), (near if near is not None else 5) if melee else None, far, dice
                    )
                )
                names.append(one["name"])
            places = row.get("abilities") or {}
            for one in (
                each
                for place in ("top", "mid", "bot")
                for each in (places.get(place) or () if isinstance(places, dict) else ())
            ):
                text = _untagged(_flat(one.get("entries") or []))
                names.append(one["name"])
                save = re.search(r"DC (\d+) (?:basic )?(Fortitude|Reflex|Will)\b", text)
                if save and len(re.findall(r"DC \d+", text)) == 1:
                    asked.append((one["name"], SAVES[re.sub("itude|lex", "", save[2].lower())], int(save[1])))
            yield Facts(row["name"], core, tuple(strikes), tuple(asked), features=tuple(names))


FORMATS: Final[Mapping[str, Callable[[Path], Iterator[Facts]]]] = {
    "open5e/v1-wotc-srd": open5e_v1, "open5e/v1-menagerie": open5e_v1, "open5e/v2-a5e-mm": open5e_v2,
    "open5e/v2-srd-2014": open5e_v2, "open5e/v2-srd-2024": open5e_v2,
    "5e-bits/2014": _json_entries("5e-bits/2014", "5e-SRD-Monsters.json", ("special_abilities", "actions", "reactions"), "name", "desc"),
    "improved-initiative": _json_entries("improved-initiative", "ogl_creatures.json", ("Traits", "Actions", "Reactions"), "Name", "Content"),
    "fantasy-statblocks": _json_entries("fantasy-statblocks", "srd-bestiary.json5", ("traits", "actions", "reactions"), "name", "desc"),
    "kobold-plus-fight-club": _bare("kobold-plus-fight-club"), "foundry-a5e": _bare("foundry-a5e"),
    "foundry-dnd5e/2014": foundry_dnd5e, "foundry-dnd5e/2024": foundry_dnd5e,
    "foundry-pf2e-2021": foundry_pf2e, "foundry-pf2e-newest": foundry_pf2e, "pf2-sqlite-yaml": _bare("pf2-sqlite-yaml"),
    "pf2e-obsidian-notes": obsidian_pf2e,
    "pf2e-tools": pf2e_tools, "5etools": five_e_tools, "fight-club": fight_club, "vault": vault,
}  # fmt: skip


class Tally:
    """The counts of one format by column, and what differs in silence."""

    def __init__(self) -> None:
        self.creatures = 0
        self.right: dict[str, int] = defaultdict(int)
        self.told: dict[str, int] = defaultdict(int)
        self.silent: dict[str, list[str]] = defaultdict(list)

    def count(self, column: str) -> int:
        return self.right[column] + self.told[column] + len(self.silent[column])

    def add(self, column: str, what: str, *, right: bool, told: bool) -> None:
        if right:
            self.right[column] += 1
        elif told:
            self.told[column] += 1
        else:
            self.silent[column].append(what)


def compared(folder: Path, facts: Iterable[Facts]) -> Tally:
    """Return the tally of one folder of files."""
    ours: dict[str, list[ImportedRecord]] = defaultdict(list)
    for _, each in read_paths([folder]):
        if isinstance(each, ImportedRecord) and isinstance(each.record, Creature):
            ours[" ".join(each.name.split())].append(each)
    tally = Tally()
    for one in facts:
        same = ours[" ".join(one.name.split())]
        if not same:
            tally.add("features", f"{one.name} is not there", right=False, told=False)
            continue
        tallies = [_of(one, each) for each in same]  # twins of a name are told apart by their figures
        _join(tally, min(tallies, key=lambda each: sum(len(names) for names in each.silent.values())))
    return tally


def _join(tally: Tally, other: Tally) -> None:
    tally.creatures += 1
    for column in COLUMNS:
        tally.right[column] += other.right[column]
        tally.told[column] += other.told[column]
        tally.silent[column] += other.silent[column]


def _of(facts: Facts, found: ImportedRecord) -> Tally:
    creature, tally = found.record, Tally()
    assert isinstance(creature, Creature)
    said = [f"{one.field} {one.text} {one.why}".lower() for one in found.reports]
    head = {"hp": creature.hp, "ac": creature.ac}
    for part in ("speeds", "abilities", "saves", "skills"):
        head |= {f"{part}.{key}": value for key, value in getattr(creature, part)}
    for key, value in facts.core.items():
        got = head.get(key)
        if key.startswith("saves.") and got is None:
            got = (dict(creature.abilities).get(key[6:], 10) - 10) // 2
        what = f"{facts.name} {key} {value}, ours {got}"
        words = key.partition(".")[0].removesuffix("s")
        tally.add("core", what, right=got == value, told=any(words in one for one in said))
    named: dict[str, list[Feature]] = defaultdict(list)
    named[plain("Breath Weapons")] = [each for each in creature.features if "Breath" in each.name]
    for each in creature.features:
        named[plain(each.name)].append(each)

    def told(name: str, *words: str) -> bool:
        return any(plain(name) in plain(one) and any(word in one for word in words) for one in said)

    taken: dict[str, int] = defaultdict(int)
    for strike in facts.strikes:
        held = [each for each in named[plain(strike.name)] if each.attack is not None]
        one = min(held, key=lambda each: _distance(each, strike), default=None)
        taken[plain(strike.name)] += 1
        label = f"{facts.name}: {strike.name}"
        if strike.bonus is not None:
            tally.add("to hit", f"{label} {strike.bonus:+d}, ours {one and one.attack}", right=one is not None and one.attack == strike.bonus, told=told(strike.name, "attack", "hit"))  # fmt: skip
        if strike.reach is not None:
            tally.add("reach", f"{label} reach {strike.reach}, ours {one and one.reach}", right=one is not None and one.reach == strike.reach, told=told(strike.name, "reach"))  # fmt: skip
        if strike.range is not None:
            far = one is not None and one.range.partition("/")[0] == strike.range.partition("/")[0]
            tally.add("reach", f"{label} range {strike.range}, ours {one and one.range}", right=far, told=told(strike.name, "range"))  # fmt: skip
        kept = (
            " ".join((one.damage, one.save_damage, one.ongoing, *(o.damage for o in one.other_damage))) if one else ""
        )
        for dice, label in zip_longest(strike.dice, strike.labels, fillvalue=""):
            of_label = (f"{each.damage} {each.rules}" for each in named.get(plain(label), ()))
            there = re.search(rf"(?<!\d){re.escape(dice)}(?!\d)", " ".join((kept, *of_label))) is not None
            tally.add("damage", f"{label} {dice}, ours {kept}", right=there, told=told(strike.name, "damage", dice))
    for name, ability, dc in facts.asked:
        right = any((each.save, each.dc) == (ability, dc) for each in named[plain(name)])
        right |= any(each.leaves is not None and each.leaves.save == ability for each in named[plain(name)])
        later = told(name, "applies later")  # and so no figure of the action
        later |= any(
            "save" in each.read and not each.save for each in named[plain(name)]
        )  # a trait has it as another's
        tally.add(
            "save DC", f"{facts.name}: {name} {ability} {dc}", right=right or later, told=told(name, "save", "dc")
        )
    for name, limit in facts.limits:
        right = any(limit in (f"recharge {each.recharge}", f"uses {each.uses}") for each in named[plain(name)])
        tally.add("limits", f"{facts.name}: {name} {limit}", right=right, told=told(name, "recharge", "uses"))
    for name, count in facts.multiattacks:
        right = any(each.attacks == count for each in named[plain(name)])
        tally.add("multiattack", f"{facts.name}: {name} {count}", right=right, told=told(name, "multiattack"))
    texts = " ".join(each.text for each in creature.features).lower()
    for name in facts.features:
        there = plain(name) in named or name.lower() in texts  # a sentence that the file took for a feature
        tally.add("features", f"{facts.name}: {name}", right=there, told=told(name, ""))
    for each in creature.features:
        tally.add(
            "text",
            f"{facts.name}: {each.name}: {each.text[:200]!r}",
            right=not _LOST.search(each.text),
            told=told(each.name, "text"),
        )
    return tally


def _distance(each: Feature, strike: Strike) -> tuple[bool, bool, bool, int]:
    """Return how far a feature is from an attack of the same name: bonus, range, reach, dice."""
    missing = sum(dice not in f"{each.damage} {each.ongoing} {each.save_damage}" for dice in strike.dice)
    return (
        each.attack != strike.bonus,
        bool(each.range) != (strike.range is not None),
        each.reach != (strike.reach or each.reach),
        missing,
    )


def table(tallies: Mapping[str, Tally]) -> str:
    """Return the table: right of all, with those that are told (t) and those that are silent (S)."""
    lines = [f"| format | creatures | {' | '.join(COLUMNS)} |", "|" + "---|" * (len(COLUMNS) + 2)]
    for name, tally in tallies.items():
        cells = []
        for column in COLUMNS:
            told, silent = tally.told[column], len(tally.silent[column])
            marks = "".join((f" ({told} t)" if told else "", f" **{silent} S**" if silent else ""))
            cells.append(f"{tally.right[column]}/{tally.count(column)}{marks}" if tally.count(column) else "-")
        lines.append(f"| {name} | {tally.creatures} | {' | '.join(cells)} |")
    return "\n".join(lines)


def tallies_in(folder: Path, only: Iterable[str] = ()) -> dict[str, Tally]:
    """Return the tally of each format that a folder holds."""
    chosen = list(only) or list(FORMATS)
    return {name: compared(folder / name, FORMATS[name](folder / name)) for name in chosen if (folder / name).is_dir()}


def write_files(folder: Path) -> None:
    """Write files of our own for the programs whose creatures we may not ship."""
    for name, write in WRITERS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        write(folder / name)


if __name__ == "__main__":
    chosen = [word for word in sys.argv[1:] if word != "--written"]
    if "--written" in sys.argv:
        write_files(Path(chosen[0]))
    results = tallies_in(Path(chosen[0]), chosen[1:])
    print(table(results))
    for name, tally in results.items():
        for column in COLUMNS:
            for what in tally.silent[column]:
                print(f"S {name} {column}: {what}")
