"""Creatures of another game as those of the encounter's game, and what they have no term for there, in words."""

from __future__ import annotations

from turnwright.encounter.prepared import Creature
from turnwright.rules.parts.preparation.creature_translation import CreatureTranslation, translate_creature
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.translations import tr


def creature_here(document: DocumentModel, creature: Creature, system: str) -> CreatureTranslation:
    """Return a creature of another game as one of the encounter's game."""
    return translate_creature(creature, document.source.systems.get(system).data, document.rules.data)


def translation_text(translation: CreatureTranslation, game: str) -> str:
    """Return what became of a creature of another game: whose it is now, its new terms, and those unknown here."""
    texts = [tr("ui.library.brought", what=translation.creature.name, name=game)]
    if translation.renamed:
        texts.append(tr("ui.library.brought-renamed", terms=", ".join(f"{a} → {b}" for a, b in translation.renamed)))
    if translation.unknown:
        texts.append(tr("ui.library.brought-unknown", terms=", ".join(translation.unknown)))
    return " ".join(texts)
