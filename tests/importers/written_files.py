"""Files of programs whose creatures we may not ship: the shapes are those of public examples, the creatures our own.

Each writer puts three dozen creatures into a folder. Names, numbers and the spellings of the format change from one to
the next, so that every spelling meets several numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

HEADS: Final = ("Ash", "Bog", "Dusk", "Fen", "Gale", "Rime")
TAILS: Final = ("Crawler", "Herald", "Mauler", "Piper", "Stalker", "Warden")
NAMES: Final = tuple(f"{head} {tail}" for head in HEADS for tail in TAILS)
ABILITIES: Final = ("str", "dex", "con", "int", "wis", "cha")
TYPES: Final = ("acid", "cold", "fire", "piercing", "slashing", "thunder")
COUNTS: Final = ("two", "three", "four")


class Numbers:
    """The numbers of the creature at a place in the list."""

    def __init__(self, at: int) -> None:
        self.at, self.name = at, NAMES[at]
        self.hp, self.ac = 20 + 7 * at, 11 + at % 9
        self.walk, self.fly = 20 + 5 * (at % 5), 30 + 10 * (at % 4)
        self.scores = [8 + (at * 3 + 2 * n) % 13 for n in range(6)]
        self.bonus, self.dice, self.add = 3 + at % 9, f"{1 + at % 4}d{(4, 6, 8, 10)[at % 4]}", 1 + at % 6
        self.reach, self.range = (5, 10, 15)[at % 3], (20, 30, 80)[at % 3]
        self.type, self.dc, self.count = TYPES[at % 6], 11 + at % 8, 2 + at % 3
        self.save = ABILITIES[at % 3]

    @property
    def dealt(self) -> str:
        count, _, faces = self.dice.partition("d")
        return f"{int(count) * (int(faces) + 1) // 2 + self.add} ({self.dice} + {self.add})"

    def actions(self) -> list[tuple[str, str]]:
        """Return the names and texts of actions in the words of a book, in one of several spellings."""
        long, hit = self.range * 3, f"Hit: {self.dealt} {self.type} damage."
        whole = {"str": "Strength", "dex": "Dexterity", "con": "Constitution"}[self.save]
        count, others = COUNTS[self.count - 2], self.count - 1
        many = (
            f"The creature makes {count} attacks with its hook.",
            f"The creature makes {count} melee attacks, using Hook.",
            f"It makes {count} attacks: one with its hook and {('one', 'two', 'three')[others - 1]} with its sling.",
            f"{self.name} makes {count} attacks; {('one', 'two', 'three')[others - 1]} with its hook and one with its sling.",
            f"The creature makes {count} attacks using Hook, Sling, or both.",
            f"It makes {count} melee attacks with its hook and uses Gust.",
        )[self.at % 6]
        feet = (" ft.", " ft", "", " feet")[self.at % 4]
        return [
            ("Multiattack", many),
            ("Hook", f"Melee Weapon Attack: +{self.bonus} to hit, reach {self.reach}{feet}, one target. {hit}"),
            ("Sling", f"Ranged Weapon Attack: +{self.bonus} to hit, range {self.range}/{long}{feet}, one target. {hit}"),
            ("Gust (Recharge 5-6)", f"Each creature in a 20-foot cone must make a DC {self.dc} {whole} saving throw, taking {self.dealt} {self.type} damage on a failed save."),
        ]  # fmt: skip


def pf2e_tools(folder: Path) -> None:
    def creature(n: Numbers) -> dict[str, Any]:
        angle = n.at % 3 != 2  # newer files write numbers in angle brackets
        feet = (lambda far: f"<{far} feet>") if angle else (lambda far: f"{far} feet")
        tag = ("damage", "dice")[n.at % 2]
        dealt = f"{{@{tag} {n.dice}+{n.add}}}" if n.at % 4 == 3 else f"{{@{tag} {n.dice}+{n.add}}} {n.type}"
        far = (f"range increment {feet(n.range)}", f"thrown {feet(n.range)}", f"range {feet(n.range)}")[n.at % 3]
        save = {"str": "Fortitude", "dex": "Reflex", "con": "Fortitude"}[n.save]
        return {
            "name": n.name, "source": "Own", "page": n.at, "level": n.at % 12, "traits": ["uncommon", "medium", "beast"],
            "perception": {"std": n.bonus + 2}, "skills": {"stealth": {"std": n.bonus + 3}},
            "abilityMods": dict(zip(ABILITIES, [(score - 10) // 2 for score in n.scores], strict=True)),
            "speed": {"walk": n.walk, "fly": n.fly},
            "attacks": [
                {"range": "Melee", "name": "hook", "attack": n.bonus, "traits": ["agile", f"reach {feet(n.reach)}"], "damage": dealt, "types": [n.type]},
                {"range": "Ranged", "name": "sling", "attack": n.bonus + 1, "traits": [far, f"deadly {'<d8>' if angle else 'd8'}"], "damage": dealt, "types": [n.type]},
            ],
            "abilities": {"bot": [{"name": "Gust", "activity": {"number": 2, "unit": "action"}, "traits": ["air"], "entries": [f"It blows in a 30-foot cone that deals {{@damage {n.dice}}} {n.type} damage (DC {n.dc} basic {save} save)."]}]},
            "defenses": {"ac": {"std": n.ac}, "savingThrows": {key: {"std": n.bonus + at} for at, key in enumerate(("fort", "ref", "will"))}, "hp": [{"hp": n.hp}]},
        }  # fmt: skip

    (folder / "own.json").write_text(json.dumps({"creature": [creature(Numbers(at)) for at in range(len(NAMES))]}))


def five_e_tools(folder: Path) -> None:
    def tagged(name: str, text: str, at: int) -> dict[str, Any]:
        head = {"Melee Weapon Attack:": "mw", "Ranged Weapon Attack:": "rw"}
        for words, code in head.items():
            text = text.replace(words, "" if at % 6 == 5 else f"{{@atk {code}}}").strip()
        text = text.replace("Hit: ", "{@h}").replace("+", "+ ").replace("+  ", "+ ")
        number = text.partition("+ ")[2].partition(" ")[0]
        return {"name": name.replace("(Recharge 5-6)", "{@recharge 5}"), "entries": [text.replace(f"+ {number} to hit", f"{{@hit {number}}} to hit")]}  # fmt: skip

    def monster(n: Numbers) -> dict[str, Any]:
        attack = [{"name": "Attack", "entries": ["It makes one attack."]}] if n.at % 2 else []
        return {
            "name": n.name, "source": "Own", "size": ["M"], "type": "beast", "alignment": ["U"], "ac": [n.ac],
            "hp": {"average": n.hp, "formula": f"{n.hp // 5}d8"}, "speed": {"walk": n.walk, "fly": {"number": n.fly, "condition": "(hover)"}},
            **dict(zip(ABILITIES, n.scores, strict=True)), "save": {n.save: f"+{n.bonus}"}, "passive": 12, "cr": str(1 + n.at % 9),
            "action": [tagged(name, text, n.at) for name, text in n.actions()], "legendary": attack,
        }  # fmt: skip

    (folder / "own.json").write_text(json.dumps({"monster": [monster(Numbers(at)) for at in range(len(NAMES))]}))


def fight_club(folder: Path) -> None:
    def monster(n: Numbers) -> str:
        rows = []
        for name, text in n.actions():
            odd = text.replace("to hit", "to ht").replace("Weapon Attack:", "Wpn. Atk.") if n.at % 5 == 4 else text
            dealt = f"<attack>{name}|{n.bonus}|{n.dice}+{n.add}</attack>" if "to hit" in text else ""
            rows.append(f"<action><name>{name}</name><text>{odd.replace(': +', ': ++') if n.at % 3 == 1 else odd}</text>{dealt}</action>")  # fmt: skip
        scores = "".join(f"<{id}>{score}</{id}>" for id, score in zip(ABILITIES, n.scores, strict=True))
        save = f"<save>{n.save.title()} +{n.bonus}</save>"
        return f"<monster><name>{n.name}</name><size>M</size><type>beast</type><ac>{n.ac} (natural armor)</ac><hp>{n.hp} ({n.hp // 5}d8)</hp><speed>{n.walk} ft., fly {n.fly} ft.</speed>{scores}{save}<passive>12</passive><cr>{1 + n.at % 9}</cr>{''.join(rows)}</monster>"

    monsters = "\n".join(monster(Numbers(at)) for at in range(len(NAMES)))
    (folder / "own.xml").write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n<compendium version="5">{monsters}</compendium>')  # fmt: skip


def vault(folder: Path) -> None:
    for at in range(len(NAMES)):
        n = Numbers(at)
        rolled = (
            "dice: d20{0} ({0} to hit), ",
            "dice: d20{0} ({0}) to hit, ",
            "`dice:1d20{0}|noform|noparens|text({0})` to hit, ",
        )[at % 3]
        dealt = (
            "dice: {0}|avg ({0}) ",
            "dice:{0}|text({1}) ({0}) ",
            "`dice:{0}|noform|noparens|avg|text({1})` (`{0}`) ",
        )[at % 3]
        average, _, dice = n.dealt.partition(" ")
        dice = dice.strip("()")
        written = [(name, text) for name, text in n.actions()]
        if at % 2:  # as a converter of 5etools writes them
            written = [
                (
                    name,
                    text.replace(f"+{n.bonus} to hit, ", rolled.format(f"+{n.bonus}")).replace(
                        f"{n.dealt} ", dealt.format(dice, average)
                    ),
                )
                for name, text in written
            ]
        actions = "\n".join(f'  - name: {name}\n    desc: "{text}"' for name, text in written)
        saves = f"  - {n.save}: {n.bonus}" if at % 2 else f"  - {n.save.title()}: +{n.bonus}"
        immune = ("poison; charmed, prone", '"[[Poison]]; [[Charmed]], [[Prone]]"')[at % 2]
        text = f"# {n.name}\n\n```statblock\nlayout: Basic 5e Layout\nname: {n.name}\nsize: Medium\ntype: beast\nac: {n.ac}\nhp: {n.hp}\nspeed: {n.walk} ft., fly {n.fly} ft.\nstats: {n.scores}\nsaves:\n{saves}\ndamage_immunities: {immune}\ncr: {1 + at % 9}\nactions:\n{actions}\n```\n"
        (folder / f"{n.name}.md").write_text(text)


WRITERS: Final[Mapping[str, Callable[[Path], None]]] = {
    "pf2e-tools": pf2e_tools, "5etools": five_e_tools, "fight-club": fight_club, "vault": vault,
}  # fmt: skip
