"""Converts creatures from other rule systems to that of the encounter, and describes the changes."""

from __future__ import annotations

from turnwright.encounter.prepared import Creature
from turnwright.rules.parts.preparation.creature_translation import CreatureTranslation, translate_creature
from turnwright.ui.look.translations import tr
from turnwright.ui.services.document_model import DocumentModel


def creature_here(document: DocumentModel, creature: Creature, system: str) -> CreatureTranslation:
    """Convert a creature from another rule system to the encounter's."""
    return translate_creature(creature, document.source.systems.get(system).data, document.rules.data)


def translation_text(translation: CreatureTranslation, game: str) -> str:
    """Return a text about a converted creature: its new system, the renamed terms, and the unknown ones."""
    texts = [tr("ui.library.brought", what=translation.creature.name, name=game)]
    if translation.renamed:
        texts.append(tr("ui.library.brought-renamed", terms=", ".join(f"{a} → {b}" for a, b in translation.renamed)))
    if translation.unknown:
        texts.append(tr("ui.library.brought-unknown", terms=", ".join(translation.unknown)))
    return " ".join(texts)
