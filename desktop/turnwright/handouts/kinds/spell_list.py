"""The spells of the selected casters in columns: the numbers of each caster, its slots, and what each spell does.

Players get only their characters' spells.
"""

from typing import Any, Final

from turnwright.handouts.environment_data import one_line
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section
from turnwright.handouts.spell_texts import SpellTexts
from turnwright.rules.topics import signed_text

ID: Final = "spell-list"


def make(source: PageInput) -> PageContent:
    """Return the list, or no pages without casters. A spell that an earlier caster has is only named."""
    casters: list[dict[str, Any]] = []
    known: dict[str, str] = {}
    for creature, caster, spells in SpellTexts(source).casters():
        name = one_line(creature.name)
        numbers = [source.text("ui.stat.dc", dc=caster.dc)] if caster.dc else []
        numbers += [] if caster.attack is None else [source.text("ui.stat.to-hit", bonus=signed_text(caster.attack))]
        listed = [spell | {"as": known.get(str(spell), "")} for spell in spells]
        known |= {str(spell): name for spell in spells if str(spell) not in known}
        slots = [{"level": level, "count": count} for level, count in creature.slots]
        casters.append({"name": name, "numbers": numbers, "slots": slots, "spells": listed})
    return PageContent((Section(ID, {"casters": casters}),)) if casters else PageContent()


KIND: Final = PageKind(ID, make, for_players=True)
