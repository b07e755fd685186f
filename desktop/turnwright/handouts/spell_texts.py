"""The spells of casters as plain data for templates: facts such as range and duration, and what each spell does.

The texts are those of stat blocks and of the window, from the data of the rule system's spells. A spell without data
only has its name, its level and a reference to the rule book. All keys are in `[handout.spell-cards]`.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final, get_args

from msgspec.structs import replace

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.roles import CHARACTER_TAG
from turnwright.encounter.state import grouped
from turnwright.handouts.environment_data import joined_sentences, one_line, paragraphs
from turnwright.handouts.page_input import PageInput
from turnwright.rules.parts.actions import spell_features
from turnwright.rules.parts.conditions.rule_words import write_rules
from turnwright.rules.parts.stat_block import features, prose
from turnwright.rules.system_data.numbers import Degree, Spell, SpellVersion
from turnwright.rules.system_data.statements import readable_statement
from turnwright.rules.word_keys import signed_text

# Fields of spells with a sentence each, fields of what they do more at higher levels, and fields of their variants.
DOES: Final = (
    "temp", "teleport", "ends", "rays", "pool", "counteracts", "revives", "total", "kills", "immune_after", "after",
    "becomes", "regains", "again",
)  # fmt: skip
HIGHER: Final = ("higher", "higher_ongoing", "higher_targets", "higher_rays")
PARTS: Final = (
    "kind", "save", "damage", "heals", "temp", "ongoing", "effect", "afflictions", "push", "teleport", "range", "area",
    "targets", "lasts", "reduces", "text",
)  # fmt: skip
SHARES: Final = ("none", "half", "full", "double")
NOTE: Final = 100  # characters of a stat block's own text for a spell that isn't all of it
MOST_VERSIONS: Final = 3  # of a spell whose texts differ by more than numbers
BY_VALUE: Final = ("counteracts", "immune_after", "regains", "again")  # fields with a text for each value
_UNLISTED: Final = Spell("", "")
# Fields that describe a spell. One with no others isn't for fights.
_DESCRIBE: Final = frozenset((
    "id", "name", "text", "level", "cost", "price", "range", "area", "lasts", "concentration", "targets", "revised", "grows",
    "missing", "casting_time", "escape", "versions", "willing", "ledger",
))  # fmt: skip
COMPONENTS: Final = re.compile(r"^\([^)]*; [VSM]\b[^)]*\) |^[×x]?\d+(?: slots?)?(?:\. |$)")  # and times a day
# In names: the edition of a spell, and uses that another feature has.
EDITION: Final = re.compile(r" \((?:\d{4}|or \d+/Day in Lair)\)")
# A number in a text with its growth by rank: `60 hit points (20 more for each 2 ranks)`.
_GROWING: Final = re.compile(
    r"(?<![-\dd])(?<!rank )(\d+)((?:d\d+)?\D*?) \((\d+)(?:d\d+)? more for each (?:higher )?(?:(\d+) )?ranks?(?: above \d+)?\)"
)
# In texts: a value that depends on the rank, such as `level 1 (rank 3: 2, 4: 3)`.
_BY_RANK: Final = re.compile(r"(-?\d+)((?: or lower)?) \(rank (\d+: -?\d+(?:[,;] (?:rank )?\d+: -?\d+)*)\)")
MANY: Final = 100  # targets of a spell without a limit
_BRACKETS: Final = re.compile(r" \(([^()]*)\)")
SECOND: Final = ("Or ", "To ")  # a text that begins like this continues the sentence about the effect


class SpellTexts:
    """The texts of the spells of the selected creatures, in the game's terms."""

    def __init__(self, source: PageInput) -> None:
        self._source, self._rules = source, source.rules
        self._names = prose.StatBlockNames(source.rules.data, source.text, brief=True)
        self._skills = re.compile(rf"\b({'|'.join(self._names.skills.values())})\b", re.IGNORECASE)
        self._degrees = [source.text(f"degree.{each}") for each in get_args(Degree)[:0:-1]]
        named = "|".join(self._degrees) if source.rules.data.checks.degrees else "(?!)"
        self.degree = re.compile(rf"(?:^|(?<=[.)] )(?=(?-i:[A-Z])))((?:{named})(?:, (?:{named}))*): ", re.IGNORECASE)

    def casters(self) -> Iterator[dict[str, Any]]:
        """Yield each caster with its name, numbers and slots, and its spells sorted by level and name."""
        for creature in self._source.selected_creatures():
            caster, say = spell_features.caster_of(self._rules, creature), self._names.say
            spells = (self.spell(creature, own) for own in spell_features.spells_of(self._rules, creature))
            if different := {str(spell): spell for spell in spells}:
                numbers = [say("ui.stat.dc", dc=caster.dc)] if caster.dc else []
                numbers += [] if caster.attack is None else [say("ui.stat.to-hit", bonus=signed_text(caster.attack))]
                ordered = sorted(different.values(), key=lambda spell: (spell["level"], spell["name"]))
                yield {"name": one_line(creature.name), "numbers": numbers, "slots": creature.slots, "spells": ordered}

    def _say(self, key: str, **params: object) -> str:
        return self._source.text(f"handout.spell-cards.{key}", **params)

    def spell(self, creature: Creature, own: Feature) -> dict[str, Any]:
        """Return a spell as cast by a creature. `text` is empty if nothing is known about what it does."""
        caster, own = spell_features.caster_of(self._rules, creature), _bare(own)
        # The texts of imports begin with the rank.
        rank = rf"{self._level('([0-9]+)')}(, {self._names.say('ui.stat.cantrip')})?(?:, ({self._say('at-will')}))?(, |\. |$)"
        if noted := re.match(rank, own.text, re.IGNORECASE):
            own = replace(own, level=own.level or int(noted[1]), text=own.text[noted.end() :])
        printed = own.text
        own = replace(own, text=COMPONENTS.sub("", own.text))
        text = prose.without_repeated_figures(own, features.prose_of(creature, own, self._names), self._names)
        own = replace(own, text=text[:1].upper() + text[1:])
        listed, feature = (
            spell_features.listed_spell(self._rules, own) or _UNLISTED,
            spell_features.with_casters_dc(own, caster),
        )
        if listed is not _UNLISTED:
            known = caster if caster.level or not own.damage else caster._replace(level=1)  # its own dice replace these
            usual = spell_features.spell_feature(listed, known, level=own.level or 0)
            same = {name: getattr(own, name) for name in ("cost", "price", "uses", "per")}
            feature = replace(spell_features.with_printed_numbers(usual, feature), text=own.text or usual.text, **same)
        level = own.level if own.level is not None else listed.level
        level = 0 if listed.id in self._rules.data.presets.cantrips or (noted and noted[2]) else level
        at_will = noted and noted[3]
        is_fixed = self._names.style == "traits" and own.level is not None and CHARACTER_TAG not in creature.tags
        cast = level or (caster.level + 1) // 2
        if is_fixed:
            above = max(0, cast - (listed.level or cast))
            grown = _GROWING.sub(
                lambda it: f"{int(it[1]) + int(it[3]) * (above // int(it[4] or 1))}{it[2]}", feature.text
            )
            feature = replace(feature, text=_BY_RANK.sub(lambda it: _ranked(it, cast), grown))
        if listed.revives and listed.heals.endswith(lost := f"-{listed.revives}"):  # together, all that it regains
            feature, listed = replace(feature, heals=feature.heals.removesuffix(lost)), replace(listed, revives=0)
        itself = replace(feature, ongoing="") if _is_shared(listed) else feature  # the degrees give it
        is_whole = len(own.text) > NOTE and not (listed.text and listed.text[: NOTE // 3] in printed)
        further = () if is_whole else self._effects(_at_rank(listed, feature, cast), feature)
        told = (features.effect_text(creature, itself, self._names), *further)
        texts = dict.fromkeys(self.phrased(text, "text-phrases") for text in told)
        higher = () if is_fixed else self._higher(listed, cast)
        ordered = self.by_degree(sorted(filter(None, texts), key=lambda text: text.startswith(SECOND)))
        return {
            "name": EDITION.sub("", one_line(own.name)),
            "level": level or 0,
            "rank": self._level(level) if level else "" if level is None else self._names.say("ui.stat.cantrip"),
            "facts": [
                (self._say(name), one_line(text))
                for name, text in (*self._facts(creature, listed, feature), ("uses", at_will))
                if text
            ],
            "text": [line for text in ordered for line in paragraphs(text)],
            "higher": [one_line(self.phrased(each, "text-phrases")) for each in higher],
        }

    def in_line(self, creature: Creature, own: Feature) -> str:
        """Return a listed spell's range, area, targets, duration and effect. Empty if a short text replaces them.

        With an attack roll, it is only the effect of a hit, which follows the spell's other text.
        """
        listed = spell_features.listed_spell(self._rules, own)
        if _bare(own).short or own.cost == "trait" or listed is None:
            return ""
        if own.attack is not None:
            return self.phrased(joined_sentences(*self._effects(listed, own)), "text-phrases")
        spell = self.spell(creature, own)
        facts = {name: text for name, text in spell["facts"] if text != "1"}
        told = [facts.get(self._say(name), "") for name in ("range", "area", "targets", "lasts")]
        told[2] = told[2] and self._say("part-targets", what=int(told[2]))
        told[3] = told[3].removeprefix(self._say("held")).strip(", ")
        told[:0] = [spell["rank"]] if own.level is None and spell["level"] else []
        where = ", ".join(filter(None, told)).removesuffix(".")
        return joined_sentences(f"{where[:1].upper()}{where[1:]}", *spell["text"])

    def by_degree(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield texts without their degrees of success, then a line for each degree, from the best to the worst."""
        found: dict[str, str] = {}
        for text in texts:
            before, *told = self.degree.split(text)
            yield from filter(None, (before.strip(),))
            for names, part in zip(told[::2], told[1::2], strict=True):
                for degree in names.lower().split(", "):
                    known, what = found.get(degree, ""), part.strip(" .;")
                    found[degree] = what if known in what else known if what in known else f"{known}, {what}"
        alike = grouped((found[degree], degree) for degree in self._degrees if degree in found)
        yield from (f"{', '.join(degrees).capitalize()}: {text}." for text, degrees in alike.items())

    def is_for_fights(self, own: Feature) -> bool | None:
        """Return whether a listed spell changes anything in a fight, or None if it isn't in the rule system's list."""
        listed = spell_features.listed_spell(self._rules, own)
        fields = (name for name in Spell.__struct_fields__ if name not in _DESCRIBE)
        changes = any(getattr(listed, name, None) != getattr(_UNLISTED, name) for name in fields)
        return None if listed is None else (changes or listed.cost == "reaction") and not listed.casting_time

    def _level(self, level: int | str) -> str:
        return self._names.styled("spell-level", level=level)

    def _facts(self, creature: Creature, listed: Spell, feature: Feature) -> Iterator[tuple[str, str]]:
        """Yield the names of facts, and their texts, which may be empty."""
        say, names = self._say, self._names
        prices = ((feature.cost, feature.price), *feature.spends)
        price = ", ".join(filter(None, (names.data.presentation.price(*each) for each in prices)))
        yield "cast", listed.casting_time or price or names.say(f"ui.feature.cost-{feature.cost}")
        yield "range", names.distance(feature.range) if feature.range else say("touch") if feature.reach else ""
        yield "area", feature.area
        yield "targets", str(feature.targets or "") if feature.targets < MANY else ""
        kinds = ",".join(part for part in feature.when.split(",") if "type:" in part).replace("type:", "")
        whom = readable_statement(kinds.replace("target.", ""), names.say("ui.stat.or")).strip()
        yield "spares" if whom.startswith("not ") else "only", whom.removeprefix("not ").replace(", not ", ", ")
        lasts = listed.lasts or feature.lasts or next((each.lasts for each in feature.afflictions), "")
        yield "lasts", ", ".join(filter(None, (say("held") if feature.concentration else "", lasts)))
        yield "uses", ", ".join(features.limits_of(creature, replace(feature, level=None, concentration=False), names))

    def _effects(self, listed: Spell, feature: Feature) -> Iterator[str]:
        """Yield further sentences: the effect, variants, degrees, and later turns."""
        say, either = self._say, self._names.say("ui.stat.or")
        is_told = listed is _UNLISTED and bool(feature.text)
        if rules := "" if is_told else self._rule_words(dict.fromkeys((*feature.rules, *feature.effect))):
            until = self._names.say(f"ui.inflicted-condition.ends-{feature.until}") if feature.until != "never" else ""
            if not until and feature.lasts and feature.attack is not None:
                until = say("part-lasts", what=feature.lasts)
            yield f"{rules[:1].upper()}{rules[1:]}{until and f' ({until})'}."
        if listed.pool and not listed.save:  # hit points decide instead of a save, as the text says
            listed = replace(listed, kills=False, degrees=())
        if "immune" in listed.text or not listed.save:
            listed = replace(listed, immune_after="")
        is_sustained = feature.concentration and self._names.style == "traits"  # as its duration says
        yield from self._told(feature if listed is _UNLISTED else listed, DOES[:-1] if is_sustained else DOES, "does")
        for number, stage in enumerate(listed.stages, 1):
            yield say("stage", n=number, what=self._joined(stage))
        if (other := listed.reversed) is not None and not other.harmless:
            made = spell_features.with_reversal(listed, feature, 0)
            if told := ", ".join(self._told(made, ("save", "damage", "heals"), "part")):
                yield say("reversed", when=readable_statement(other.when.replace("type:", ""), either), what=told)
        for degree in listed.degrees:
            then = degree.then if degree.then and not (degree.then.within or degree.then.when) else None
            if then is not None and then.save and then.kills:
                continue  # the text describes it
            given = {"none": "", "full": feature.ongoing} if _is_shared(listed) else {}
            times = {listed.lasts, *(each.lasts for each in listed.afflictions if each.degree == degree.degree)}
            lasts = "".join({degree.lasts} - times)
            effect = () if degree.effect == listed.effect else degree.effect
            own = replace(degree, ongoing=given.get(degree.ongoing, degree.ongoing), lasts=lasts, effect=effect)
            if parts := self._joined(own, then):
                parts = f"{say('lasts').lower()} {own.lasts}" if parts == say("part-lasts", what=own.lasts) else parts
                yield f"{self._source.text(f'degree.{degree.degree}').capitalize()}: {parts}."
        ways = [*self._variants(listed)]
        # The text has the odds, and says enough of those that are never chosen in a fight.
        is_said = listed.casting_time and not any("(" in way for way in ways)
        if ways and not is_said and not any(one.odds for one in listed.choices):
            yield say("choices", what="; ".join(ways))
        left = self._joined(listed.leaves) or (say("the-same") if spell_features.is_around(listed) else "")
        if listed.leaves and left not in ("", say("part-lasts", what=listed.leaves.lasts)):
            yield f"{say(f'left-{listed.leaves.trigger}')}: {left}."

    def _higher(self, listed: Spell, cast: int) -> Iterator[str]:
        """Yield sentences about other prices, and about levels above that of a casting."""
        if more := ", ".join(self._told(listed, HIGHER, "more")):
            level, unit = self._level(listed.level or 0), self._level("").strip()
            yield self._say("each-level", n=listed.every, level=level, of=unit, what=more)
        news = (_news(each, listed) for each in listed.versions if each.price or each.rank > cast)
        versions = ((self._level(each.rank), self._joined(each).rstrip("."), each.price) for each in news)
        price = self._rules.data.presentation.price
        told = [(price(listed.cost, cost) if cost else level, parts) for level, parts, cost in versions if parts]
        differ_in_numbers = len({re.sub(r"\d", "", parts) for _, parts in told}) == 1
        if len(told) > MOST_VERSIONS and differ_in_numbers and ";" not in told[0][1]:
            most = re.sub(r"^[^\d+-]* (?=\S*\d\D*$)", "", told[-1][1])
            yield self._say("from-to", level=told[0][0], what=told[0][1], last=told[-1][0], most=most)
        else:
            yield from (self._say("from-level", level=level, what=parts) for level, parts in told)

    def _variants(self, listed: Spell) -> Iterator[str]:
        """Yield the variants of a spell with their effects. Variants share a text if only their names differ."""
        dice, chosen = listed.damage.partition(" ")[0], self._say("chosen")
        damage = [one.damage for one in listed.choices if one.damage]
        same = dice and all(text.startswith(f"{dice} ") and " + " not in text for text in damage)
        told = []
        for one in listed.choices:
            text = _BRACKETS.sub(r", \1", self._joined(one)).removeprefix(f"{dice} " if same else "")
            name = re.escape(one.name.rpartition(": ")[2])
            told.append((one.name, text, re.sub(rf"\b{name}\b", chosen, text, flags=re.IGNORECASE)))
        for alike, group in groupby(told, key=lambda each: each[2]):
            (first, text, _), *others = group
            tails = [name.removeprefix(first.removesuffix(first.rpartition(": ")[2])) for name, *_ in others]
            text = self.phrased(alike, "chosen-phrases") if tails else text
            is_name = alike in (chosen, self._say("part-damage", what=chosen))
            names = (", " if alike else "; ").join((first, *tails))
            yield f"{names} ({text})" if text and not is_name else names

    def _joined(self, *records: Any) -> str:
        texts = [text for record in records for text in self._told(record, PARTS, "part")]
        told = [text for at, text in enumerate(texts) if text and not any(text in other for other in texts[:at])]
        left = [leaves for record in records if (leaves := getattr(record, "leaves", None)) is not None]
        told += [
            f"{self._say(f'left-{each.trigger}').lower()}: {more}" for each in left if (more := self._joined(each))
        ]
        return ", ".join(told)

    def _told(self, record: Any, fields: Iterable[str], prefix: str) -> Iterator[str]:
        """Yield a text for each of the fields that a record has."""
        for name in fields:
            value = getattr(record, name, None)
            if not value or value in ("0", getattr(_UNLISTED, name, None)) or (name == "pool" and value.isdecimal()):
                continue
            kind = f"-{value}" if name in BY_VALUE else "-all" if name == "ends" and record.ends_all else ""
            start = value if value in SHARES and not kind else prefix
            yield self._say(f"{start}-{name}{kind}", what=self._value(name, value), n=getattr(record, "tally", 0))

    def _value(self, name: str, value: Any) -> object:
        """Return the value of a field as words, or as a number for plurals."""
        if name in ("teleport", "push", "range"):
            return self._names.distance(value).rstrip(".")
        if name == "save":
            return dict(self._rules.data.terms).get(f"save.{value}", value)
        if name == "effect":
            return self._rule_words(value)
        if name == "afflictions":
            told = features.effect_texts(Feature("", "", afflictions=value), self._names, "", hit=True)
            return "; ".join(text[:1].lower() + text[1:] for text in told)
        ids = (value,) if name in ("after", "becomes") else value
        return ", ".join(map(self._condition, ids)) if isinstance(ids, tuple) else value

    def _rule_words(self, rules: Iterable[DataRule]) -> str:
        """Return data rules in the words of the window, without their abbreviations."""
        told = [rule for rule in rules if rule.kind != "duration"]
        groups = [[rule for rule in told if rule.kind != "deny"], *([rule] for rule in told if rule.kind == "deny")]
        text = self.phrased("; ".join(filter(None, (write_rules(group, self._rules) for group in groups))))
        return self._skills.sub(lambda found: found[0].title(), text)

    def phrased(self, text: str, key: str = "phrases") -> str:
        """Return a text in the words of a key's list, by default the words of rules without their abbreviations and marks."""
        for line in self._say(key).splitlines():
            pattern, phrase = line.split(" =>")
            text = re.sub(pattern, phrase[1:], text)
        return prose.true_minus(EDITION.sub("", text))

    def _condition(self, id: str) -> str:
        return self._names.conditions.get(id, id.replace("-", " ")).lower()


def _bare(own: Feature) -> Feature:
    """Return a spell without a short text that only contains its name."""
    return replace(own, short="") if own.short == f"It casts {own.name}." else own


def _at_rank(listed: Spell, feature: Feature, cast: int) -> Spell:
    """Return a spell whose variants and whose left feature have the numbers of a rank."""
    made = (spell_features.with_choice(feature, listed, one, spell_features.Caster(), cast) for one in listed.choices)
    pairs = zip(listed.choices, made, strict=True)
    choices = tuple(replace(one, damage=one.damage and own.damage) for one, own in pairs)
    return replace(listed, choices=choices, leaves=listed.leaves and (feature.leaves or listed.leaves))


def _ranked(table: re.Match[str], rank: int) -> str:
    """Return the value of a table in a text for a rank, with the words after it."""
    values = [("0", table[1]), *re.findall(r"(\d+): (-?\d+)", table[3])]
    return f"{next(value for least, value in reversed(values) if int(least) <= rank)}{table[2]}"


def _news(version: SpellVersion, listed: Spell) -> SpellVersion:
    """Return a version of a spell without the effects that are the same, and of the conditions only a new duration."""
    changes: dict[str, Any] = {"effect": tuple(rule for rule in version.effect if rule not in listed.effect)}
    own, usual = ([replace(each, lasts="") for each in one.afflictions] for one in (version, listed))
    if own and own == usual:
        changes |= {"afflictions": (), "lasts": version.lasts or version.afflictions[0].lasts}
    return replace(version, **changes)


def _is_shared(listed: Spell) -> bool:
    """Return whether a spell's degrees of success give all of its persistent damage, or none."""
    return {degree.ongoing for degree in listed.degrees}.issuperset(("none", "full"))
