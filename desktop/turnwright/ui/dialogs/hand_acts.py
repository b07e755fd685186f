"""What can be said by hand about those who fight, each as a short form: figures, harm, conditions, places."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from turnwright.encounter.running import Combatant, Effect, EndMoment, Ends
from turnwright.play.commands import (
    Annotate,
    ApplyCondition,
    ApplyDamage,
    ApplyOngoing,
    Command,
    Concentrate,
    Place,
    SetDead,
    SetHitPoints,
    Share,
)
from turnwright.ui.dialogs.hand_act import ByHand, number_of, people_of, text_of
from turnwright.ui.dialogs.hand_form import Item, Values
from turnwright.ui.say import say

Kind = Literal["", "melee", "ranged"]
TURNS = ("turn-start", "turn-end")


class HitPoints(ByHand):
    """Correct hit points, the maximum and temporary points."""

    id = "hit-points"

    def items(self, values: Values) -> tuple[Item, ...]:
        asked = self.one()
        who = self._bridge.encounter.get(Combatant, text_of(values, "who") or str(asked.value))
        of = who.id if who else ""
        return (
            asked,
            Item("hp", "number", who.hp if who else 0, most=9999, of=of),
            Item("hp-max", "number", who.hp_max if who else 1, least=1, most=9999, of=of),
            Item("temp", "number", who.temp_hp if who else 0, most=9999, of=of),
        )

    def command(self, values: Values) -> Command | None:
        who = text_of(values, "who")
        hp, temp, most = (number_of(values, id) for id in ("hp", "temp", "hp-max"))
        return SetHitPoints(who, hp, temp, most) if who else None


class Condition(ByHand):
    """Put a condition on some: at which level, until when, from what."""

    id = "condition"

    def items(self, values: Values) -> tuple[Item, ...]:
        conditions = tuple((one.id, one.name) for one in self._bridge.rules.catalogue.conditions)
        fields = [
            self.some(),
            Item("condition", "choice", conditions[0][0] if conditions else "", conditions),
            Item("value", "number", None, least=1, most=99),
            Item("ends", "choice", "never", self.named("ends", get_args(EndMoment))),
        ]
        if text_of(values, "ends") in TURNS:
            fields.append(
                Item(
                    "whose",
                    "choice",
                    next(iter(people_of(values)), next(iter(dict(self.everybody())), "")),
                    self.everybody(),
                )
            )
            fields.append(Item("skip", "number", 0, most=99))
        return (*fields, Item("source", "text", hint=say("ui.hand.source-hint")))

    def command(self, values: Values) -> Command | None:
        moment, people = text_of(values, "ends"), people_of(values)
        ends = Ends(msgspec.convert(moment or "never", EndMoment))
        if moment in TURNS:
            ends = Ends(ends.moment, text_of(values, "whose"), number_of(values, "skip") or 0)
        if not people:
            return None
        level = number_of(values, "value") or 0
        return ApplyCondition(people, text_of(values, "condition"), level, ends, text_of(values, "source"))


class Ongoing(ByHand):
    """Put damage on some that comes back at the end of each of their turns."""

    id = "ongoing"

    def items(self, values: Values) -> tuple[Item, ...]:
        return (
            self.some(),
            Item("damage", "text", hint="1d6 fire"),
            Item("until", "text", hint=say("ui.hand.until-hint")),
            Item("source", "text", hint=say("ui.hand.source-hint")),
        )

    def command(self, values: Values) -> Command | None:
        people, damage = people_of(values), text_of(values, "damage")
        if not people or not damage:
            return None
        return ApplyOngoing(people, damage, text_of(values, "until"), text_of(values, "source"))


class Damage(ByHand):
    """Deal damage with all that the table knows of it: from what, by whose attack, magical or not."""

    id = "damage"

    def items(self, values: Values) -> tuple[Item, ...]:
        fields = [
            self.some(),
            Item("damage", "text", hint="2d6+3 fire"),
            Item("share", "choice", "full", self.named("share", get_args(Share))),
            Item("source", "text", hint=say("ui.hand.source-hint")),
            Item("mundane", "tick", False),
            Item("attack", "choice", "", self.named("attack", get_args(Kind))),
        ]
        if text_of(values, "attack"):
            fields.append(Item("by", "choice", "", (("", say("ui.place.nobody")), *self.everybody())))
            fields.append(Item("critical", "tick", False))
        return tuple(fields)

    def command(self, values: Values) -> Command | None:
        people, damage = people_of(values), text_of(values, "damage")
        if not people or not damage:
            return None
        attack = msgspec.convert(text_of(values, "attack"), Kind)
        return ApplyDamage(
            people,
            damage,
            text_of(values, "source"),
            bool(values.get("mundane")),
            msgspec.convert(text_of(values, "share"), Share),
            by=text_of(values, "by") if attack else "",
            attack=attack,
            critical=bool(attack and values.get("critical")),
        )


class Concentration(ByHand):
    """Let somebody concentrate."""

    id = "concentrate"

    def items(self, values: Values) -> tuple[Item, ...]:
        return self.one(), Item("on", "text", hint=say("ui.hand.on-hint"))

    def command(self, values: Values) -> Command | None:
        who = text_of(values, "who")
        return Concentrate(who, text_of(values, "on")) if who else None


class Revival(ByHand):
    """Bring one of the dead back to life."""

    id = "revive"

    def items(self, values: Values) -> tuple[Item, ...]:
        lookup = self._bridge.encounter
        dead = tuple((id, name) for id, name in self.everybody() if lookup.need(Combatant, id).dead)
        first = self.meant() if self.meant() in dict(dead) else next(iter(dict(dead)), "")
        return (
            Item("who", "choice", first, dead),
            Item("hp", "number", 1, most=9999),
            Item("source", "text", hint=say("ui.hand.source-hint")),
        )

    def command(self, values: Values) -> Command | None:
        who = text_of(values, "who")
        return SetDead(who, False, number_of(values, "hp") or 0, text_of(values, "source")) if who else None


class Standing(ByHand):
    """Say in words, and in feet, where somebody stands."""

    id = "place"

    def items(self, values: Values) -> tuple[Item, ...]:
        asked = self.one()
        who = self._bridge.encounter.get(Combatant, text_of(values, "who") or str(asked.value))
        of = who.id if who else ""
        return (
            asked,
            Item("place", "text", who.place if who else "", hint=say("ui.place.place-hint"), of=of),
            Item(
                "elevation",
                "number",
                who.elevation if who else 0,
                least=-9999,
                most=9999,
                unit=say("ui.general.feet"),
                of=of,
            ),
        )

    def command(self, values: Values) -> Command | None:
        who = text_of(values, "who")
        if not who:
            return None
        return Place(who, place=text_of(values, "place"), elevation=number_of(values, "elevation"))


class Reminder(ByHand):
    """Write a reminder of one's own for an effect."""

    id = "reminder"

    def items(self, values: Values) -> tuple[Item, ...]:
        lookup = self._bridge.encounter
        known = {one.id: one for one in lookup.all(Effect) if one.shown and one.target}
        effects = tuple((id, self._called(one)) for id, one in known.items())
        first = next((id for id, one in known.items() if one.target == self.meant()), next(iter(known), ""))
        chosen = known.get(text_of(values, "effect") or first)
        note, of = (chosen.note, chosen.id) if chosen else ("", "")
        return (
            Item("effect", "choice", first, effects),
            Item("note", "text", note, hint=say("ui.hand.note-hint"), of=of),
        )

    def command(self, values: Values) -> Command | None:
        effect = text_of(values, "effect")
        return Annotate(effect, text_of(values, "note")) if effect else None

    def _called(self, effect: Effect) -> str:
        label = self._bridge.encounter.need(Combatant, effect.target).label
        return f"{label}: {self._bridge.speech.name(f'<condition.{effect.name}>')}"


ACTS: tuple[type[ByHand], ...] = (
    HitPoints,
    Damage,
    Ongoing,
    Condition,
    Reminder,
    Concentration,
    Revival,
    Standing,
)
