"""The form of a feature without an attack roll: targets, and the slot of a spell."""

from __future__ import annotations

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.play.actions.commands.use_feature import UseFeature
from turnwright.play.state.limited_uses import remaining_uses
from turnwright.rules.parts import positions
from turnwright.rules.system import creature_of
from turnwright.ui.docks.shared.explainer import explainer
from turnwright.ui.docks.turn.action_forms import Values, refusal_text, rules_card, selected_id, selected_ids
from turnwright.ui.docks.turn.attack_targets import combatant_picks, combatants_in_order
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr
from turnwright.ui.widgets.explanation import Explanation
from turnwright.ui.widgets.form_card import FormField, FormView
from turnwright.ui.widgets.pick_row import PickOption


class UseFeatureForm:
    """Uses a feature without an attack roll: on targets, and with a slot where it is a spell."""

    def __init__(self, bridge: DocumentModel, who: str, feature: Feature, purpose: str = "") -> None:
        self.who = who
        self._bridge = bridge
        self._feature = feature
        self._purpose = purpose

    def view(self, values: Values) -> FormView:
        """Return the form."""
        feature = self._feature
        people = [one for one in combatants_in_order(self._bridge) if not one.dead]
        people.sort(key=lambda one: not positions.are_hostile(self._bridge.encounter, self.who, one.id))
        fields = [
            FormField(
                "targets",
                tr("ui.action-form.targets"),
                "picks",
                selected_ids(values, "targets"),
                tuple(combatant_picks(people)),
            )
        ]
        levels = self._levels()
        if len(levels) > 1:
            chosen = selected_id(values, "level", levels[0].id)
            fields.append(FormField("level", tr("ui.action-form.slot"), "pick", (chosen,), tuple(levels)))
        seen = {one.id: one.value for one in fields}
        missing = "" if selected_ids(seen, "targets") else tr("ui.action-form.missing-targets")
        text, insist = ("", False) if missing else refusal_text(self._bridge, self.command(seen))
        return FormView(
            feature.name,
            "magic-staff" if feature.level is not None else "flash",
            tr("ui.action-form.use"),
            tuple(fields),
            self._figures(),
            text,
            insist,
            missing,
            lambda: rules_card(self._bridge, feature.name, (), feature.text) or Explanation(feature.name, ""),
        )

    def command(self, values: Values) -> UseFeature:
        """Return the use of the feature."""
        level = selected_id(values, "level")
        return UseFeature(
            self.who,
            self._feature.id,
            targets=selected_ids(values, "targets"),
            level=int(level) if level else None,
            purpose=self._purpose,  # type: ignore[arg-type]
        )

    def _levels(self) -> list[PickOption]:
        own = self._feature.level
        if not own:
            return []
        combatant = self._bridge.encounter.need(Combatant, self.who)
        slots = creature_of(self._bridge.encounter, combatant).slots
        found = []
        for level, most in slots:
            if int(level) >= own and most:
                left = remaining_uses(self._bridge.encounter, self.who, f"slots.{level}")
                found.append(
                    PickOption(level, tr("ui.turn.slot", level=level), tr("ui.action-form.left", left=left, of=most))
                )
        return found

    def _figures(self) -> str:
        feature, explain = self._feature, explainer(self._bridge)
        save = explain.name(f"<save.{feature.save}>") if feature.save else ""
        parts = (
            f"{tr('ui.prompt.dc', dc=feature.dc)} {save}" if save else "",
            feature.damage,
            tr("ui.action-form.half") if feature.half else "",
            feature.area,
        )
        return ", ".join(part for part in parts if part) or feature.text


def has_targets(feature: Feature) -> bool:
    """Return whether a feature affects targets: by a save, damage, conditions, a push or persistent damage."""
    return bool(feature.save or feature.damage or feature.afflictions or feature.push or feature.ongoing)
