"""The forms of conditions and moves.

The form of a condition: a line of text (`poi 3`), chips that show its interpretation, and the duration.

A condition is applied with Enter to the selected combatants, or to the active one if none is selected.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Annotated, Any, Literal

import msgspec

from turnwright.encounter.field_specs import AbilityId, CombatantId, CombatantIds, EnvironmentId, FieldSpec, SpeedId
from turnwright.encounter.prepared import Environment, Scene
from turnwright.encounter.running import Combatant, Duration, Effect, Relation
from turnwright.encounter.state import clock_of, scene_of
from turnwright.play.effects.conditions import ApplyCondition, held_levels
from turnwright.play.movement.commanded_move import MoveFeet, MovePreview, preview_move
from turnwright.play.queries.queries import active_combatants, movement_of
from turnwright.rules.parts.actions import condition_words
from turnwright.rules.parts.actions.effect_words import EnteredEffect, completed, read_effect
from turnwright.rules.parts.conditions.rule_words import KNOWN, RuleWordsError, read_rules, write_rules
from turnwright.rules.parts.movement.move_legs import opportunity_attacks, stride_action, stride_action_for
from turnwright.rules.parts.movement.routes import drag_vetoes
from turnwright.rules.parts.positions import geometry
from turnwright.rules.system import labels_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.cards.attack_card import combatants_in_order
from turnwright.ui.docks.turn.forms.action_form import NO_CAPTION, ActionForm, Asked, ChipLine
from turnwright.ui.forms.fields import CheckBoxField, ChoiceField, NumberInput, SegmentsField
from turnwright.ui.forms.kinds import FieldMaker
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import PickOption
from turnwright.ui.widgets.rules.why import Explanation
from turnwright.ui.widgets.typed.line_text import ChipView, condition_chips, unknown_chip

LASTING = ("removed", "rounds", "turn", "save")
COUNTED = ("rounds", "turn")
COMMON = 8
Rounds = Annotated[int, FieldSpec(least=1, most=100_000, allows_zero=True, zero_is_none=True)]
Level = Annotated[int, FieldSpec(least=1, most=100, allows_zero=True, zero_is_none=True)]


class ConditionDraft(msgspec.Struct, frozen=True):
    """A condition as entered. Values that aren't empty were chosen by button or field, and override the line."""

    line: str = ""
    lasts: condition_words.Lasting | Literal[""] = ""
    rounds: Rounds = 0
    moment: Literal["", "turn-start", "turn-end"] = ""
    whose: Literal["", "active", "bearer"] = ""
    save: AbilityId = ""
    dc: Level = 0
    level: Level = 0


class ConditionForm(ActionForm):
    """Applies a condition to the selected combatants, or to the active one if none is selected."""

    icon, tone, words = "alert-circle-outline", "warn", "ui.condition"
    skipped = ("lasts", "rounds", "moment", "whose", "save", "dc", "level")
    repeats = flows = True

    def __init__(self, document: DocumentModel) -> None:
        words = condition_words.line_words(document.rules)
        self.line_words = msgspec.structs.replace(words, effects=_effects(document))
        self._insists = ""  # the line with which the user insists on a name that seems mistyped
        super().__init__(document, "", "", ConditionDraft())
        self.button_text = tr("ui.condition.add")

    def asked(self) -> list[Asked]:
        """Return the line, the duration with its details, and the level."""
        saves = [(id, names[-1]) for id, names in self.line_words.saves]
        return [
            Asked("line", caption=NO_CAPTION, maker=self._line),
            Asked("lasts", caption="how-long", maker=_segments(self._endings)),
            Asked("rounds", caption=NO_CAPTION, shown_when=lambda value: value.lasts == "rounds", follows=True),
            Asked(
                "moment",
                caption="counted-at",
                shown_when=lambda value: value.lasts in COUNTED,
                maker=_segments(lambda: [(id, id) for id in ("turn-start", "turn-end")]),
            ),
            Asked("whose", caption="turn-of", maker=lambda _request: SegmentsField(self._bearers), follows=True),
            Asked(
                "save",
                caption=NO_CAPTION,
                shown_when=lambda value: value.lasts == "save",
                maker=lambda _request: SegmentsField(lambda: saves, tr("ui.condition.save")),
            ),
            Asked("dc", follows=True),
            Asked("level", shown_when=lambda value: value.level),
        ]

    def _line(self, _request: object) -> ChipLine:
        words = self.line_words
        common = [(words.shortest(word), word.name) for word in words.conditions[:COMMON]]
        complete = partial(completed, words=words)
        return ChipLine("ui.condition.placeholder", "ui.condition.name", 48, self.chips, lambda: common, complete)

    def heading(self) -> str:
        """Return the title with the targets."""
        targets = self.targets()
        acting = targets == (self._active(),)
        key = "nobody" if not targets else "acting" if acting else "on" if len(targets) == 1 else "on-many"
        return tr(f"ui.condition.title-{key}", who=labels_of(self.document.encounter, targets), n=len(targets))

    def targets(self) -> tuple[str, ...]:
        """Return the selected combatants, or the active one if none is selected."""
        encounter, active = self.document.encounter, self._active()
        selected = tuple(who for who in self.document.selected_combatants if encounter.get(Combatant, who) is not None)
        return selected or ((active,) if active else ())

    def fill(self, value: ConditionDraft, entered: object) -> ConditionDraft:
        """Return the draft, completed with the values read from the line and the usual way to count a duration.

        `turn` means until the end of the affected creature's own turn.
        """
        read, active = self._read(value).read, self._active()
        lasts = value.lasts or read.lasts
        bearer = not active or (lasts == "turn" and self.targets() != (active,))
        held = self._held_level(read)
        level = value.level or read.level or (0 if held is None else held + 1)  # if they differ, each gets one more
        has_level = any(word.has_level for word in self.line_words.conditions if word.id == read.condition)
        return ConditionDraft(
            value.line,
            lasts,
            value.rounds or read.rounds or int(lasts == "rounds"),
            value.moment or ("turn-end" if lasts == "turn" else "turn-start"),
            value.whose or ("bearer" if bearer else "active"),
            value.save or read.save,
            value.dc or read.dc,
            level if has_level else 0,
        )

    def settle(self, before: ConditionDraft, after: ConditionDraft, name: str) -> ConditionDraft:
        """Return the entered draft. Typing replaces the chosen values, and another duration is counted as usual."""
        if name == "line":
            after = ConditionDraft(after.line, moment=after.moment, whose=after.whose)
        changes = self.fill(after, ()).lasts != before.lasts
        return msgspec.structs.replace(after, moment="", whose="") if changes else after

    def command(self, value: ConditionDraft) -> ApplyCondition | None:
        """Return the command, or None if something is missing or wasn't understood."""
        effect, targets, active = self._read(value), self.targets(), self._active()
        read, holder = effect.read, self._holder(effect)
        lacks_holder = effect.is_held and not holder and (effect.known is None or effect.holder)
        if not (read.condition and targets) or read.unknown or effect.unknown_rule or lacks_holder:
            return None
        known = effect.known
        uses = int(effect.is_once) or (known.uses if known is not None else 0)
        rules = known.words if known is not None else effect.rules
        bare = ApplyCondition(targets, read.condition, value.level, rules=rules, held_by=holder, uses=uses)
        change = msgspec.structs.replace
        if value.lasts == "removed":
            return bare if known is None or not known.has_end else change(bare, ends=Duration("encounter"))
        if value.lasts == "save":
            return change(bare, save=value.save, dc=value.dc)
        if rest := condition_words.RESTS.get(value.lasts):
            return change(bare, ends=Duration(rest))
        rounds = value.rounds if value.lasts == "rounds" else 1
        if value.whose == "bearer" or not active:
            return change(bare, rounds=rounds, counted="affected" if value.moment == "turn-end" else "creator")
        if value.lasts == "turn":
            return change(bare, ends=Duration(value.moment or "turn-end", active))
        if value.moment == "turn-start":
            return change(bare, rounds=rounds, by=active)
        return change(bare, ends=Duration(value.moment or "turn-end", active, rounds))

    def missing(self, value: ConditionDraft) -> str:
        """Return a message if the save that ends the condition is incomplete, or an empty string."""
        known = value.line.strip() and not self._read(value).read.unknown
        lacks_save = value.lasts == "save" and not (value.save and value.dc)
        return tr("ui.condition.missing-save") if known and lacks_save else ""

    def chips(self) -> list[Any]:
        """Return the chips that show how the condition was read, with its end if it is known."""
        value = self.draft.value()
        effect = self._read(value)
        read = effect.read
        lasting = (value.level, value.lasts, value.rounds, value.save, value.dc)
        entered = condition_words.EnteredCondition(read.condition, *lasting, read.unknown)
        chips = condition_chips(entered, self.line_words, self._ending(value), self._held_level(read) or 0)
        free = [ChipView(read.condition, "accent", "circle-medium")] if effect.is_free else []
        return [*free, *self._rule_chips(effect), *chips]

    def _rule_chips(self, effect: EnteredEffect) -> list[ChipView]:
        """Return the chips for the rules of an effect, and for the combatant that holds it."""
        chips, holder = [], self._holder(effect)
        rules = write_rules(effect.known.rules, self.document.rules) if effect.known is not None else effect.rules
        if rules:
            chips.append(ChipView(rules, "accent"))
        elif effect.is_free:
            chips.append(ChipView(tr("ui.condition.no-rules")))
        if effect.is_once:
            chips.append(ChipView(tr("ui.condition.once")))
        if holder:
            chips.append(ChipView(tr("ui.condition.holds", who=labels_of(self.document.encounter, (holder,)))))
        elif effect.is_held and (effect.known is None or effect.holder):
            chips.append(unknown_chip(effect.holder or "held", ""))
        if effect.unknown_rule:
            chips.append(ChipView(tr("ui.condition.no-rule", what=effect.unknown_rule, known=", ".join(KNOWN)), "warn"))
        return chips

    def _read(self, value: ConditionDraft) -> EnteredEffect:
        seconds = scene_of(self.document.encounter).round_seconds
        as_typed = bool(value.line) and value.line == self._insists
        return read_effect(value.line, self.line_words, self.document.rules, seconds, as_typed=as_typed)

    def insist(self) -> bool:
        """Take a name that seems mistyped as it is, if Enter is pressed on it."""
        self._insists = self.draft.value().line
        return bool(self._insists)

    def _holder(self, effect: EnteredEffect) -> str:
        """Return the combatant that concentrates on an effect, or an empty string."""
        if not effect.holder:
            return self._active() if effect.is_held else ""
        begin = effect.holder.lower()
        everyone = self.document.encounter.all(Combatant)
        return next((each.id for each in everyone if each.label.lower().startswith(begin)), "")

    def _active(self) -> str:
        acting = active_combatants(self.document.encounter)
        return acting[0].id if acting else ""

    def _held_level(self, read: condition_words.EnteredCondition) -> int | None:
        """Return the level that all targets have, or None if they differ."""
        document = self.document
        levels = held_levels(document.encounter, document.rules, self.targets(), read.condition) or {0}
        return levels.pop() if len(levels) == 1 else None

    def _endings(self) -> list[tuple[str, str]]:
        """Return the ends to choose from. A rest that was typed takes the place of the save, to keep the card narrow."""
        lasts = self.draft.value().lasts
        return [(id, f"lasts-{id}") for id in (*LASTING[:-1], lasts if lasts in condition_words.RESTS else LASTING[-1])]

    def _bearers(self) -> list[tuple[str, str]]:
        """Return the combatants whose turns can be counted: the active one and the affected ones."""
        encounter, targets, active = self.document.encounter, self.targets(), self._active()
        bearer = labels_of(encounter, targets) if len(targets) == 1 else tr("ui.condition.each")
        acting = [("active", labels_of(encounter, (active,)))] if active else []
        return [*acting, *([("bearer", bearer)] if targets != (active,) or not active else [])]

    def _ending(self, value: ConditionDraft) -> str:
        """Return a text about the end of the condition, or an empty string if the end is unknown."""
        active, encounter = self._active(), self.document.encounter
        if value.lasts not in COUNTED:
            return ""
        if value.whose == "bearer" or not active:
            own = value.lasts == "turn" and value.moment == "turn-end"
            return tr("ui.condition.ends-own-turn") if own else ""
        later = value.rounds if value.lasts == "rounds" else int(value.moment == "turn-start")
        who = labels_of(encounter, (active,))
        return tr(f"ui.condition.ends-{value.moment}", who=who, n=clock_of(encounter).round + later)


def _effects(document: DocumentModel) -> tuple[condition_words.KnownEffect, ...]:
    """Return the known effects: of the game's spells and of features first, then those used in this encounter."""
    effects = condition_words.known_effects(document.encounter, document.rules)
    known = {effect.name.lower(): effect for effect in effects}
    for step in document.source.session.history.applied:
        for change in step.changes:
            effect = change.after
            if isinstance(effect, Effect) and effect.rules and change.before is None:
                known.setdefault(effect.name.lower(), _with_words(condition_words.used_effect(effect), document))
    return tuple(known.values())


def _with_words(effect: condition_words.KnownEffect, document: DocumentModel) -> condition_words.KnownEffect:
    """Return a used effect with its rules in words, if they can be read again."""
    words = write_rules(effect.rules, document.rules)
    try:
        is_same = read_rules(words, document.rules) == effect.rules
    except RuleWordsError:
        is_same = False
    return msgspec.structs.replace(effect, words=words) if is_same else effect


def _segments(options: Any) -> FieldMaker:
    """Return a function that creates adjoining buttons for options, given as pairs of value and word key."""
    return lambda _request: SegmentsField(lambda: [(id, tr(f"ui.condition.{key}")) for id, key in options()])


MAX_FEET = 1000
HEADINGS = ("forward", "sideways", "back")
Distance = Annotated[int, FieldSpec(least=-MAX_FEET, most=MAX_FEET)]


class MoveDraft(msgspec.Struct, frozen=True):
    """A move as entered. The fields from `turned` on count only if `details` are shown."""

    feet: Distance = 0
    mode: SpeedId = ""
    through: EnvironmentId = ""
    details: bool = False
    turned: bool = False
    up: Distance = 0
    leaves: CombatantIds = ()
    drags: CombatantId = ""
    squeezing: bool = False
    heading: Literal["", "forward", "sideways", "back"] = ""
    keeps: CombatantIds = ()


class MoveForm(ActionForm):
    """Moves a distance. The form stays open for the next move, with the same mode and terrain."""

    icon, words = "run", "ui.turn"
    skipped = ("mode", "through")
    flows = stays_open = True
    is_checked = False  # the preview names what the rules are against

    def __init__(self, document: DocumentModel, who: str) -> None:
        super().__init__(document, who, document.words("ui.turn.move"), MoveDraft())

    def asked(self) -> list[Asked]:
        """Return the fields for distance, mode and terrain, and those for details."""
        detailed = [
            Asked("up", caption=NO_CAPTION, maker=self._distance("climb-name", "climb", -MAX_FEET)),
            Asked("squeezing", follows=True, maker=_tick("squeeze")),
            Asked("turned", shown_when=lambda value: value.through, follows=True, maker=_tick("turned")),
            Asked("heading", self._headings, "heading", lambda _value: self._headings(None), follows=True),
            Asked("drags", self._friends, "drag", lambda _value: self._friends(None)),
            Asked("leaves", self._foes, "leaves-reach", lambda _value: self._foes(None), many=True),
            Asked("keeps", self._near, "keeps-relation", lambda _value: self._near(None), many=True),
        ]
        return [
            Asked("feet", caption=NO_CAPTION, maker=self._distance("feet")),
            Asked("mode", follows=True, caption=NO_CAPTION, maker=_choice("mode", self._modes)),
            Asked(
                "through",
                caption=NO_CAPTION,
                shown_when=lambda _value: len(self._grounds()) > 1,
                follows=True,
                maker=_choice("ground", self._grounds),
            ),
            Asked("details", follows=True, maker=_tick("move-more")),
            *(msgspec.structs.replace(field, shown_when=_with_details(field)) for field in detailed),
        ]

    def fill(self, value: MoveDraft, entered: Collection[str]) -> MoveDraft:
        """Return the move, in the first mode unless another was chosen."""
        modes = [mode for mode, _name in self._modes()]
        return value if value.mode in modes else msgspec.structs.replace(value, mode=next(iter(modes), ""))

    def start_over(self) -> None:
        """Keep only the mode and the terrain, and whether details are shown."""
        value = self.draft.value()
        self.draft.start_over(MoveDraft(mode=value.mode, through=value.through, details=value.details))

    def command(self, value: MoveDraft) -> MoveFeet | None:
        """Return the command for the entered move, or None without a distance."""
        fields = msgspec.structs.asdict(value)
        if not fields.pop("details"):
            fields = {name: fields[name] for name in ("feet", "mode", "through")}
        return MoveFeet(self.who, **{**fields, "mode": value.mode or "walk"}) if value.feet else None

    def label(self) -> str:
        """Return the text of the button, with the cost of the move if movement costs actions."""
        lookup, rules, mode = self.document.encounter, self.document.rules, self.draft.value().mode or "walk"
        exists = lookup.get(Combatant, self.who) is not None
        option = stride_action_for(lookup, rules, self.who, mode) if exists else stride_action(rules, mode)
        if option is None:
            return self.title
        preview = self._preview()
        points = preview.points if preview is not None else 0
        price = rules.data.presentation.price(option.cost, points) if points else ""
        return f"{option.name}  {price or (f'({points})' if points else '')}".strip()

    def text(self) -> str:
        """Return the reason against the move, or its cost if it differs from the distance, or an empty string."""
        if (preview := self._preview()) is None:
            return ""
        if preview.vetoes:
            return explainer(self.document).veto_text(preview.vetoes[0])
        if preview.cost.total == self.draft.value().feet and not preview.provokes:
            return ""
        if preview.points:
            return tr("ui.turn.costs-bought", feet=preview.cost.total)
        return tr("ui.turn.costs", feet=preview.cost.total, left=preview.left_after)

    def warning(self) -> str:
        """Return the combatants that may attack as the combatant moves."""
        preview = self._preview()
        names = [self.document.encounter.need(Combatant, who).label for who in preview.provokes] if preview else []
        return tr("ui.turn.provokes", who=", ".join(names)) if names else ""

    def why(self) -> Explanation:
        """Explain the cost of the move, or the speed before a distance is entered."""
        explain, unit, preview = explainer(self.document), f" {tr('ui.general.feet')}", self._preview()
        if preview is None:
            mode = self.draft.value().mode
            movement = movement_of(self.document.encounter, self.document.rules, self.who)
            speed = next((entry.allowance for entry in movement if entry.mode == mode), None)
            return explain.explain_number(tr("ui.turn.speed"), speed, unit) if speed else Explanation(self.title, "")
        card = explain.explain_number(tr("ui.turn.cost"), preview.cost, unit)
        return msgspec.structs.replace(card, lines=(*explain.veto_lines(preview.vetoes), *card.lines))

    def _preview(self) -> MovePreview | None:
        """Return the preview of the move, or None if there is nothing to preview."""
        command, lookup = self.command(self.draft.value()), self.document.encounter
        can_preview = command is not None and lookup.get(Combatant, self.who) is not None
        return preview_move(lookup, self.document.rules, command) if command is not None and can_preview else None

    def _distance(self, name: str, prefix: str = "", least: int = 0) -> FieldMaker:
        def make(_request: object) -> NumberInput:
            field = NumberInput(least, MAX_FEET, tr("ui.general.feet"))
            field.box.setSingleStep(self.document.rules.data.grid.step)
            field.box.setPrefix(tr(f"ui.turn.{prefix}") if prefix else "")
            field.set_name(tr(f"ui.turn.{name}"))
            return field

        return make

    def _modes(self) -> list[tuple[str, str]]:
        movement = movement_of(self.document.encounter, self.document.rules, self.who)
        return [(entry.mode, explainer(self.document).name(f"<speed.{entry.mode}>")) for entry in movement]

    def _grounds(self) -> list[tuple[str, str]]:
        """Return normal terrain and the environments with special terrain."""
        places = [
            (place.id, place.name)
            for place in self.document.encounter.all(Environment)
            if any(row.enabled and row.terrain for row in place.features)
        ]
        return [("", tr("ui.turn.open-ground")), *places]

    @property
    def _is_on_grid(self) -> bool:
        return geometry.space(self.document.encounter, self.document.rules, self.who) is not None

    def _foes(self, _value: object) -> list[PickOption]:
        """Return the enemies whose reach the combatant may leave. On a grid the map knows them."""
        if self._is_on_grid:
            return []
        attacks = opportunity_attacks(self.document.encounter, self.document.rules, self.who)
        attackers = {attack.attacker for attack in attacks}
        return _picks([other for other in combatants_in_order(self.document) if other.id in attackers])

    def _near(self, _value: object) -> list[PickOption]:
        """Return the combatants with an entered relation to this one."""
        if self._is_on_grid:
            return []
        pairs = [{relation.who, relation.other} for relation in self.document.encounter.all(Relation)]
        return _picks([other for other in combatants_in_order(self.document) if {other.id, self.who} in pairs])

    def _friends(self, _value: object) -> list[PickOption]:
        """Return the combatants that can be dragged along."""
        lookup, rules = self.document.encounter, self.document.rules
        return _picks([other for other in self.others() if not drag_vetoes(lookup, rules, self.who, other.id)])

    def _headings(self, _value: object) -> list[PickOption]:
        scene = self.document.encounter.get(Scene, "scene") or Scene()
        return [PickOption(way, tr(f"ui.turn.heading-{way}")) for way in HEADINGS] if scene.rolling else []


def _picks(people: list[Combatant]) -> list[PickOption]:
    return [PickOption(person.id, person.label) for person in people]


def _choice(key: str, load_options: Callable[[], list[tuple[str, str]]]) -> FieldMaker:
    def make(_request: object) -> ChoiceField:
        field = ChoiceField(load_options=load_options)
        field.set_name(tr(f"ui.turn.{key}"))
        return field

    return make


def _tick(key: str) -> FieldMaker:
    return lambda _request: CheckBoxField(tr(f"ui.turn.{key}"))


def _with_details(field: Asked) -> Callable[[MoveDraft], object]:
    return lambda value: value.details and field.is_shown(value)
