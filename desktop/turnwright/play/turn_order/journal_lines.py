"""Journal lines of the events in `play.turn_order.events`: a word key with names and numbers for each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from turnwright.play.kernel.events import Event, phrase
from turnwright.play.kernel.journal import (
    Formatter,
    LabelLookup,
    LineParts,
    by_flag,
    combatant_line,
    combatants_line,
    fields_line,
    select_line,
    subject_of,
)
from turnwright.play.turn_order.events import (
    FirstActorSet,
    InitiativeOrderSet,
    InitiativeSet,
    NoSurprise,
    SneakingMarked,
    Surprised,
)


def _initiative(event: InitiativeSet, names: LabelLookup) -> LineParts:
    key = f"journal.initiative_{event.how}"
    return phrase(key, who=names.label(event.who), total=event.total), "plain", subject_of(event.who)


FORMATTERS: Mapping[type[Event], Formatter] = MappingProxyType(
    {
        SneakingMarked: select_line(
            by_flag("sneaking", "yes", "no"),
            ("yes", combatant_line("sneaking")),
            ("no", combatant_line("not_sneaking")),
        ),
        Surprised: combatant_line("surprised", "warn"),
        NoSurprise: fields_line("nobody_surprised"),
        FirstActorSet: select_line(
            lambda event: "somebody" if event.who else "nobody",
            ("somebody", combatant_line("opener")),
            ("nobody", fields_line("no_opener")),
        ),
        InitiativeSet: _initiative,
        InitiativeOrderSet: combatants_line("order_settled", "plain"),
    }
)
