"""A stat block as plain data for a template: every line in order, with its subject and its text in paragraphs.

Rolls are buttons in the window but plain text on paper. A line's `about` names the creature's field or feature
(`feature:axe`), so a template can place it where its game does. A line has plain `text`, and `runs`: the same
paragraphs split into pieces, each with its style (bold, italic or none).

The effects of a condition are phrases short enough for a page: `Disadvantage: attacks, checks`. Facts that have no
phrase aren't guessed. A rule that depends on one is printed as applying sometimes, or is left to the condition's own
text if it has one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature, RosterEntry
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.state import Encounter
from turnwright.handouts.environment_data import joined_sentences, one_line, paragraphs
from turnwright.handouts.page_input import PageInput, Picture
from turnwright.handouts.spell_texts import COMPONENTS, EDITION, SpellTexts
from turnwright.rules.parts.actions.spell_features import caster_of, spells_of
from turnwright.rules.parts.attacks.attack_rolls import attack_roll
from turnwright.rules.parts.attacks.attack_targeting import is_attack, is_spell
from turnwright.rules.parts.stat_block import features, prose
from turnwright.rules.parts.stat_block.sections import RARITIES, stat_sections
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.dying import Condition
from turnwright.rules.system_data.statements import parse_statement
from turnwright.rules.word_keys import signed_text, system_words

MOST_BOXES: Final = 8


def with_portraits(
    rows: Iterable[dict[str, Any]], records: Iterable[RosterEntry | Creature], source: PageInput
) -> tuple[list[dict[str, Any]], tuple[Picture, ...]]:
    """Return each record's row with the name of its portrait (empty if none is printed), and the distinct images."""
    faces = [source.printable_portrait(record) for record in records]
    named = [row | {"portrait": face.name if face else ""} for row, face in zip(rows, faces, strict=True)]
    return named, tuple({face.name: face for face in faces if face is not None}.values())


def stat_block_data(creature: Creature, source: PageInput, *, brief: bool = False) -> dict[str, Any]:
    """Convert a creature's stat block to data. `brief`: attacks are written without the words that all have, and texts are short."""
    catalogue = source.rules.data
    owned = _with_parts(creature.features)
    if brief:
        usual = 0 if sum(len(each.text) for each in owned) > LONG else LONG // 8
        owned = tuple(_shorter(each, prose.StatBlockNames(catalogue, source.text), usual) for each in owned)
    creature = msgspec.structs.replace(creature, features=owned)
    if not source.options.lore:
        notes = fighting_text(creature.notes) if creature.notes.partition("\n")[0].isupper() else creature.notes
        creature = msgspec.structs.replace(creature, description=fighting_text(creature.description), notes=notes)
    shown = creature if brief else _with_spells(creature, source)
    sections = stat_sections(shown, catalogue, source.text, brief=brief)
    by_id, spells = {f"feature:{feature.id}": feature for feature in shown.features}, SpellTexts(source)

    def told(line: prose.Paragraph) -> dict[str, Any]:
        feature = by_id.get(line.about)
        return _line(line) if feature is None else _feature_line(line, creature, feature, source, spells)

    named = {about for about, each in by_id.items() if not brief and _is_named(creature, each)}
    whole = (("", sections.further), *sections.features)
    cast = [told(line) for _, lines in whole for line in lines if line.about in named]
    (_, further), *rest = ((head, [line for line in lines if line.about not in named]) for head, lines in whole)
    groups = [(head, str(by_id[lines[0].about].cost), [*map(told, lines)]) for head, lines in rest if lines]
    if cast:
        groups.append(
            (source.text("handout.stat-blocks.spells"), "spell", _without_ranks(cast, sections.style, source))
        )
    return {
        "id": creature.id,
        "name": one_line(sections.name),
        "kind": one_line(sections.kind),
        "rating": one_line(sections.rating),
        "traits": [{"name": one_line(trait), "rare": trait in RARITIES} for trait in sections.traits],
        "vital": [*map(told, sections.vital)],
        "abilities": [
            {"name": cell.name, "score": cell.score, "modifier": cell.modifier.text}
            for cell in (sections.abilities if creature.abilities else ())  # paper only has numbers of the record
        ],
        "further": [*map(told, further)],
        "features": [{"heading": one_line(head), "cost": cost, "lines": lines} for head, cost, lines in groups],
        "legendary": creature.legendary,
        "tactics": {"heading": source.text("ui.stat.tactics"), "text": paragraphs(sections.tactics)},
        "pools": point_pools(creature, catalogue),
        "notes": [line for line in paragraphs(sections.notes) if _adds(sections.tactics, line)],
    }


_HEADING: Final = re.compile(r"^([A-Z][^.:!?\n]{2,60})$", re.MULTILINE)
SHORT: Final = 200  # characters of a description that is printed whole
IN_FIGHTS: Final = ("combat", "lair", "tactics", "variant")  # words in the headings of parts about the fight


def fighting_text(description: str) -> str:
    """Return the parts of a description whose headings are about the fight. A short description is kept whole."""
    _, *parts = _HEADING.split(description)
    pairs = zip(map(str.strip, parts[::2]), map(str.strip, parts[1::2]), strict=True)
    told = (f"{head.capitalize()}. {text}" for head, text in pairs if any(word in head.lower() for word in IN_FIGHTS))
    return description if len(description) <= SHORT else "\n".join(told)


def _line(line: prose.Paragraph) -> dict[str, Any]:
    text = "".join(piece.text for piece in line.runs)
    return {
        "about": line.about,
        "lead": EDITION.sub("", one_line(line.lead)),
        "text": paragraphs(text),
        "runs": [runs for runs in _paragraphs_in_runs(line) if runs],
        "joined": line.joined,
    }


def _paragraphs_in_runs(line: prose.Paragraph) -> list[list[dict[str, str]]]:
    """Return the paragraphs of a line, split into runs of the same style."""
    result: list[list[dict[str, str]]] = [[]]
    for piece in line.runs:
        for number, text in enumerate(piece.text.split("\n")):
            if number:
                result.append([])
            content = one_line(f"|{text}|")[1:-1]  # keeps leading and trailing spaces
            if content and result[-1] and result[-1][-1]["style"] == piece.style:
                result[-1][-1]["text"] += content
            elif content:
                result[-1].append({"text": content, "style": piece.style})
    return result


def point_pools(creature: Creature, catalogue: SystemData) -> list[dict[str, Any]]:
    """Return a creature's point pools with their names and maximums."""
    own, pools = dict(creature.pools), catalogue.presentation.pools
    amounts = ((each, own.get(each.id, each.amount)) for each in catalogue.resources if each.id in pools)
    return [{"id": resource.id, "name": resource.name, "most": most} for resource, most in amounts if most > 0]


_RANK: Final = re.compile(r"^\w+ \d+, ")


def _is_named(creature: Creature, feature: Feature) -> bool:
    """Whether a feature is a spell in one of a creature's lists."""
    return feature.cost != "trait" and any(features.lists_spell(one, feature) for one in creature.features)


def _without_ranks(cast: Sequence[dict[str, Any]], style: str, source: PageInput) -> list[dict[str, Any]]:
    """Return the lines of spells by level, or by falling rank, one for those that only differ in rank."""
    once: dict[tuple[str, str], dict[str, Any]] = {}
    for line in sorted(cast, key=lambda line: (line["level"] or 0) * (-1 if style == "traits" else 1)):
        cost = "" if style == "traits" or line["cost"] == "action" else source.text(f"ui.feature.cost-{line['cost']}")
        limits = ", ".join(filter(None, (cost.lower(), line["limits"])))
        once.setdefault((line["name"], _RANK.sub("", " ".join(line["text"]))), line | {"limits": limits})
    return [*once.values()]


def _with_spells(creature: Creature, source: PageInput) -> Creature:
    """Return a creature with a feature for each spell in its lists that changes anything in a fight."""
    spells = SpellTexts(source)
    named = filter(spells.is_for_fights, spells_of(source.rules, creature))
    own = (each for each in creature.features if spells.is_for_fights(each) or not features.is_in_list(creature, each))
    told = features.without_copies({each.id: each for each in (*own, *named)}.values())
    # A list hides the spells that it casts.
    return msgspec.structs.replace(creature, features=tuple(msgspec.structs.replace(each, does=()) for each in told))


def _feature_line(
    line: prose.Paragraph, creature: Creature, feature: Feature, source: PageInput, spells: SpellTexts
) -> dict[str, Any]:
    """Return the line of a feature, and its parts that a template may format separately, such as its cost and limits.

    The rule system's text of a spell follows its attack, or replaces its own text.
    """
    told, key = spells.in_line(creature, feature), "text-phrases" if is_spell(feature) else "feature-phrases"
    own = line.runs if feature.attack is not None or not told else ()
    repeated = re.compile(rf"^{re.escape(feature.name)} (?=\()", re.IGNORECASE)
    runs = [msgspec.structs.replace(run, text=repeated.sub("", spells.phrased(run.text, key))) for run in own]
    text = "".join(run.text for run in runs)
    if own and told and spells.degree.search(text):
        runs, text, told = [], "", joined_sentences(*spells.by_degree((text, told)))
    bare, space = text.rstrip(), " " * text.endswith(" ")
    whole = joined_sentences(bare, told) if told or "\n" not in text else bare  # lines of a list have no stop
    line = msgspec.structs.replace(line, runs=(*runs, prose.TextRun(whole.removeprefix(bare).removeprefix(space))))
    names = prose.StatBlockNames(source.rules.data, source.text)
    words = names.data.presentation.price(feature.cost, feature.price)
    uses = 0 if feature.per in ("turn", "round") else min(feature.uses, MOST_BOXES)
    return _line(line) | {
        "attack": _is_for_attacking(feature),
        "name": EDITION.sub("", one_line(feature.name)),
        "level": feature.level,
        "cost": feature.cost,
        "price": feature.price if len(words) > 1 and words[0].isalnum() else 0,
        "cost_words": words,
        "limits": features.limits_after_price(creature, feature, names),
        "boxes": 0 if feature.shares else uses or int(bool(feature.recharge)),
    }


def _is_for_attacking(feature: Feature) -> bool:
    """Return whether a feature takes an action and is an attack, a multiattack, or deals damage on a save."""
    more = feature.attacks or feature.multiattack or feature.damage or feature.save
    return feature.cost == "action" and (is_attack(feature) or bool(more))


LONG: Final = 1000  # characters of all texts on a card of which short ones replace each
# Rules with a number or a roll.
_CHANGES: Final = ("modifier", "advantage", "disadvantage", "expertise", "damage", "resource")
_UNENDED: Final = re.compile(r"([^.:;,!?\s])\s*\n(?!\s*[a-z])\s*")
# Words in sentences of a multiattack that say more than the number of attacks.
_COMPLICATES: Final = ("if", "when", "while", "each", "different", "but", "can't", "penalty", "commands", "drops")
_FAR: Final = 5000
_BARE_DISTANCE: Final = re.compile(r"\d+(/\d+)?")
_DIE: Final = re.compile(r"-\d*d?\d+$")  # at the end of a trait with a die or a distance
# A line of a list of spells: `1st level (4 slots): light`.
_LIST_RANK: Final = re.compile(r"^[•*–\- ]*(?!DC )([^:.\n]{2,40}):\W* ([^:\n]+)$", re.MULTILINE)
_SLOTS: Final = re.compile(r" *\(\d+ slots?\)$")
_ON_LISTS: Final = re.compile(r"\b(?:following|prepared|spellcasting ability|known)\b|^DC \d+$")
_MARKED: Final = re.compile(r"\bthese spells on\b")  # a remark on the spells with an asterisk
_LIST_NUMBERS: Final = re.compile(r"\bDC \d+|[+]\d+ to hit")


def _named(spell: Feature) -> re.Pattern[str]:
    """Return a pattern for a spell's name with its remark in a list of spells."""
    name = re.escape(spell.name.partition(" (")[0])
    return re.compile(rf"(?:^|(?<=, ))\W*{name}\W*(?: \(([^)]*)\))?(?:, |[.;\s]*$)", re.IGNORECASE)


class FeatureLines:
    """A creature's features as lines. `who` is its combatant in `encounter`, for which the rules compute bonuses."""

    def __init__(self, source: PageInput, encounter: Encounter, who: str, creature: Creature) -> None:
        self._source, self._encounter, self._who, self._creature = source, encounter, who, creature
        self._names = prose.StatBlockNames(source.rules.data, source.text)
        self._words, self._spells = ConditionText(source.rules, source.text), SpellTexts(source)

    def lines(self) -> list[dict[str, Any]]:
        """Return the lines: multiattacks, attacks, other actions, the remaining features by cost, then lists of spells."""
        own = _with_parts(self._creature.features)
        owned = {each.id: each for each in (*own, *spells_of(self._source.rules, self._creature))}.values()
        shown = sorted(features.without_copies(filter(self._has_line, owned)), key=self._rank)
        left = [*shown]
        lists = [pair for each in shown for pair in self._spell_list(each, left, owned)]
        listed = [feature for feature, _ in lists]
        others = [self._line(each) for each in shown if each not in listed]
        first, *further = [line for _, line in lists] or [{}]
        unranked = [line for line in others if first and line["part"] == "spells"]  # under the head of the first list
        return [*(line for line in others if line not in unranked), *filter(None, (first, *unranked, *further))]

    def _spell_list(
        self, casting: Feature, left: list[Feature], owned: Iterable[Feature]
    ) -> Iterator[tuple[Feature, dict[str, Any]]]:
        """Yield the lines of a list with its numbers, of each of its ranks with the names that have no line, and of its spells.

        The spells are removed from those that are left.
        """
        spells = [each for each in owned if features.lists_spell(casting, each)]
        every = _LIST_RANK.finditer(casting.text)
        ranks = [found for found in every if any(_named(each).search(found[2]) for each in spells)]
        if not ranks:
            return
        caster = caster_of(self._source.rules, self._creature)
        told_bonus = re.search(r"[+](\d+) to hit", casting.text)
        bonus = int(told_bonus[1]) if told_bonus else caster.attack
        dc, known = casting.dc or caster.dc, {"1", str(casting.dc), str(caster.dc), str(bonus)}
        named = [each.name.lower() for each in spells]
        named += [step.spell.replace("-", " ") for step in casting.does if step.spell]
        told = [
            part
            for part in _around_list(casting.text)
            if not (_ON_LISTS.search(part) and known.issuperset(_NUMBERS.findall(part)))
            or any(name in part.lower() for name in named)
        ]
        say = self._names.say
        numbers = [say("ui.stat.dc", dc=dc)] if dc else []
        numbers += [] if bonus is None else [say("ui.stat.to-hit", bonus=signed_text(bonus))]
        yield casting, self._line(casting) | {"part": "list", "limits": numbers, "text": joined_sentences(*told)}
        unprinted = dict(self._creature.slots)
        earlier: dict[tuple[str, str], str] = {}  # the rank of a spell with the same text
        of_head = re.compile(rf"(^|\. )DC {dc} (\w)")
        for found in ranks:
            names, rows = _SLOTS.sub("", found[2]), []
            lead = found[1].strip("* ") + found[2].removeprefix(names)
            level = (re.match(r"\d+(?=[a-z])", lead) or [""])[0]
            # First those with the DC of the list and the level of the rank.
            fitting = [(spell.dc not in (0, dc), not re.match(rf"\D*{level}\b", spell.text)) for spell in left]
            for _, spell in sorted(zip(fitting, left, strict=True), key=lambda pair: pair[0]):
                if features.lists_spell(casting, spell) and (note := _named(spell).search(names)):
                    bare = msgspec.structs.replace(spell, level=spell.level or 0) if level else spell
                    row = self._line(bare, is_ranked=bool(level) or spell.per == "day")
                    row["text"] = of_head.sub(lambda at: at[1] + at[2].upper(), row["text"], count=1)
                    remark = COMPONENTS.sub("", note[1] or "")  # without the number of uses
                    row["limits"] += [remark] if remark.lower() not in row["text"].lower() else []
                    row["name"] += "*" * (bool(_MARKED.search(casting.text)) and note[0].strip().find("*") > 0)
                    if (before := earlier.setdefault((row["name"].rstrip("*"), row["text"]), lead)) != lead:
                        row["text"] = self._source.text("handout.running-sheet.as-above", what=_SLOTS.sub("", before))
                    rows.append((spell, row | {"part": "spells"}))
                    names = _named(spell).sub("", names)
                    left.remove(spell)
            slots = unprinted.pop(level, 0)
            lead = _SLOTS.sub("", lead) if slots else lead
            text = ", ".join(dict.fromkeys(names.strip(" ,;.").split(", ")))
            rank = self._line(Feature("", lead, "free", uses=slots, text=text), is_ranked=True)
            yield casting, rank | {"part": "rank", "cost": "", "level": level if slots else "", "text": text}
            yield from rows

    def _has_line(self, feature: Feature) -> bool:
        """Return whether a feature has a line. A list names the spells that change nothing in a fight."""
        for_fights = self._spells.is_for_fights(feature)
        own = self._creature.features
        is_named = feature not in own or any(features.lists_spell(each, feature) for each in own)
        return for_fights if is_named and for_fights is not None else not features.is_in_list(self._creature, feature)

    def _rank(self, feature: Feature) -> tuple[int, int]:
        order = ("action", "trait", "bonus", "reaction", "free", "legendary", "lair")
        attack = 0 if feature.multiattack or feature.attacks else 1 if is_attack(feature) else 2
        return (order.index(feature.cost) if feature.cost in features.COSTS else len(order), attack)

    def _line(self, feature: Feature, *, is_ranked: bool = False) -> dict[str, Any]:
        """Return the line of a feature. `is_ranked`: a heading has the spell's level or uses."""
        bonus, further = self._bonuses(feature)
        calculated = features.calculated_bonus(self._names.data, self._creature, feature)
        damage = features.damage_with(feature.damage, 0 if calculated is None else calculated.damage_modifier)
        # Without a DC that has no save, and without the components of a spell.
        bare = msgspec.structs.replace(
            feature, text=COMPONENTS.sub("", feature.text), dc=feature.dc if feature.save else 0
        )
        own_text = features.prose_of(self._creature, bare, self._names)
        if feature.multiattack:  # its attacks are among the limits
            own_text = _telling(own_text, self._names, *_COMPLICATES)
        text = one_line(feature.short) or own_text
        if feature.cost != "trait" and not feature.trigger:  # otherwise, the sentence also says when its numbers apply
            text = prose.without_repeated_figures(bare, text, self._names)
        price, key = self._names.data.presentation.signs, "text-phrases" if is_spell(feature) else "feature-phrases"
        told = self._spells.in_line(self._creature, feature)
        is_whole = bool(told) and feature.attack is None
        text = told if is_whole else _listed(joined_sentences(text, told) if told else text)
        # Only attacks repeat the numbers of their sentences.
        own = "" if is_attack(feature) or feature.attack is not None else text
        figures = [] if is_whole else [*self._figures(feature, damage, text, own)]
        half = self._names.say("handout.running-sheet.half")
        if figures == [half]:  # the text has the save
            figures, text = [], joined_sentences(text, half.capitalize())
        where = [] if is_whole else [*self._where(feature, "" if figures else own)]
        limited = msgspec.structs.replace(feature, level=None, uses=0) if is_ranked else feature
        limits = [one_line(part) for part in features.limits_of(self._creature, limited, self._names)]
        if feature.short:
            text = _short_or_whole(text, own_text, (*where, *figures, *limits))
        degrees = [*filter(self._spells.degree.match, figures)]
        if degrees or (told and not is_whole):
            text = joined_sentences(*self._spells.by_degree((text, *degrees)))
        is_own = feature.attack is not None and feature.level is None and self._spells.is_for_fights(feature) is None
        is_rolled = bonus is not None or feature.save or (feature.cost != "trait" and (damage or feature.heals))
        return {
            "brief": {
                "where": ", ".join(self._where(feature, "")),
                "figures": [*self._figures(feature, damage, text, "")] if is_rolled else [],
            },
            "name": EDITION.sub("", one_line(feature.name)),
            "cost": feature.cost,
            "signed": bool(dict(price).get(feature.cost)),
            "price": feature.price,
            "spends": [f"{count} {dict(price).get(pool) or pool}" for pool, count in feature.spends],
            "limits": [EDITION.sub("", limit) for limit in limits],
            "boxes": 0 if feature.shares else feature.uses or int(bool(feature.recharge)),
            "to_hit": "" if bonus is None else signed_text(bonus),
            "further": [signed_text(later_bonus) for later_bonus in further],
            "where": ", ".join(where),
            "figures": [one_line(self._spells.phrased(part, key)) for part in figures if part not in degrees],
            "text": EDITION.sub("", self._spells.phrased(joined_sentences(text), key)),
            "spell": is_spell(feature),
            "part": "spells" if is_spell(feature) and feature.cost == "action" and not is_own else feature.cost,
        }

    def _bonuses(self, feature: Feature) -> tuple[int | None, list[int]]:
        """Return the bonus to hit (None if there is no attack roll), and the bonuses of later attacks in a turn."""
        rules = self._source.rules
        if feature.attack is None and features.calculated_bonus(rules.data, self._creature, feature) is None:
            return None, []
        roll = attack_roll(self._encounter, rules, AttackInProgress(self._who, feature))
        total = sum(part.value for part in roll.spec.modifiers)
        return total, [*features.later_bonuses(rules.data, feature, total)] if feature.cost == "action" else []

    def _where(self, feature: Feature, own_text: str) -> Iterator[str]:
        """Yield the reach, range and area of a feature, unless its prose has them."""
        say = self._names.say
        if feature.reach and (is_attack(feature) or feature.attack is not None):
            yield say("ui.stat.reach", n=feature.reach)
        is_far = feature.range.isdigit() and int(feature.range) > _FAR  # told in miles by the text
        is_told = prose.says_distance(own_text, feature.range) or bool(feature.area and feature.range in feature.area)
        if feature.range.strip("self") and not is_far and not is_told:
            bare = _BARE_DISTANCE.fullmatch(feature.range)
            yield say("handout.running-sheet.feet", n=feature.range) if bare else feature.range
        if feature.area and not prose.says_area(own_text, feature.area):
            yield feature.area
        targets = {each.removeprefix("against-") for each in feature.properties if feature.attack is not None}
        yield from (
            say("handout.running-sheet.against", save=text)
            for id, text in self._names.data.presentation.saves
            if id in targets
        )
        if self._names.style == "traits":
            data, attack = self._names.data, self._names.data.attack
            marks = {data.checks.spares_stronger, *data.damage_traits, *(tag for _, tag in attack.tag_immunities)}
            rolls = {*(attack.words if is_attack(feature) else ()), *marks} - {*attack.magical}
            dice = filter(_DIE.search, feature.properties) if is_attack(feature) else ()
            yield from sorted(each.replace("-", " ") for each in rolls.intersection(feature.properties) | {*dice})

    def _figures(self, feature: Feature, damage: str, text: str, own_text: str) -> Iterator[str]:
        """Yield the effects of a hit or a failed save, unless the prose of a feature that isn't an attack has them."""
        say, plus = self._names.say, " + "
        calculated = features.calculated_bonus(self._names.data, self._creature, feature)
        is_told = all(prose.says_dice(own_text, part) for part in damage.split(plus))
        dealt = (features.damage_with_average(damage, plus) or damage) if damage and not is_told else ""
        for other in features.other_ways(feature) if damage else ():
            more = features.damage_with(other.damage, 0 if calculated is None else calculated.damage_modifier)
            why = "" if other.name in more.split() else f" {other.name}"
            dealt += f", {say('ui.stat.or')} {features.damage_with_average(more, plus) or more}{why}"
        is_basic = self._names.data.checks.degrees and feature.half
        save, key = "", "basic-save" if is_basic else "save"
        if feature.save and not prose.says_save(own_text, feature.dc, features.save_name(feature, self._names)):
            own = dict(self._names.data.presentation.saves).get(feature.save)
            short = self._names.ability_shorts.get(feature.save) or feature.save
            save = say(f"handout.running-sheet.{key}", ability=own or short.capitalize(), dc=feature.dc or "?")
        is_saved, is_sure = ("hurts-saved" in feature.properties, "hurts-all" in feature.properties)
        dealt = say("handout.running-sheet.saved", what=dealt) if dealt and is_saved else dealt
        hits = is_attack(feature) or feature.attack is not None or is_sure
        first = (dealt, save) if hits else (save, dealt)
        if not hits and save and dealt and not (feature.half or is_saved or self._names.data.checks.degrees):
            first = (f"{save} {say('ui.stat.or')} {dealt}", "")  # a success takes none
        yield from (part for part in first if part)
        if feature.save_damage and not prose.says_dice(own_text, feature.save_damage):
            yield features.damage_with_average(feature.save_damage, plus) or feature.save_damage
        if feature.half and not is_basic and not prose.says_half(own_text):
            yield say("handout.running-sheet.half")
        if feature.heals and feature.heals not in text:
            yield f"{say('ui.stat.regains').lower()} {features.damage_with_average(feature.heals, plus) or feature.heals}"
        # The text of a spell says whom its effect concerns, and the rules of the effect by how much.
        effect = () if "effect" in feature.read and own_text and not feature.short else feature.effect
        changing = (rule for rule in effect if rule.kind in _CHANGES and self._words.has_name(rule.what))
        rules = tuple(msgspec.structs.replace(rule, when="") for rule in changing)
        changes = self._words.effect_lines(Condition(feature.id, feature.name, text, rules=rules))
        effects = [*features.effect_texts(feature, self._names, text, hit=True), *changes]
        if feature.lasts and effect and effects and feature.lasts not in text:
            effects.append(say("ui.stat.lasts", time=feature.lasts))
        if effects and feature.half and ":" not in effects[0]:  # otherwise, its degree of success is before it
            effects[0] = say("handout.running-sheet.failed", what=effects[0][:1].lower() + effects[0][1:])
        yield from (text[:1].lower() + text[1:] for text in effects)


def _telling(text: str, names: prose.StatBlockNames, *words: str) -> str:
    """Return the sentences of a text with numbers, conditions, or some of these words."""
    named = "|".join(map(re.escape, (*names.conditions.values(), *words)))
    return " ".join(part for part in prose.sentences(text) if re.search(rf"\d|\b({named})\b", part, re.IGNORECASE))


def _around_list(text: str) -> list[str]:
    """Return the sentences around a list of spells. The remark on its marked spells begins with their mark."""
    bare = re.sub(r",? and (?:has|have|knows?) the following[^.:]*[.:]", ".", _listed(_LIST_RANK.sub("", text)))
    return [f"* {part}" if _MARKED.search(part) and "*" in text else part for part in prose.sentences(bare)]


def _shorter(feature: Feature, names: prose.StatBlockNames, usual: int) -> Feature:
    """Return a feature with its short text and other numbers, if its own is longer than usual. A list of spells has only its numbers."""
    if feature.does and (ranks := [found[0].lstrip("•*–- ") for found in _LIST_RANK.finditer(feature.text)]):
        around = _around_list(feature.text)
        told = (", ".join(_LIST_NUMBERS.findall(each)) if _ON_LISTS.search(each) else each for each in around)
        return msgspec.structs.replace(feature, text="\n".join((joined_sentences(*told), *ranks)).strip())
    text = _telling(feature.text, names, *_COMPLICATES) if feature.multiattack else feature.text
    if len(text) >= max(usual, len(feature.short)) and feature.short:
        text = _short_or_whole(
            feature.short, text, (feature.name, feature.area, feature.range, feature.damage, str(feature.dc))
        )
    return msgspec.structs.replace(feature, text=text)


_NUMBERS: Final = re.compile(r"\d++d\d+|(?<!d)\b\d++(?! \(\d|d)")  # without averages before dice and d20


def _short_or_whole(short: str, text: str, shown: Iterable[str]) -> str:
    """Return a short text and the sentences with further numbers, or the whole text if most of it has such numbers."""
    known = {*_NUMBERS.findall(" ".join((short, *shown))), "1"}
    text = _listed(text)
    more = [part for part in prose.sentences(text) if not known.issuperset(_NUMBERS.findall(part))]
    return text if 2 * len("".join(more)) > len(text) else joined_sentences(short, *more)


def _with_parts(owned: Sequence[Feature]) -> tuple[Feature, ...]:
    """Return features without their nameless parts, such as `Bite (death)`, whose rules are in the text of `Bite`."""
    whole = {name: each for each in reversed(owned) if each.text for name in (each.name.partition(" (")[0], each.name)}
    parts = {each.name: each.name.rpartition(" (")[0] for each in owned if not each.text}
    more = [(whole.get(parts.get(each.name, "")) or _told_by(owned, each), each) for each in owned]
    pairs = ((own, each) for own, each in more if own is not None and own.short)
    shorts = {own.id: joined_sentences(own.short, each.short) for own, each in pairs}
    kept = (each for own, each in more if own is None)
    return tuple(msgspec.structs.replace(each, short=shorts.get(each.id, each.short)) for each in kept)


def _told_by(owned: Sequence[Feature], part: Feature) -> Feature | None:
    """Return the feature from whose text an importer has made a part, if the text has all numbers of the part."""
    is_part = part.short and part.attack is None and not (part.text or is_spell(part))
    numbers = {*_NUMBERS.findall(f"{part.short} {part.damage} {part.dc}")} - {"0", "1"}
    every = (each for each in owned if is_part and part.id.startswith(f"{each.id}-"))
    return next((each for each in every if each.text and numbers.issubset(_NUMBERS.findall(each.text))), None)


def _listed(text: str) -> str:
    """Return a text in one line, with semicolons after lines without a stop, such as those of a list of spells."""
    return one_line(
        _UNENDED.sub(r"\1; ", re.sub("(?:^|(?<= ))[-•] (?=[A-Z0-9])", "", text.strip(), flags=re.MULTILINE))
    )


_KEYS: Final = "handout.reference"
_FIGURED: Final = ("modifier", "flat", "damage", "resource")
_MEANT: Final = ("advantage", "disadvantage", "expertise", "critical", "fail", "deny", *_FIGURED)
_WORD = re.compile(r"\d+|\w{3,}|AC", re.IGNORECASE)
_STEM: Final = 4
_CITATION: Final = re.compile(r" \(pages? [\d, \u2013-]+\)")  # of a book that isn't named on the page


class ConditionText:
    """Phrases for a game's conditions. All keys are in `[handout.reference]`."""

    def __init__(self, rules: RuleSystem, text: prose.Translate) -> None:
        self._say = text
        self._rules = rules
        self._terms = system_words(rules.data)

    def reference_text(self, key: str, **params: object) -> str:
        """Return the text of a key in `[handout.reference]`."""
        return self._say(f"{_KEYS}.{key}", **params)

    def reference_text_or_empty(self, key: str, **params: object) -> str:
        """Return the text of a key, or an empty string if the key doesn't exist."""
        text = self.reference_text(key, **params)
        return "" if text == f"{_KEYS}.{key}" else text

    def term(self, key: str, otherwise: str) -> str:
        """Return the game's own term for a key."""
        return self._terms.get(key, otherwise)

    def joined_names(self, names: Iterable[str]) -> str:
        """Return the distinct names, separated by commas."""
        return ", ".join(dict.fromkeys(name for name in names if name))

    def name_of(self, what: str) -> str:
        """Return the name of a stat, a roll or a resource, preferably the game's own term."""
        key = what.replace(".", "-").replace(":", "-")
        plain = self.reference_text_or_empty(f"what-{key}")
        if plain:
            return plain
        for term in (f"{what}.short", what, f"damage.{what}"):
            if term in self._terms:
                return self._terms[term]
        if resource := self._rules.resources.get(what):
            return resource.name.lower()
        roll, _, ability = what.partition(".")
        named = self._terms.get(f"ability.{ability}", ability.replace("-", " "))
        return self.reference_text_or_empty(f"roll-{roll}", ability=named) or what.replace("-", " ").replace(".", " ")

    def has_name(self, what: str) -> bool:
        """Return whether a stat, a roll or a resource has a name on paper."""
        return bool(self.reference_text_or_empty(f"what-{what}")) or self.name_of(what) != what

    def cost_name(self, cost: str) -> str:
        """Return a short name for an action's cost."""
        return self.reference_text_or_empty(f"cost-{cost}") or self._terms.get(
            f"resource.{cost}", cost.replace("-", " ")
        )

    def effect_lines(self, condition: Condition) -> list[str]:
        """Return short lines for a condition's rules that its text doesn't already cover."""
        grouped: dict[tuple[str, str, str], list[str]] = {}
        # The text already describes effects of the value.
        meant = (rule for rule in condition.rules if not (rule.per_value and "its value" in condition.text))
        rules = [(rule, self._when(rule, condition)) for rule in meant if rule.kind in _MEANT]
        unworded = {rule.kind for rule, when in rules if when is None}
        for rule, when in rules:
            if when is None or (rule.when and rule.kind in unworded):  # half an explanation is worse than none
                continue
            own = f"{rule.kind}-{rule.what}"
            kind = own if self.reference_text_or_empty(f"kind-{own}") else rule.kind
            change = self._figure(rule) if rule.kind in _FIGURED else ""
            grouped.setdefault((kind, change, when), []).append(self.name_of(rule.what))
        effects = [self._effect(*key, names) for key, names in grouped.items()]
        notes = [
            sentence.rstrip(".")
            for rule in condition.rules
            if rule.kind == "note"
            for sentence in prose.sentences(rule.text)
        ]
        return [line for line in (*effects, *notes, *self._course(condition)) if _adds(condition.text, line)]

    def _effect(self, kind: str, change: str, when: str, names: list[str]) -> str:
        text = self.reference_text(f"kind-{kind}", figure=change, what=self._together(kind, names))
        text = text[:1].upper() + text[1:]
        return f"{text} ({when})" if when else text

    def _together(self, kind: str, names: list[str]) -> str:
        """Return the subject of an effect, combining damage types into one phrase."""
        if kind != "damage":
            return self.joined_names(names)
        if {self.name_of(damage_type.id) for damage_type in self._rules.data.damage_types} <= set(names):
            return self.reference_text("all-damage")
        return self.reference_text("of-damage", kind=self.joined_names(names))

    def _course(self, condition: Condition) -> list[str]:
        """Return lines about a condition's implied conditions, duration and aftermath."""
        granted = [rule.what for rule in condition.rules if rule.kind == "grant"]
        also = [self._condition(name) for name in (*condition.implies, *granted)]
        lines = [self.reference_text("also", what=self.joined_names(also))] if also else []
        lines += [self.reference_text("falls", n=condition.falls)] if condition.falls else []
        lines += [self.reference_text(f"until-{condition.until}")] if condition.until else []
        after = condition.after
        return lines + ([self.reference_text("after", what=self._condition(after))] if after else [])

    def _condition(self, id: str) -> str:
        condition = self._rules.conditions.get(id)
        return condition.name if condition else id.replace("-", " ")

    def _figure(self, rule: DataRule) -> str:
        """Return a rule's change at condition value 1 as text: a fixed value, a multiple or a signed number."""
        if rule.set is not None:
            return str(rule.set)
        if rule.over != 1:
            return self.reference_text("half") if (rule.times, rule.over) == (1, 2) else f"×{rule.times}/{rule.over}"
        if rule.times != 1:
            return f"×{rule.times}"
        unit = f" {self._terms.get('unit', '')}" if rule.what == "speed" else ""
        return signed_text(rule.add + rule.per_value) + unit

    def _when(self, rule: DataRule, condition: Condition) -> str | None:
        """Return when a rule applies: an empty string means always, None that the condition's text must say it."""
        phrases = []
        statement = parse_statement(rule.when)
        for fact in statement.facts:
            parts = ("when", "not" if fact.negated else "", fact.subject, fact.word or fact.argument)
            text = self.reference_text_or_empty("-".join(part for part in parts if part), n=fact.argument)
            if not text or not statement.is_conjunction:
                return None if condition.text else self.reference_text("at-times")
            phrases.append(text)
        if rule.per_value:
            sign = signed_text(rule.per_value)
            phrases.append(self.reference_text("value-more" if rule.add else "value-each", sign=sign))
        return ", ".join(phrases)


def without_citations(text: str) -> str:
    """Return a rule text without its page references."""
    return _CITATION.sub("", text)


def _adds(text: str, note: str) -> bool:
    """Return whether a note adds information to a text, comparing numbers and word beginnings.

    The text also covers the note's remarks in parentheses.
    """
    stems = {word[:_STEM] for word in _WORD.findall(text.casefold())}
    return not {word[:_STEM] for word in _WORD.findall(note.casefold().partition(" (")[0])} <= stems
