"""The spell card: one line for the spell, its slot and its targets, and fields for all details.

The line also takes any other spell with its numbers. The card shows the spell's effect before it is cast.
"""

from collections.abc import Collection

import msgspec

from turnwright.encounter.field_specs import AbilityId, CombatantIds, PositiveOrNone, SpellId
from turnwright.encounter.prepared import Feature, Map
from turnwright.encounter.running import Combatant
from turnwright.play.actions.action import TakeAction
from turnwright.play.actions.use_feature import UseFeature, parse_cubes
from turnwright.play.attacks.attack_request import Attack
from turnwright.play.attacks.save_effect import PLANTS
from turnwright.play.kernel.transaction import Command
from turnwright.rules.parts.actions import spell_features
from turnwright.rules.parts.actions.condition_words import line_words
from turnwright.rules.parts.actions.triggered_features import heals_targets
from turnwright.rules.parts.attacks.attack_targeting import is_attack
from turnwright.rules.parts.conditions.rule_words import RuleWordsError, read_rules
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.system import labels_of
from turnwright.rules.system_data.numbers import ActionOption, Spell
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.shared.why_stat_block import caster_lines
from turnwright.ui.docks.turn.forms import spell_line
from turnwright.ui.docks.turn.forms.action_form import NO_CAPTION, AreaUse, Asked, ChipLine, rules_card
from turnwright.ui.docks.turn.forms.action_forms import OptionForm, has_targets, slot_picks, summary_of, with_ended
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import PickOption
from turnwright.ui.widgets.rules.why import Explanation
from turnwright.ui.widgets.typed.line_text import ChipView, unknown_chip

MOST_OFFERED = 10
SEPARATOR = " · "
LETTERS = "abcdefghijklmnopqrstuvwxyz"
USUAL_PRICE = "2"  # of an unlisted spell, if the rule system lists prices


class SpellDraft(msgspec.Struct, frozen=True):
    """The entered values of a spell: the line (`name`), the listed spell, and its details, cost, targets and area.

    `price` is one of the prices that the rule system lists. `points` is any number, if the price depends on the spell.
    """

    spell: SpellId = ""
    name: str = ""
    cost: str = ""
    price: str = ""
    points: PositiveOrNone = 0
    save: AbilityId = ""
    dc: PositiveOrNone = 0
    half: bool = True
    damage: str = ""
    concentration: bool = False
    targets: CombatantIds = ()
    cubes: str = ""
    spared: bool = False
    things: tuple[str, ...] = ()
    slot: str = ""


class CastSpellForm(OptionForm):
    """Casts a spell of the stat block, of the rule system, or any other with its numbers."""

    icon, another = "magic-staff", "ui.cast.another"
    skipped = ("damage", "targets", "cubes", "things", "slot", "price", "points", "cost")
    repeats = True

    def __init__(self, document: DocumentModel, who: str, option: ActionOption, line: str = "") -> None:
        self._last: tuple[str, object, spell_line.EnteredSpell] | None = None
        super().__init__(document, who, option, SpellDraft(name=line))
        self.button_text = tr("ui.cast.cast")

    def asked(self) -> list[Asked]:
        """Return the fields: those of a listed spell's area, or the save and damage of another, unless the line has them."""
        option = self._option
        prices = [PickOption(str(price), str(price)) for price in option.prices]
        is_listed = self._listed

        def is_free(value: SpellDraft) -> bool:
            return self._is_free(value) and not self._read(value).has_numbers

        price = Asked("price", lambda _value: prices, "actions") if prices else Asked("points")
        price = msgspec.structs.replace(price, shown_when=lambda value: self._listed(value) or not self._own(value))
        costs = [Asked("cost", self.costs, shown_when=lambda value: self._own(value) is None)]
        missing = "missing-spell" if "note" in option.asks else ""
        return [
            Asked("name", caption=NO_CAPTION, missing=missing, maker=self._line),
            Asked("slot", self._slots, shown_when=lambda value: len(self._slots(value)) > 1, default="first"),
            Asked("targets", lambda _value: self.everybody(), many=True),
            *(costs if len(option.payable) > 1 else []),
            *([] if option.price else [price]),
            Asked("save", self._saves, shown_when=is_free),
            Asked("dc", shown_when=lambda value: value.save and is_free(value), missing="missing-dc"),
            Asked("half", follows=True),
            Asked("damage", shown_when=is_free),
            Asked("concentration", follows=True),
            Asked("cubes", shown_when=lambda value: (spell := is_listed(value)) and spell.cubes),
            Asked("spared", shown_when=lambda value: (spell := is_listed(value)) and spell.excludes_plants),
            Asked("things", self._things, "in-the-area", lambda value: is_listed(value) and self._things(value), True),
        ]

    def _line(self, _request: object) -> ChipLine:
        return ChipLine("ui.cast.placeholder", "ui.action-form.spell", 40, self.chips, self.offers)

    def spell_words(self) -> spell_line.SpellWords:
        """Return the words of the line: the caster's spells and the targets with their letters."""
        spells = spell_line.known_spells(self.document.rules, self.creature)
        people = tuple((letter, pick.id, pick.label) for letter, pick in zip(LETTERS, self.everybody(), strict=False))
        return spell_line.SpellWords(spells, line_words(self.document.rules), people, self.document.rules)

    def offers(self) -> list[tuple[str, str]]:
        """Return the caster's spells, each with the letters to type."""
        words = self.spell_words()
        own = [known for known in words.spells if spell_line.is_own(known)]
        return [(words.shortest(known), known.name) for known in own[:MOST_OFFERED]]

    def area(self) -> AreaUse | None:
        """Return the area of a spell, or None if it has none. An area without a range in feet starts at the caster."""
        value = self.draft.value()
        source = self._listed(value) or self._own(value)
        if source is None or not source.area:
            return None
        return AreaUse(source.area, any(sign.isdigit() for sign in source.range))

    def settle(self, before: SpellDraft, after: SpellDraft, name: str) -> SpellDraft:
        """Return the entered draft. The slot and the targets in the line replace the chosen ones."""
        if name != "name":
            return after
        old, new = self._read(before), self._read(after)
        if new.targets != old.targets:
            after = msgspec.structs.replace(after, targets=())
        return msgspec.structs.replace(after, slot="") if new.number != old.number else after

    def fill(self, value: SpellDraft, entered: Collection[str]) -> SpellDraft:
        """Return the spell, completed with the values of the line, its usual cost, and the selected targets."""
        filled: SpellDraft = Asked("cost", self.costs, default="first").with_default(value, entered)
        read, option, change = self._read(filled), self._option, msgspec.structs.replace
        if filled.name.strip():
            filled = change(filled, spell=read.known.spell if read.known is not None else "")
        listed = self._listed(filled)
        if listed is not None and "cost" not in entered and (len(option.payable) < 2 or listed.cost in option.payable):
            filled = change(filled, cost=listed.cost)
        if "price" not in entered and option.prices:
            own = read.known.feature if read.known is not None else None
            source = own if own is not None else listed
            price = source.price if source is not None else USUAL_PRICE if filled.name.strip() else ""
            filled = change(filled, price=str(price) if price and int(price) in option.prices else filled.price)
        if read.number and not self._has_levels() and "points" not in entered:
            filled = change(filled, points=read.number)
        filled = change(filled, targets=filled.targets or read.targets or self._usual_targets(filled, read))
        if not filled.slot and self._has_levels() and read.number:
            filled = change(filled, slot=str(read.number))
        slots = self._slots(filled)
        if filled.slot not in {pick.id for pick in slots}:
            able = [pick.id for pick in slots if not pick.refused] or [pick.id for pick in slots]
            filled = change(filled, slot=next(iter(able), ""))
        return change(filled, dc=self.caster.dc) if filled.save and "dc" not in entered else filled

    def _usual_targets(self, value: SpellDraft, read: spell_line.EnteredSpell) -> tuple[str, ...]:
        """Return the selected combatants as targets of a spell that affects any. Its caster can't be its only victim."""
        means = self._means(value, read)
        if means is None or not (has_targets(means) or means.effect or means.temp):
            return ()
        known = {pick.id for pick in self.everybody()}
        selected = tuple(who for who in self.document.selected_combatants if who in known)
        is_helpful = heals_targets(means) or not (means.save or means.damage)
        return selected if is_helpful else tuple(who for who in selected if who != self.who)

    def missing(self, value: SpellDraft) -> str:
        """Return a message about a missing or invalid value, or an empty string if the form is complete."""
        read = self._read(value)
        if wrong := self._mistake(value, read):
            return wrong
        if missing := super().missing(value):
            return missing
        if read.save and not (read.dc or self.caster.dc):
            return tr("ui.action-form.missing-dc")
        means = self._means(value, read)
        if means is not None and is_attack(means) and not self._listed(value) and len(value.targets) != 1:
            return tr("ui.action-form.missing-target")
        if self._own(value) is None and not self._option.price and not self._price(value):
            return tr("ui.action-form.missing-actions" if self._option.prices else "ui.action-form.missing-points")
        try:
            parse_cubes(value.cubes.strip())
        except ValueError:
            return tr("ui.action-form.bad-cubes")
        return ""

    def _mistake(self, value: SpellDraft, read: spell_line.EnteredSpell) -> str:
        """Return a message about a word of the line that wasn't understood, or an empty string."""
        if read.unknown:
            return tr("ui.condition.unknown", what=read.unknown)
        slots = {pick.id for pick in self._slots(value)}
        if read.number and slots and str(read.number) not in slots:
            return tr("ui.cast.no-slot", who=labels_of(self.document.encounter, (self.who,)), level=read.number)
        is_plain = self._is_free(value) and not (value.save or value.damage or value.concentration or read.has_numbers)
        near = spell_line.nearest_spell(read.name, self.spell_words()) if is_plain else ""
        return tr("ui.condition.unknown-near", what=read.name, near=near) if near else ""

    def warning(self) -> str:
        """Return a warning if a spell that affects targets has none."""
        value = self.draft.value()
        means = self._means(value, self._read(value))
        needs = means is not None and has_targets(means) and means.range != "self"
        return tr("ui.cast.no-targets") if needs and not value.targets else ""

    def command(self, value: SpellDraft) -> Command | None:
        """Return the command that casts the spell, or one that only pays the cost if no effect was entered."""
        read, own = self._read(value), self._own(value)
        if own is not None:
            given = spell_features.with_changes(own, self._described(value, read, None)) if read.has_numbers else None
            has_variants = given is None and spell_features.has_variants(self.document.rules, own)
            if is_attack(given or own) and not has_variants:
                return Attack(self.who, next(iter(value.targets), ""), own.id, given)
            level = int(value.slot) if value.slot else None
            return UseFeature(self.who, own.id, given, targets=value.targets, level=level, origin=self.origin)
        listed, price = self._listed(value), self._price(value)
        damage = value.damage.strip()
        has_effect = listed or damage or value.save or value.concentration or read.has_numbers
        if not (has_effect or value.targets or read.number):
            return TakeAction(self.who, self._option.id, note=read.name, cost=value.cost, points=price or None)
        longer = value.cost in dict(self._option.takes)
        feature = self._described(value, read, listed)
        feature = msgspec.structs.replace(feature, cost="action" if longer else value.cost, price=price or 1)
        if listed is None and is_attack(feature):
            return Attack(self.who, next(iter(value.targets), ""), feature.id, feature)
        return UseFeature(
            self.who,
            given=feature,
            spell=value.spell,
            targets=value.targets,
            level=int(value.slot) if value.slot else read.number or None if self._has_levels() else None,
            cubes=parse_cubes(value.cubes.strip()),
            exempt=(PLANTS,) if value.spared else (),
            objects=value.things,
            action=self._option.id if longer else "",
            cost=value.cost if longer else "",
            origin=self.origin,
        )

    def _described(self, value: SpellDraft, read: spell_line.EnteredSpell, listed: Spell | None) -> Feature:
        """Return the spell as described by the fields and the line."""
        caster = self.caster
        from_line = listed or read.has_numbers
        damage = read.damage if from_line else value.damage.strip()
        save, dc, half = (read.save, read.dc, read.half) if from_line else (value.save, value.dc, value.half)
        attack = read.attack if read.attack is not None else caster.attack if read.attacks else None
        try:
            effect = read_rules(read.rules, self.document.rules)
        except RuleWordsError:
            effect = ()
        return Feature(
            value.spell or f"spell.{'-'.join(read.name.lower().split())}",
            listed.name if listed else read.name or self._option.name,
            "action",
            attack=attack,
            save=save,
            dc=dc or (caster.dc if save else 0),
            half=bool(save) and half,
            damage=damage,
            heals=read.heals,
            level=None if listed or not self._has_levels() else read.number or None,
            concentration=value.concentration or read.is_held,
            properties=("spell",),
            effect=effect,
            lasts=read.lasts,
        )

    def chips(self) -> list[ChipView]:
        """Return the chips that show how the line was read: name, level, slots left, targets and other details."""
        value = self.draft.value()
        read, own, listed = self._read(value), self._own(value), self._listed(value)
        name = own.name if own is not None else listed.name if listed is not None else read.name
        level = value.slot or (str(read.number) if read.number and self._has_levels() else "")
        chips = [ChipView(name, "accent", "magic-staff")]
        chips += [ChipView(tr("ui.cast.level", level=level))] if level else []
        if value.slot:
            left = remaining_uses(self.document.encounter, self.who, f"slots.{value.slot}")
            of = dict(self.creature.slots).get(value.slot, 0)
            chips.append(ChipView(tr("ui.action-form.left", left=left, of=of)))
        chips += [ChipView(labels_of(self.document.encounter, value.targets), "", "target")] if value.targets else []
        texts = (read.rules, read.lasts, tr("ui.cast.concentration") if self._is_held(value) else "")
        chips += [ChipView(text) for text in texts if text]
        chips += [ChipView(tr("ui.cast.others", names=", ".join(read.others)))] if read.others else []
        return [*chips, *([unknown_chip(read.unknown, "")] if read.unknown else [])]

    def text(self) -> str:
        """Return the numbers of the spell with their reasons, and the concentration that it ends.

        Without a spell, return the slots of the caster.
        """
        value = self.draft.value()
        read, listed = self._read(value), self._listed(value)
        if not value.name.strip() and not value.spell:
            return self._slot_boxes()
        means = self._means(value, read)
        shown = ""
        if listed is not None and listed.cubes:
            shown = tr("ui.action-form.cubes-of", count=listed.cubes, feet=listed.cube)
        elif means is not None:
            means = spell_features.with_casters_dc(means, self.caster)
            shown = SEPARATOR.join(filter(None, (self._numbers(means), self._reasons(means))))
        return with_ended(self.document, self.who, shown) if self._is_held(value) else shown

    def _numbers(self, means: Feature) -> str:
        bonus = means.attack if means.attack is not None else self.caster.attack if is_attack(means) else None
        hits = tr("ui.cast.to-hit", bonus=signed_text(bonus)) if bonus is not None else ""
        name = explainer(self.document).name
        inflicted = (name(f"<condition.{each.condition}>").lower() for each in means.afflictions)
        most = tr("ui.cast.targets", n=means.targets) if means.targets else ""
        parts = (hits, summary_of(self.document, means), *dict.fromkeys(inflicted), most)
        return ", ".join(part for part in parts if part)

    def _reasons(self, means: Feature) -> str:
        """Return the calculation of the DC or the attack bonus, or an empty string if it isn't calculated."""
        rules, creature = self.document.rules, self.creature
        supplied = self.document.encounter.need(Combatant, self.who).supplied_numbers
        number = spell_features.spell_dc(rules, creature, supplied) if means.save else None
        if is_attack(means):
            number = spell_features.spell_attack(rules, creature, supplied)
        shown = means.dc if means.save else number.total if number is not None else 0
        if number is None or number.total != shown or len(number.parts) < 2:
            return ""
        name = explainer(self.document).name
        return f"{shown} = {' + '.join(f'{part.value} {name(part.reason)}' for part in number.parts)}"

    def _slot_boxes(self) -> str:
        """Return the caster's slots as boxes, filled if they are left."""
        boxes = []
        for level, maximum in self.creature.slots:
            left = remaining_uses(self.document.encounter, self.who, f"slots.{level}")
            boxes.append(f"{level} {'■' * left}{'□' * (maximum - left)}")
        return tr("ui.cast.slots", slots="   ".join(boxes)) if boxes else ""

    def why(self) -> Explanation | None:
        """Return a card with the reasons of the caster's numbers and the rules of casting."""
        card = super().why() or rules_card(self.document, self._option.name, ())
        combatant = self.document.encounter.get(Combatant, self.who)
        lines = caster_lines(self.document, combatant) if combatant is not None else ()
        return msgspec.structs.replace(card, lines=(*lines, *card.lines))

    def _has_levels(self) -> bool:
        """Whether a number in the line is the level of a slot. Otherwise it is the price."""
        return bool(self._option.price or self._option.prices)

    def _read(self, value: SpellDraft) -> spell_line.EnteredSpell:
        key = (value.name, self.document.encounter)
        if self._last is None or self._last[0] != key[0] or self._last[1] is not key[1]:
            self._last = (*key, spell_line.read_spell(value.name, self.spell_words()))
        return self._last[2]

    def _means(self, value: SpellDraft, read: spell_line.EnteredSpell) -> Feature | None:
        """Return the spell as it will be cast, or None without a name."""
        own, listed = self._own(value), self._listed(value)
        level = int(value.slot) if value.slot else read.number if self._has_levels() else 0
        if own is not None:
            same = spell_features.listed_spell(self.document.rules, own)
            if read.has_numbers:
                return spell_features.with_changes(own, self._described(value, read, None))
            if same is not None and spell_features.is_better_described(same, own):
                usual = spell_features.spell_feature(same, self.caster, level=level or own.level or 0)
                return spell_features.with_printed_numbers(usual, own) if level in (0, own.level) else usual
            return spell_features.raised(own, same, level) if same is not None and level else own
        if listed is not None:
            known, caster = self._known(value), self.caster
            printed = known.feature if known is not None else None
            slot = spell_features.slot_level(listed, self.creature)
            usual_level = spell_features.rank_of(listed, printed, caster) if printed else slot
            usual = spell_features.spell_feature(listed, caster, level=level or usual_level, price=self._price(value))
            given = self._described(value, read, listed)
            return spell_features.with_details(listed, usual, given) if read.has_numbers else usual
        return self._described(value, read, None) if read.name else None

    def _is_held(self, value: SpellDraft) -> bool:
        means = self._means(value, self._read(value))
        return value.concentration or (means is not None and means.concentration)

    def _is_free(self, value: SpellDraft) -> bool:
        """Whether a name is entered that isn't the name of a known spell."""
        return bool(value.name.strip()) and not value.spell and self._own(value) is None

    def _known(self, value: SpellDraft) -> spell_line.KnownSpell | None:
        return self._read(value).known if value.name.strip() else None

    def _own(self, value: SpellDraft) -> Feature | None:
        """Return the spell of the stat block, unless another price is chosen for it."""
        known = self._known(value)
        if known is None or known.feature is None:
            return None
        return None if known.spell and self._price(value) not in (0, known.feature.price) else known.feature

    def _slots(self, value: SpellDraft) -> list[PickOption]:
        known = self._known(value)
        own, listed = known.feature if known is not None else None, self._listed(value)
        source = own if own is not None else listed
        return slot_picks(self.document, self.who, source.level if source is not None else None)

    def _price(self, value: SpellDraft) -> int:
        return int(value.price) if value.price else value.points

    def _listed(self, value: SpellDraft) -> Spell | None:
        return next((spell for spell in self.document.rules.data.spells if spell.id == value.spell), None)

    def _saves(self, _value: object) -> list[PickOption]:
        data = self.document.rules.data
        names = dict(data.presentation.saves) or {ability.id: ability.id.upper() for ability in data.abilities}
        tips = {ability.id: ability.name for ability in data.abilities}
        saves = (PickOption(id, name, tips.get(id, "")) for id, name in names.items())
        return [PickOption("", explainer(self.document).text("option.no_save")), *saves]

    def _things(self, value: SpellDraft) -> list[PickOption]:
        """Return the objects on the map that a listed spell can ignite."""
        listed = self._listed(value)
        field = self.document.encounter.get(Map, "map") if listed and listed.ignites else None
        obstacles = field.obstacles if field is not None else ()
        targets = (obstacle for obstacle in obstacles if obstacle.flammable and not obstacle.attended)
        return [PickOption(target.id, target.name or target.id) for target in targets]
