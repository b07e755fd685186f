"""Manual commands for combatants: hit points, damage, conditions, positions."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnwright.encounter.running import Combatant, Duration, Effect, EndMoment
from turnwright.play.damage.commands.apply_damage import ApplyDamage, DamageShare
from turnwright.play.damage.commands.set_dead import SetDead
from turnwright.play.damage.commands.set_hit_points import SetHitPoints
from turnwright.play.effects.commands.apply_condition import ApplyCondition
from turnwright.play.effects.commands.apply_persistent_damage import ApplyPersistentDamage
from turnwright.play.effects.commands.concentrate import Concentrate
from turnwright.play.effects.commands.set_effect_note import SetEffectNote
from turnwright.play.kernel.commands import Command
from turnwright.play.state.commands.set_position import SetPosition
from turnwright.ui.dialogs.manual_command_base import ManualCommandBase, combatant_ids, number_value, text_value
from turnwright.ui.dialogs.manual_command_dialog import ManualField, Values
from turnwright.ui.translations import tr

Kind = Literal["", "melee", "ranged"]
TURNS = ("turn-start", "turn-end")


class SetHitPointsForm(ManualCommandBase):
    """Correct hit points, the maximum and temporary hit points."""

    id = "hit-points"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        asked = self.combatant_field()
        who = self._bridge.encounter.get(Combatant, text_value(values, "who") or str(asked.value))
        of = who.id if who else ""
        return (
            asked,
            ManualField("hp", "number", who.hp if who else 0, maximum=9999, of=of),
            ManualField("hp-max", "number", who.hp_max if who else 1, minimum=1, maximum=9999, of=of),
            ManualField("temp", "number", who.temp_hp if who else 0, maximum=9999, of=of),
        )

    def command(self, values: Values) -> Command | None:
        who = text_value(values, "who")
        hp, temp, most = (number_value(values, id) for id in ("hp", "temp", "hp-max"))
        return SetHitPoints(who, hp, temp, most) if who else None


class ApplyConditionForm(ManualCommandBase):
    """Apply a condition to combatants, with its level, end and source."""

    id = "condition"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        conditions = tuple((one.id, one.name) for one in self._bridge.rules.data.conditions)
        fields = [
            self.combatants_field(),
            ManualField("condition", "choice", conditions[0][0] if conditions else "", conditions),
            ManualField("value", "number", None, minimum=1, maximum=99),
            ManualField("ends", "choice", "never", self.named_options("ends", get_args(EndMoment))),
        ]
        if text_value(values, "ends") in TURNS:
            fields.append(
                ManualField(
                    "whose",
                    "choice",
                    next(iter(combatant_ids(values)), next(iter(dict(self.combatants())), "")),
                    self.combatants(),
                )
            )
            fields.append(ManualField("skip", "number", 0, maximum=99))
        return (*fields, ManualField("source", "text", hint=tr("ui.manual.source-hint")))

    def command(self, values: Values) -> Command | None:
        moment, people = text_value(values, "ends"), combatant_ids(values)
        ends = Duration(msgspec.convert(moment or "never", EndMoment))
        if moment in TURNS:
            ends = Duration(ends.moment, text_value(values, "whose"), number_value(values, "skip") or 0)
        if not people:
            return None
        level = number_value(values, "value") or 0
        return ApplyCondition(people, text_value(values, "condition"), level, ends, text_value(values, "source"))


class PersistentDamageForm(ManualCommandBase):
    """Apply damage that recurs at the end of each of the target's turns."""

    id = "ongoing"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        return (
            self.combatants_field(),
            ManualField("damage", "text", hint="1d6 fire"),
            ManualField("until", "text", hint=tr("ui.manual.until-hint")),
            ManualField("source", "text", hint=tr("ui.manual.source-hint")),
        )

    def command(self, values: Values) -> Command | None:
        people, damage = combatant_ids(values), text_value(values, "damage")
        if not people or not damage:
            return None
        return ApplyPersistentDamage(people, damage, text_value(values, "until"), text_value(values, "source"))


class ApplyDamageForm(ManualCommandBase):
    """Deal damage, with its source, attacker and properties."""

    id = "damage"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        fields = [
            self.combatants_field(),
            ManualField("damage", "text", hint="2d6+3 fire"),
            ManualField("share", "choice", "full", self.named_options("share", get_args(DamageShare))),
            ManualField("source", "text", hint=tr("ui.manual.source-hint")),
            ManualField("mundane", "tick", False),
            ManualField("attack", "choice", "", self.named_options("attack", get_args(Kind))),
        ]
        if text_value(values, "attack"):
            fields.append(
                ManualField("by", "choice", "", (("", tr("ui.roster-entry.no-combatant")), *self.combatants()))
            )
            fields.append(ManualField("critical", "tick", False))
        return tuple(fields)

    def command(self, values: Values) -> Command | None:
        people, damage = combatant_ids(values), text_value(values, "damage")
        if not people or not damage:
            return None
        attack = msgspec.convert(text_value(values, "attack"), Kind)
        return ApplyDamage(
            people,
            damage,
            text_value(values, "source"),
            bool(values.get("mundane")),
            msgspec.convert(text_value(values, "share"), DamageShare),
            by=text_value(values, "by") if attack else "",
            attack=attack,
            critical=bool(attack and values.get("critical")),
        )


class ConcentrateForm(ManualCommandBase):
    """Start the concentration of a combatant."""

    id = "concentrate"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        return self.combatant_field(), ManualField("on", "text", hint=tr("ui.manual.on-hint"))

    def command(self, values: Values) -> Command | None:
        who = text_value(values, "who")
        return Concentrate(who, text_value(values, "on")) if who else None


class ReviveForm(ManualCommandBase):
    """Revive a dead combatant."""

    id = "revive"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        lookup = self._bridge.encounter
        dead = tuple((id, name) for id, name in self.combatants() if lookup.need(Combatant, id).dead)
        first = self.default_combatant() if self.default_combatant() in dict(dead) else next(iter(dict(dead)), "")
        return (
            ManualField("who", "choice", first, dead),
            ManualField("hp", "number", 1, maximum=9999),
            ManualField("source", "text", hint=tr("ui.manual.source-hint")),
        )

    def command(self, values: Values) -> Command | None:
        who = text_value(values, "who")
        return SetDead(who, False, number_value(values, "hp") or 0, text_value(values, "source")) if who else None


class SetPositionForm(ManualCommandBase):
    """Set a combatant's position in words and its elevation."""

    id = "place"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        asked = self.combatant_field()
        who = self._bridge.encounter.get(Combatant, text_value(values, "who") or str(asked.value))
        of = who.id if who else ""
        return (
            asked,
            ManualField("place", "text", who.place if who else "", hint=tr("ui.roster-entry.place-hint"), of=of),
            ManualField(
                "elevation",
                "number",
                who.elevation if who else 0,
                minimum=-9999,
                maximum=9999,
                unit=tr("ui.general.feet"),
                of=of,
            ),
        )

    def command(self, values: Values) -> Command | None:
        who = text_value(values, "who")
        if not who:
            return None
        return SetPosition(who, place=text_value(values, "place"), elevation=number_value(values, "elevation"))


class EffectNoteForm(ManualCommandBase):
    """Write a reminder for an effect."""

    id = "reminder"

    def fields(self, values: Values) -> tuple[ManualField, ...]:
        lookup = self._bridge.encounter
        known = {one.id: one for one in lookup.all(Effect) if one.shown and one.target}
        effects = tuple((id, self._called(one)) for id, one in known.items())
        first = next((id for id, one in known.items() if one.target == self.default_combatant()), next(iter(known), ""))
        chosen = known.get(text_value(values, "effect") or first)
        note, of = (chosen.note, chosen.id) if chosen else ("", "")
        return (
            ManualField("effect", "choice", first, effects),
            ManualField("note", "text", note, hint=tr("ui.manual.note-hint"), of=of),
        )

    def command(self, values: Values) -> Command | None:
        effect = text_value(values, "effect")
        return SetEffectNote(effect, text_value(values, "note")) if effect else None

    def _called(self, effect: Effect) -> str:
        label = self._bridge.encounter.need(Combatant, effect.target).label
        return f"{label}: {self._bridge.phrasebook.expand_keys(f'<condition.{effect.name}>')}"


COMBATANT_COMMANDS: tuple[type[ManualCommandBase], ...] = (
    SetHitPointsForm,
    ApplyDamageForm,
    PersistentDamageForm,
    ApplyConditionForm,
    EffectNoteForm,
    ConcentrateForm,
    ReviveForm,
    SetPositionForm,
)
