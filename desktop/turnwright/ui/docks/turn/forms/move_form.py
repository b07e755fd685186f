"""The form of a move: its distance, mode and terrain, its cost, and optional details."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Annotated, Literal

import msgspec

from turnwright.encounter.field_specs import CombatantId, CombatantIds, EnvironmentId, FieldSpec, SpeedId
from turnwright.encounter.prepared import Environment, Scene
from turnwright.encounter.running import Combatant, Relation
from turnwright.play.movement.commanded_move import MoveFeet
from turnwright.play.movement.preview import MovePreview, preview_move
from turnwright.play.queries.queries import movement_of
from turnwright.rules.parts import positions
from turnwright.rules.parts.movement.move_legs import stride_action, stride_action_for
from turnwright.rules.parts.movement.move_vetoes import drag_vetoes
from turnwright.rules.parts.movement.opportunity_attacks import opportunity_attacks
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.cards.attack_card import combatants_in_order
from turnwright.ui.docks.turn.forms.action_form import NO_CAPTION, ActionForm, Asked
from turnwright.ui.forms.fields import CheckBoxField, ChoiceField, NumberInput
from turnwright.ui.forms.kinds import FieldMaker
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.pick_row import PickOption
from turnwright.ui.widgets.rules.why import Explanation

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
        preview = self._preview()
        if preview is None:
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
        return positions.space(self.document.encounter, self.document.rules, self.who) is not None

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
