"""The form of a feature without an attack roll: its targets, and the slot of a spell."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from turnwright.encounter.field_specs import CombatantIds
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.play.actions.use_feature import UseFeature
from turnwright.rules.parts import positions
from turnwright.rules.parts.actions.triggered_features import heals_targets
from turnwright.rules.parts.attacks.weapon_kind import is_spell
from turnwright.rules.parts.economy.limited_uses import remaining_uses
from turnwright.rules.system import creature_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.forms.action_forms import ActionForm, AreaUse, combatants_by_hostility, rules_card
from turnwright.ui.forms.form import Row, Rows
from turnwright.ui.forms.kinds import FieldMaker
from turnwright.ui.forms.pick_field import picked
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.pick_row import PickOption
from turnwright.ui.widgets.rules.explanation import Explanation


class FeatureUse(msgspec.Struct, frozen=True):
    """The targets of a feature, and the slot of a spell."""

    targets: CombatantIds = ()
    slot: str = ""


class UseFeatureForm(ActionForm):
    """Uses a feature without an attack roll on targets, with a slot if it is a spell."""

    def __init__(self, document: DocumentModel, who: str, feature: Feature, purpose: str = "") -> None:
        self._feature = feature
        self._purpose = purpose
        self.icon = "magic-staff" if is_spell(feature) else "flash"
        super().__init__(document, who, feature.name, FeatureUse())
        self.button_text = tr("ui.action-form.use")

    def rows(self) -> Rows:
        """Return the rows for targets and, if there is a choice, for slots."""
        return Row("targets"), Row("slot", shown_when=lambda _value, _context: len(self._slots()) > 1)

    def fields(self) -> dict[str, FieldMaker]:
        """Return the pick fields for combatants and slots."""
        targets = picked(self._targets, many=True)
        return {"targets": targets, "slot": picked(self._slots)}

    def area(self) -> AreaUse | None:
        """Return the feature's area, or None if it has none. An area without a range starts at the feature's owner."""
        return AreaUse(self._feature.area, bool(self._feature.range)) if self._feature.area else None

    def fill(self, value: FeatureUse, _entered: Collection[str]) -> FeatureUse:
        """Return the use. If there are several slots, the first is the default."""
        slots = self._slots()
        return value if value.slot or len(slots) < 2 else msgspec.structs.replace(value, slot=slots[0].id)

    def command(self, value: FeatureUse) -> UseFeature:
        """Return the command that uses the feature."""
        return UseFeature(
            self.who,
            self._feature.id,
            targets=value.targets,
            level=int(value.slot) if value.slot else None,
            purpose=self._purpose,  # type: ignore[arg-type]
        )

    def missing(self, value: FeatureUse) -> str:
        """Return a message if targets are missing, or an empty string."""
        return "" if value.targets else tr("ui.action-form.missing-targets")

    def _targets(self) -> list[PickOption]:
        """Return the combatants, enemies first, or allies first if the feature heals."""
        options = combatants_by_hostility(self.document, self.who)
        if not heals_targets(self._feature):
            return options
        return sorted(options, key=lambda option: positions.are_hostile(self.document.encounter, self.who, option.id))

    def _slots(self) -> list[PickOption]:
        lowest = self._feature.level
        if not lowest:
            return []
        combatant = self.document.encounter.need(Combatant, self.who)
        slots = creature_of(self.document.encounter, combatant).slots
        options = []
        for level, maximum in slots:
            if int(level) >= lowest and maximum:
                left = remaining_uses(self.document.encounter, self.who, f"slots.{level}")
                options.append(
                    PickOption(level, tr("ui.turn.slot", level=level), tr("ui.action-form.left", left=left, of=maximum))
                )
        return options

    def text(self) -> str:
        """Return the save, damage and area, or the feature's text if it has none of them."""
        feature, explain = self._feature, explainer(self.document)
        save = explain.name(f"<save.{feature.save}>") if feature.save else ""
        parts = (
            f"{tr('ui.prompt.dc', dc=feature.dc)} {save}" if save else "",
            feature.damage,
            tr("ui.action-form.heals", amount=feature.heals) if heals_targets(feature) else "",
            tr("ui.action-form.half-on-save") if feature.half else "",
            feature.area,
        )
        return ", ".join(part for part in parts if part) or feature.text

    def why(self) -> Explanation | None:
        """Return a card with the text of the feature."""
        feature = self._feature
        return rules_card(self.document, feature.name, (), feature.text) or Explanation(feature.name, "")


def has_targets(feature: Feature) -> bool:
    """Whether a feature affects targets: by a save, damage, conditions, healing, a push or persistent damage."""
    return heals_targets(feature) or bool(
        feature.save or feature.damage or feature.afflictions or feature.push or feature.ongoing
    )
