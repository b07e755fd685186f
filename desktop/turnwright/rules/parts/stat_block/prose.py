"""The parts of a stat block: paragraphs of text runs, some of them rolls, without repetitions of numbers.

A sentence of a feature is omitted only if every number in it is one of the feature's own. Any additional information
stays. If one number differs, the whole sentence stays.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal, Protocol

import msgspec

from turnwright.encounter.prepared import Feature
from turnwright.rules.system_data import SystemData

_MINUS = re.compile(r"(?<![\w/])-(?=\d)|(?<=\dd\d)-(?=\d)|(?<=\dd\d\d)-(?=\d)")
_FIGURE = re.compile(r"\d+(?:/\d+)?")
_DICE_IN_TEXT = re.compile(r"\b[1-9]\d{0,2}d(?:4|6|8|10|12|20|100)(?:\s?[+\-−]\s?\d{1,3})?\b")


class TextRun(msgspec.Struct, frozen=True):
    """A piece of text. If it has a `roll`, it can be clicked, and `label` is the title of the roll.

    `about` names the number that the roll belongs to (`save:dex`, `feature:axe`), for explanations. An empty `style`
    means plain text.
    """

    text: str
    roll: str = ""
    label: str = ""
    about: str = ""
    style: Literal["", "bold", "italic"] = ""


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph with its bold label (`lead`). `about` names its field (`hp`) or its feature (`feature:axe`).

    A `joined` paragraph continues the previous line, after a semicolon, or after a comma if both have the same label.
    `name` is the name of its feature, without price and limits.
    """

    lead: str
    runs: tuple[TextRun, ...]
    about: str = ""
    joined: bool = False
    name: str = ""


_MILE: Final = 5280  # feet
ASSUMED: Final = "\N{ALMOST EQUAL TO} "  # the sign of usual numbers of a class


def with_sign(paragraph: Paragraph) -> Paragraph:
    """Return a paragraph with the sign of assumed numbers."""
    return msgspec.structs.replace(paragraph, runs=(TextRun(ASSUMED), *paragraph.runs))


class Translate(Protocol):
    """A function that translates a message key and fills in its parameters."""

    def __call__(self, key: str, /, **params: object) -> str:
        """Return the translation of a message key."""
        ...


class StatBlockNames:
    """Names for ids from the catalogue, and translations of message keys. An id without a name is shown unchanged.

    `brief`: attacks and damage are written without the words that every attack has.
    """

    def __init__(self, catalogue: SystemData | None, say: Translate, *, brief: bool = False) -> None:
        self.say, self.brief = say, brief
        self.data = catalogue or SystemData("", "")
        self.abilities = {entry.id: entry.name for entry in catalogue.abilities} if catalogue else {}
        self.ability_shorts = {entry.id: entry.short for entry in catalogue.abilities} if catalogue else {}
        self.skills = {entry.id: entry.name for entry in catalogue.skills} if catalogue else {}
        self._of_subjects = [entry for entry in catalogue.skills if entry.of_subjects] if catalogue else []
        self.sizes = {entry.id: entry.name for entry in catalogue.sizes} if catalogue else {}
        self.damage = {entry.id: entry.name for entry in catalogue.damage_types} if catalogue else {}
        self.conditions = {entry.id: entry.name for entry in catalogue.conditions} if catalogue else {}
        self.speeds = {entry.id: entry.name for entry in catalogue.speeds} if catalogue else {}

        terms = dict(self.data.terms)
        # Stat blocks use the game's unit, unless it has a separate form for them.
        self._unit = {} if "unit_stat" in terms or "unit" not in terms else {"unit_stat": terms["unit"]}

    @property
    def style(self) -> str:
        """Return the game's layout of stat blocks."""
        return self.data.presentation.style

    def styled(self, key: str, **params: object) -> str:
        """Return the translation of a stat block key, preferring the one for the game's layout."""
        own = f"ui.stat.{key}-{self.style}"
        text = self.say(own, **params)
        return self.say(f"ui.stat.{key}", **params) if text == own else text

    def distance(self, figure: int | str) -> str:
        """Return a distance with its unit. A range that isn't a number doesn't change."""
        if isinstance(figure, str) and not _FIGURE.fullmatch(figure.strip()):
            return figure
        miles, rest = divmod(int(str(figure).partition("/")[0]), _MILE)
        key, n = ("miles", miles) if miles and not rest else ("feet", figure)
        return self.say(f"ui.stat.{key}", n=n, **self._unit)

    def skill_name(self, id: str) -> str:
        """Return the name of a skill. `lore-mining`, a skill of a subject, becomes `Mining Lore`."""
        general = next((entry for entry in self._of_subjects if id.startswith(f"{entry.id}-")), None)
        if general is None:
            return (self.skills.get(id) or id).capitalize()
        return f"{id.removeprefix(f'{general.id}-').replace('-', ' ').title()} {general.name}"


def runs_of_text(text: str, label: str, rolls: Mapping[str, str] = MappingProxyType({})) -> tuple[TextRun, ...]:
    """Split running text into runs, with its dice as rolls.

    `rolls` maps dice to the full roll, for example with a damage type.
    """
    pieces = []
    end = 0
    for match in _DICE_IN_TEXT.finditer(text):
        if match.start() > end:
            pieces.append(TextRun(true_minus(text[end : match.start()])))
        dice = match.group().replace("−", "-").replace(" ", "")
        pieces.append(TextRun(true_minus(match.group()), rolls.get(dice, dice), label))
        end = match.end()
    if end < len(text):
        pieces.append(TextRun(true_minus(text[end:])))
    return tuple(pieces)


def true_minus(text: str) -> str:
    """Replace the minus before each negative number with a typographic one."""
    return _MINUS.sub("\N{MINUS SIGN}", text)


def joined_runs(lines: Iterable[Paragraph]) -> tuple[tuple[Paragraph, tuple[TextRun, ...]], ...]:
    """Return the displayed lines, each with its own runs and those of the paragraphs joined to it."""
    lines_with_runs: list[tuple[Paragraph, list[TextRun]]] = []
    lead = ""
    for line in lines:
        if not line.joined or not lines_with_runs:
            lines_with_runs.append((line, list(line.runs)))
        else:
            again = bool(line.lead) and line.lead == lead
            words = [] if again or not line.lead else [TextRun(f"{line.lead} ", style="bold")]
            lines_with_runs[-1][1].extend((TextRun(", " if again else "; "), *words, *line.runs))
        lead = line.lead
    return tuple((line, tuple(runs)) for line, runs in lines_with_runs)


def die_text(die: str, bonus: int) -> str:
    """Return the roll of a check or attack with a bonus. Empty if the game has no die."""
    return f"{die}{bonus:+d}" if die and bonus else die


_ABILITIES: Final = "Strength|Dexterity|Constitution|Intelligence|Wisdom|Charisma"
_NUMBERS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_FEET = r"(?:ft\.?|feet)"
_ATTACK = re.compile(
    r"(?:\([^()]{1,60}; [VSM]\b[^()]{0,60}\) )?"  # of a spell
    r"(?:Melee or Ranged|Ranged or Melee|Melee|Ranged)(?: (?:Weapon or Spell|Weapon|Spell))? Attack(?: Roll)?:? *"
    r"(?P<bonus>[+-]\d{1,2})(?: to hit)?(?: \((?P<note>[+-]\d{1,2} to hit [^()]{1,60})\))?"
    rf"(?P<where>(?:(?:,? or|,)? +(?:reach \d+ {_FEET}|range \d+(?:/\d+)? {_FEET}))*)(?:,? +(?P<whom>(?:one|two|three|up to) [^.\n]{{1,150}}))?(?=[.\n]|$)[.]?\s*",
    re.IGNORECASE,
)
_REACH = re.compile(r"reach (\d+)", re.IGNORECASE)
_RANGE = re.compile(r"range (\d+(?:/\d+)?)", re.IGNORECASE)
_PART = re.compile(
    r"(?:\d+ \((?P<dice>[^()]{1,20})\)|(?P<bare>\d+d\d+(?: ?[+-] ?\d+)?|\d+))(?: (?P<kind>[a-z]+))? damage(?P<more> plus )?",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r",? or (?:\d+ \((?P<dice>[^()]{1,20})\)|(?P<bare>\d+d\d+(?: ?[+-] ?\d+)?))(?: (?P<kind>[a-z]+))? damage "
    r"(?:with|while|when|in|if) [^.,;()]{3,90}?(?=[.,;]| plus \d|$)(?P<more>,? plus )?",
    re.IGNORECASE,
)
_SAVE = re.compile(rf"(?P<ability>{_ABILITIES}) Saving Throw: ?DC (?P<dc>\d+)(?P<rest>[^\n]*)\n*", re.IGNORECASE)
_AREA = re.compile(r",? ?each creature in (?:a|an) (?P<area>\d+-foot[^.]*)\.$", re.IGNORECASE)
_FAILED = re.compile(r"Failure: ?", re.IGNORECASE)
_HALVED = re.compile(r"\s*Success: ?Half damage\.?$", re.IGNORECASE | re.MULTILINE)
_ASKED = re.compile(
    rf"(?:(?<=^)|(?<=[.!]\s)|(?<=\n))(?:Each creature in (?:that|the) [a-z]+|The target) must (?:make|succeed on) a DC (?P<dc>\d+) "
    rf"(?P<ability>{_ABILITIES}) saving throw, taking (?P<dealt>[^.]*?) on a failed save, or half as much(?: damage)? on a "
    r"successful one\.\s*",
    re.MULTILINE,
)
_MAKES = re.compile(r"The [\w' -]{1,60} makes (?P<list>[^.]{1,200}?)\.?")
_COUNTED = re.compile(r"(?P<count>a|an|one|two|three|four|five|six) (?P<name>[\w' -]+?) attacks?", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_SHAPES: Final = {"emanation": "radius", "sphere": "radius", "burst": "radius"}


# Line breaks within a sentence, and sentences that repeat that an attack is one.
_BROKEN = re.compile(r"(?<=[^.:;\n]{24})\s*\n\s*(?=[a-z])")
_IDLE = re.compile(r"^(?:\w+ (?:\w+ )?Attack\s*\n\s*|The [\w' -]{1,60} makes an? [a-z ]{1,30} attack\.\s*)")


def remaining_prose(feature: Feature, names: dict[str, str], bonus: int | None, damage: str) -> str:
    """Return the text of a feature without the sentences that repeat its numbers.

    `bonus` and `damage` are the values that are shown. `names` are the creature's features by id, for multiattacks.
    """
    text = _BROKEN.sub(" ", feature.rules_text.strip())
    if feature.multiattack and _is_multiattack(feature, text, names):
        return ""
    if bonus is not None:
        text = _without_attack(msgspec.structs.replace(feature, attack=bonus, damage=damage), text)
    if feature.save:
        text = _without_save(feature, text, damage)
    return text


def _without_attack(feature: Feature, text: str) -> str:
    head = _ATTACK.match(text)
    if head is None or int(head["bonus"]) != feature.attack:
        return text if head else _IDLE.sub("", text)
    reaches, ranges = _REACH.findall(head["where"]), _RANGE.findall(head["where"])
    if any(int(reach) != feature.reach for reach in reaches) or any(range_ != feature.range for range_ in ranges):
        return text
    rest, whom = text[head.end() :], head["whom"] or "one target"
    others = tuple(other.damage for other in feature.other_damage)
    rest = _without_damage(re.sub("^Hit: ?", "", rest, flags=re.IGNORECASE), feature.damage, rest, others)
    whom = f"reach 0 ft., {whom}" if "0" in reaches else whom
    more = (part for part in (head["note"] or "", whom) if part and part.lower() != "one target")
    return " ".join([*(f"{part[:1].upper()}{part[1:]}." for part in more), rest]).strip()


def _without_damage(text: str, damage: str, otherwise: str, others: tuple[str, ...] = ()) -> str:
    """Remove this damage from the start of a text. Return `otherwise` if the text starts with anything else.

    `others` are the feature's alternative damage expressions, which the text may give instead.
    """
    parts, end = [], 0
    while match := _PART.match(text, end):
        parts.append(_part(match["dice"] or match["bare"], match["kind"] or ""))
        end = match.end()
        instead = None if match["more"] or not others else _INSTEAD.match(text, end)
        if instead and any(
            _part(instead["dice"] or instead["bare"], instead["kind"] or "") in _parts(other) for other in others
        ):
            end, match = instead.end(), instead
        if not match["more"]:
            break
    if not parts or sorted(parts) != sorted(_parts(damage)):
        return otherwise
    rest = text[end:].lstrip(" ,;.\n")
    rest = re.sub(r"^(?:and|then) ", "", rest)
    return rest[:1].upper() + rest[1:]


def _parts(damage: str) -> Iterator[str]:
    for part in damage.split(" + ") if damage else ():
        dice, _, kind = part.partition(" ")
        yield _part(dice, kind)


def _part(dice: str, kind: str) -> str:
    plain = dice.replace(" ", "").replace("\N{MINUS SIGN}", "-").removesuffix("+0")
    return f"{plain} {kind}".strip().lower()


def _without_save(feature: Feature, text: str, damage: str) -> str:
    """Remove the saving throw and the damage for each result from a text, if they repeat the feature's numbers."""
    if head := _SAVE.match(text):
        if head["ability"][:3].lower() != feature.save or int(head["dc"]) != feature.dc:
            return text
        whom = head["rest"].strip()
        area = _AREA.fullmatch(whom)
        whom = "" if area and _same_area(area["area"], feature.area) else whom.lstrip(", .")
        rest = text[head.end() :]
        if failed := _FAILED.match(rest):
            line, mark, after = rest[failed.end() :].partition("\n")
            remaining = _without_damage(line, damage, line) if damage else line
            rest = f"{f'{failed[0]}{remaining}' if remaining else ''}{mark if remaining else ''}{after}".strip()
        if feature.half:
            rest = _HALVED.sub("", rest).strip()
        return "\n".join(part for part in (whom[:1].upper() + whom[1:], rest.strip()) if part)
    return _ASKED.sub(lambda match: "" if _is_asked(match, feature, damage) else match[0], text).strip()


def _is_asked(match: re.Match[str], feature: Feature, damage: str) -> bool:
    """Return whether a sentence only repeats the feature's save, its damage, and half damage on a success."""
    dealt = feature.save_damage or damage
    return (
        feature.half
        and match["ability"][:3].lower() == feature.save
        and int(match["dc"]) == feature.dc
        and bool(dealt)
        and _without_damage(match["dealt"], dealt, "-") == ""
    )


def _same_area(text: str, area: str) -> bool:
    """Return whether a text describes a feature's area, with the same numbers and the same shape."""
    origin = re.split(r" (?:originating|centered|centred)\b", text, maxsplit=1)
    words = re.findall(r"[a-z]+", area.lower())
    shape = next((word for word in words if word not in ("foot", "feet", "wide", "high", "long")), "")
    shapes = {_SHAPES.get(word, word) for word in re.findall(r"[a-z]+", origin[0].lower())}
    return len(origin) == 1 and _NUMBER.findall(text) == _NUMBER.findall(area) and _SHAPES.get(shape, shape) in shapes


def _is_multiattack(feature: Feature, text: str, names: dict[str, str]) -> bool:
    """Return whether a text only lists the attacks of a multiattack with a single variant."""
    match = _MAKES.fullmatch(text)
    if match is None or len(feature.multiattack) != 1:
        return False
    expected = {names.get(id, id).lower().removesuffix("s"): count for id, count in feature.multiattack[0]}
    listed = {}
    for part in re.split(r",? and |, ", match["list"]):
        count_match = _COUNTED.fullmatch(part)
        if count_match is None:
            return False
        listed[count_match["name"].lower().removesuffix("s")] = _NUMBERS[count_match["count"].lower()]
    return listed == expected


_ENDS_OF_SENTENCES = re.compile(
    r"(?<=[.!?])(?<!\bvs\.)(?<!\be\.g\.)(?<!\bi\.e\.)\s+"
    r"(?=[^\W\d_a-z]|(?<!\bft\.\s)(?<!\blb\.\s)(?<!\bmin\.\s)[\W\d_])"  # excludes small letters and `15 ft. (hover)`
)
_WORDS = re.compile(r"\d+d\d+(?: ?[+−-] ?\d+)?|[^\W\d_]+|\d+")
_DICE = re.compile(r"\d*d\d+")
_DISTANCES = re.compile(r"(\d+)(?:/\d+)?(?=[ -]?(?:feet|foot|ft\b|m\b|metres?|wide|long|$))")
_HALF_DAMAGE = re.compile(
    r"\bhal(?:f(?!(?: \w+){0,2} (?:speed|movement|cover|hit points)\b)|ves|ved)\b|\bbasic\b", re.IGNORECASE
)
_LINKS: Final = (
    "a", "an", "the", "of", "or", "and", "on", "in", "to", "with", "from", "target", "creature", "save",
    "saves", "saving", "throw", "against", "dc", "feet", "foot", "ft", "m", "metres", "must", "make", "makes",
    "take", "takes", "taking", "damage", "is", "be", "this", "that", "thing", "fails", "failed", "failure",
)  # fmt: skip
_HALF: Final = ("half", "basic", "success", "successful", "it", "as", "much")
_ENDS: Final = ("until", "end", "start", "of", "its", "their", "her", "his", "next", "turn")
# Words of sentences that say more than numbers.
_FURTHER: Final = (
    "allies|also|can|can't|cannot|caster|choose|chooses|chosen|each time|ending|ends?|enemies|except|first|if|ignores?|immune|"
    "instead|living|may|more|no|not|once|one|only|other|plants?|pulled|pushed|regains?|speed|starts?|targets?|then|turns?|two|undead|"
    "unless|until|when|whenever|while"
)
_ALL: Final = ("everybody", "everyone", "each", "every", "all", "those", "within", "who")
_ONE: Final = ("one", "within")


def sentences(text: str) -> list[str]:
    """Split prose into its sentences. Abbreviations, such as `15 ft. of it`, don't end one."""
    return _ENDS_OF_SENTENCES.split(text)


def without_repeated_sentences(feature: Feature, text: str, names: StatBlockNames) -> str:
    """Remove the sentences from prose in which every word and number repeats one of the feature's fields."""
    known_words = _known_words(feature, names)
    headings = feature.properties if names.style == "classic" else ()
    lines = (_kept(sentences(line), headings, known_words) for line in text.split("\n"))
    return "\n".join(lines).strip()


def _kept(parts: list[str], headings: tuple[str, ...], known: frozenset[str]) -> str:
    """Return the sentences that add something. A heading stays if a sentence below it does."""
    kept: list[str] = []
    for part in reversed(parts):
        if (kept and part.lower().rstrip(".").replace(" ", "-") in headings) or not _is_known(part, known):
            kept.insert(0, part)
    return " ".join(kept)


def without_repeated_figures(feature: Feature, text: str, names: StatBlockNames) -> str:
    """Remove the sentences that only repeat the numbers shown before a line of text.

    Properties of weapons and single words stay, because they aren't numbers.
    """
    known = _known_words(msgspec.structs.replace(feature, properties=()), names)
    figures, further = _shown(feature, names)

    def is_new(sentence: str) -> bool:
        plain = sentence.replace(" + ", "+")
        rest = figures.sub("", plain)
        is_known = len(_WORDS.findall(sentence)) > 1 and _is_known(sentence, known)
        return not is_known and (rest == plain or further.search(rest) is not None)

    lines = (" ".join(filter(is_new, sentences(line))) for line in text.split("\n"))
    return "\n".join(filter(None, lines))


def _shown(feature: Feature, names: StatBlockNames) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a pattern for the numbers of a feature in prose, and one for numbers and words that say more than them."""
    distances = re.findall(r"\d+", f"{feature.area} {feature.range}") if feature.damage or feature.save else ()
    phrases = [rf"within {n} (?:feet|ft\.?)|\b{n}-foot\b" for n in distances]
    dealt = (part.partition(" ")[0] for text in (feature.damage, feature.save_damage) for part in text.split(" + "))
    phrases += [rf"(?:\d+ \()?(?<!\d){re.escape(dice)}(?!\d)\)?" for dice in (*dealt, feature.heals) if dice]
    phrases += [rf"DC {feature.dc}\b"] if feature.save else []
    phrases += [rf"can't use [\w ']+ again for {feature.rests} rounds"] if feature.rests else []
    inflicted = ((names.conditions.get(each.condition, each.condition), each) for each in feature.afflictions)
    phrases += [rf"\b{name} {each.value}\b(?: for {each.lasts}\b)?" for name, each in inflicted if each.value]
    succeeds = () if feature.half else ("succeeds|success(?:ful)?",)  # a success has an effect
    further = rf"\d|\b(?:{'|'.join((_FURTHER, *succeeds, *map(re.escape, names.conditions.values())))})\b"
    return re.compile("|".join(phrases) or "(?!)", re.IGNORECASE), re.compile(further, re.IGNORECASE)


def _is_known(sentence: str, known: frozenset[str]) -> bool:
    words = _WORDS.findall(sentence.lower())
    return bool(words) and all(word.replace(" ", "").replace("\N{MINUS SIGN}", "-") in known for word in words)


def _known_words(feature: Feature, names: StatBlockNames) -> frozenset[str]:
    """Return the words and numbers in a feature's fields, in lower case."""
    texts = [feature.area, feature.range, feature.damage, feature.ongoing, feature.save_damage]
    words = {*_LINKS, *(str(number) for number in (feature.dc, feature.reach, abs(feature.push)) if number)}
    words |= {"pushed" if feature.push > 0 else "pulled"} if feature.push else set()
    words |= {word for number in texts for word in _WORDS.findall(number.lower())}
    words |= {f"{word}s" for word in _WORDS.findall(feature.ongoing.lower())}
    words |= {"persistent", "ongoing"} if feature.ongoing else set()
    for property_ in feature.properties:
        words |= {*property_.split("-"), *_WORDS.findall(property_.lower())}
    if feature.attack is not None:
        words |= {"whoever", "hit"}
    if feature.save:
        save_name = dict(names.data.terms).get(f"save.{feature.save}", names.say(f"save.{feature.save}"))
        words |= set(_WORDS.findall(f"{save_name} {names.abilities.get(feature.save, '')}".lower()))
    if feature.half:
        words |= set(_HALF)
    words |= set(_ALL if feature.area else _ONE)
    for affliction in feature.afflictions:
        words |= set(_WORDS.findall(f"{affliction.condition} {names.conditions.get(affliction.condition, '')}".lower()))
        words |= set(_ENDS) if affliction.ends in ("turn-end", "turn-start") else set()
    return frozenset(words)


def says_distance(text: str, figure: str) -> bool:
    """Return whether a text gives every distance in `figure` (`80/320`, `30-foot cone`)."""
    numbers = [number for match in _DISTANCES.finditer(figure) for number in re.findall(r"\d+", match.group())]
    numbers = numbers or re.findall(r"\d+", figure)
    in_text = set(_DISTANCES.findall(text))
    if not numbers:
        return bool(figure) and figure.lower() in text.lower()
    return f"{'/'.join(numbers)}" in text if "/" in figure else in_text.issuperset(numbers)


def says_save(text: str, dc: int, ability: str) -> bool:
    """Return whether a text asks for a save with an ability against a DC, not for a check or another save."""
    own = rf"\b(?:save|saves|saving|basic|{re.escape(ability)}(?! check| \())\b"
    near = rf"(?:(?!{ability and f'(?!{re.escape(ability)})'}(?:{_ABILITIES}|Fortitude|Reflex)\b)[^.;\n]){{0,40}}?"
    return bool(dc and re.search(rf"\b{dc}\b{near}{own}|{own}{near}\b{dc}\b", text, re.IGNORECASE))


def says_area(text: str, area: str) -> bool:
    """Return whether a text gives an area: its distances and its shape. A line may be said to be long."""
    shape = re.search(r"cone|cube|cylinder|square|wall", area.lower())
    return says_distance(text, area) and (shape is None or shape[0] in text.lower())


def says_half(text: str) -> bool:
    """Return whether a text says that damage is halved."""
    return bool(_HALF_DAMAGE.search(text))


def says_dice(text: str, damage: str) -> bool:
    """Return whether a text gives the dice of damage of one type, so that they needn't be repeated before it."""
    dice, _, kind = damage.partition(" ")
    if not _DICE.match(dice):
        return bool(kind) and damage in text
    found = re.search(rf"(?<!\d){re.escape(dice)}(?![\d+-])", re.sub(r"\s", "", text).replace("\N{MINUS SIGN}", "-"))
    return " + " not in damage and found is not None


def says_condition(text: str, name: str) -> bool:
    """Return whether a text names a condition."""
    return re.search(rf"\b{re.escape(name.lower())}\b", text.lower()) is not None
