"""Using a feature that is no attack roll: on whom, and with which slot where it is a spell."""

from __future__ import annotations

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant
from turnwright.play.commands import UseFeature
from turnwright.play.supplies import have
from turnwright.rules.parts import positions
from turnwright.rules.system import creature_of
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import explainer
from turnwright.ui.docks.turn.acts import Values, all_of, one_of, refused, why_of
from turnwright.ui.docks.turn.attack_targets import combatants_in_order, people_picks
from turnwright.ui.say import say
from turnwright.ui.widgets.form_card import FormField, FormView
from turnwright.ui.widgets.pick_row import Pick
from turnwright.ui.widgets.why import Why


class Use:
    """A feature that is no attack roll: on whom, and with which slot where it is a spell."""

    def __init__(self, bridge: Bridge, who: str, feature: Feature, purpose: str = "") -> None:
        self.who = who
        self._bridge = bridge
        self._feature = feature
        self._purpose = purpose

    def view(self, values: Values) -> FormView:
        """Return the form."""
        feature = self._feature
        people = [one for one in combatants_in_order(self._bridge) if not one.dead]
        people.sort(key=lambda one: not positions.hostile(self._bridge.encounter, self.who, one.id))
        fields = [
            FormField(
                "targets", say("ui.deed.targets"), "picks", all_of(values, "targets"), tuple(people_picks(people))
            )
        ]
        levels = self._levels()
        if len(levels) > 1:
            chosen = one_of(values, "level", levels[0].id)
            fields.append(FormField("level", say("ui.deed.slot"), "pick", (chosen,), tuple(levels)))
        seen = {one.id: one.value for one in fields}
        missing = "" if all_of(seen, "targets") else say("ui.deed.missing-targets")
        text, insist = ("", False) if missing else refused(self._bridge, self.command(seen))
        return FormView(
            feature.name,
            "magic-staff" if feature.level is not None else "flash",
            say("ui.deed.use"),
            tuple(fields),
            self._figures(),
            text,
            insist,
            missing,
            lambda: why_of(self._bridge, feature.name, (), feature.text) or Why(feature.name, ""),
        )

    def command(self, values: Values) -> UseFeature:
        """Return the use of the feature."""
        level = one_of(values, "level")
        return UseFeature(
            self.who,
            self._feature.id,
            targets=all_of(values, "targets"),
            level=int(level) if level else None,
            purpose=self._purpose,  # type: ignore[arg-type]
        )

    def _levels(self) -> list[Pick]:
        own = self._feature.level
        if not own:
            return []
        combatant = self._bridge.encounter.need(Combatant, self.who)
        slots = creature_of(self._bridge.encounter, combatant).slots
        found = []
        for level, most in slots:
            if int(level) >= own and most:
                left = have(self._bridge.encounter, self.who, f"slots.{level}")
                found.append(Pick(level, say("ui.turn.slot", level=level), say("ui.deed.left", left=left, of=most)))
        return found

    def _figures(self) -> str:
        feature, explain = self._feature, explainer(self._bridge)
        save = explain.name(f"<save.{feature.save}>") if feature.save else ""
        parts = (
            f"{say('ui.prompt.dc', dc=feature.dc)} {save}" if save else "",
            feature.damage,
            say("ui.deed.half") if feature.half else "",
            feature.area,
        )
        return ", ".join(part for part in parts if part) or feature.text


def is_used_on_somebody(feature: Feature) -> bool:
    """Return whether a feature has targets who save or suffer."""
    return bool(feature.save or feature.damage or feature.afflictions or feature.push or feature.ongoing)
