"""Suggestions for the open encounter: found and forecast in the background, and changed slot by slot."""

import re
from collections.abc import Generator, Mapping, Sequence
from functools import cached_property, partial
from typing import Annotated, Any, NamedTuple

import msgspec
from PySide6.QtCore import QObject, Signal

from turnwright.encounter import field_specs, state
from turnwright.play.kernel.scheduler import Changed
from turnwright.play.setup.roster import AddGroup
from turnwright.rules.parts.preparation import affinity, proposals
from turnwright.rules.system import RuleSystem
from turnwright.storage.library.entries import Library
from turnwright.ui.look.style import tr
from turnwright.ui.models.forecast import UNRELATED, PresentRun
from turnwright.ui.services import document_model, workers
from turnwright.ui.services.library import default_library
from turnwright.workspace import encounter_suggestions, party_variants

SHOWN = 3
WAIT_MS = 150  # after a change of the wishes, so that typing isn't interrupted


class SuggestChoice(msgspec.Struct, frozen=True):
    """The user's wishes. `words` are types, tags or words of names; those after a minus are excluded.

    `size` and `level` are those of a party that isn't in the encounter. `counts_there`: the enemies that are there count.
    """

    difficulty: str = ""
    least: Annotated[int, field_specs.FieldSpec(least=1, most=40)] = 2
    most: Annotated[int, field_specs.FieldSpec(least=1, most=40)] = 8
    types: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    words: str = ""
    counts_there: bool = True
    size: Annotated[int, field_specs.FieldSpec(least=1, most=12)] = 4
    level: Annotated[int, field_specs.FieldSpec(least=1, most=20)] = 1

    @property
    def theme(self) -> affinity.SuggestionTheme:
        """The theme of the search."""
        words = [word for word in re.split(r"[,\s]+", self.words.casefold()) if word.strip("-")]
        excluded = tuple(word[1:] for word in words if word.startswith("-"))
        wanted = tuple(word for word in words if not word.startswith("-"))
        return affinity.SuggestionTheme((*self.types, *wanted), self.environments, excluded)


class ProposalCard(msgspec.Struct, frozen=True):
    """A proposal that is shown, with its forecast if it is known. `is_touched`: the user has changed it."""

    proposal: proposals.Proposal
    forecast: encounter_suggestions.ProposalForecast | None = None
    is_touched: bool = False


class _Found(NamedTuple):
    suggester: proposals.Suggester
    request: proposals.SuggestionRequest
    answer: proposals.Suggestions
    party: state.Encounter | None
    there: proposals.Kept


class SuggestModel(QObject):
    """The suggestions for the open encounter. Emits `changed`.

    `obstacle` is the reason if there are none: `failed`, or `nothing` with the hint of `answer`. `locks` are the kinds
    that new suggestions keep. `there` are the enemies of the encounter that each suggestion includes. `is_watched`: the user can see the suggestions.
    """

    changed = Signal()

    def __init__(self, document: document_model.DocumentModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.choice = SuggestChoice()
        self.cards: tuple[ProposalCard, ...] = ()
        self.locks: dict[str, int] = {}
        self.there: dict[str, int] = {}
        self.suggester: proposals.Suggester | None = None
        self.answer: proposals.Suggestions | None = None
        self.has_enemies = False
        self.obstacle = ""
        self.is_searching = False
        self._banned: frozenset[str] = frozenset()
        self._bestiary: tuple[str, affinity.CreaturePool] | None = None
        self._request: proposals.SuggestionRequest | None = None
        self._party: state.Encounter | None = None
        self._forecasts: dict[object, encounter_suggestions.ProposalForecast] = {}
        self._judged: list[proposals.Proposal] = []
        self._before: list[tuple[ProposalCard, ...]] = []
        self._seed = 1
        self.is_watched, self._is_stale = False, True
        self.present = PresentRun(self._take, self._end)
        self._timer = workers.single_shot_timer(self, self._search, WAIT_MS)
        document.changed.connect(self._follow)
        document.documentChanged.connect(self._start_over)
        self.destroyed.connect(self.present.stop)

    @cached_property
    def library(self) -> Library:
        """The library with the creatures."""
        return default_library()

    @property
    def challenge(self) -> proposals.Challenge | None:
        """The party and the budget of the suggestions shown, or None before there are any."""
        return self.suggester.challenge if self.suggester is not None else None

    def levels(self) -> tuple[int, ...]:
        """Return the levels of a party that isn't in the encounter, or nothing if it has one."""
        has_party = encounter_suggestions.challenge_of(self._document.encounter, self._document.rules) is not None
        return () if has_party else (self.choice.level,) * self.choice.size

    def watch(self, *, watched: bool) -> None:
        """Search only while the user can see the suggestions. The library is read again whenever they are shown."""
        self.is_watched = watched
        if watched and self._is_stale:
            self._timer.start(0)
        elif not watched:
            self._bestiary = None

    def choose(self, choice: SuggestChoice) -> None:
        """Change the wishes, and search again."""
        if choice != self.choice:
            self.choice = choice
            self._go_out_of_date(WAIT_MS)

    # Changes of the cards --------------------------------------------------------------------------------------------

    def find_others(self) -> None:
        """Search for other suggestions that keep the locked kinds."""
        self._seed += 1
        self._go_out_of_date(0)

    def toggle_lock(self, card: int, slot: int) -> None:
        """Lock a slot, so that it is kept, or unlock it."""
        each = self.cards[card].proposal.slots[slot]
        if self.locks.pop(each.creature.path, 0) != each.count:
            self.locks[each.creature.path] = each.count
        self.changed.emit()

    def find_another(self, card: int, slot: int, *, never: bool = False) -> bool:
        """Replace the kind in a slot, and with `never` don't suggest it again. Return False if nothing else fits."""
        proposal = self.cards[card].proposal
        key = proposal.slots[slot].creature.path
        if self.suggester is None or self._request is None or key in self.locks or key in self.there:
            return False
        self._banned |= {key} if never else set()
        request = msgspec.structs.replace(self._request, banned=self._banned, seed=self._seed)
        self._seed += 1
        return self._replace(card, self.suggester.another(request, proposal, slot))

    def change_count(self, card: int, slot: int, by: int) -> bool:
        """Change the number in a slot. Without any left, the slot is removed, unless it is the last one."""
        slots = [*self.cards[card].proposal.slots]
        slots[slot] = msgspec.structs.replace(slots[slot], count=slots[slot].count + by)
        return self._put(card, [each for each in slots if each.count > 0])

    def swap(self, card: int, slot: int, key: str) -> bool:
        """Put a named kind in a slot, or in a new one after the last. Return False if it can't take part."""
        if self.suggester is None or self._request is None:
            return False
        try:
            return self._replace(card, self.suggester.another(self._request, self.cards[card].proposal, slot, key))
        except LookupError:
            return False

    @property
    def can_go_back(self) -> bool:
        """Whether there are earlier suggestions."""
        return bool(self._before)

    def go_back(self) -> None:
        """Show the suggestions before the last change."""
        if self._before:
            self.cards = self._before.pop()
            self._forecast()
            self.changed.emit()

    def add(self, card: int) -> bool:
        """Add the creatures of a card to the encounter, as one step."""
        group = encounter_suggestions.group_of(self.cards[card].proposal, self.library, self.there)
        self._before.clear()  # undo takes the creatures out of the encounter first
        return bool(group.roster) and self._document.execute(AddGroup(group))

    def _put(self, card: int, slots: Sequence[proposals.ProposalSlot]) -> bool:
        if not slots or self.suggester is None or self._request is None:
            return False
        return self._replace(card, self.suggester.proposal(slots, self._request))

    def _replace(self, card: int, proposal: proposals.Proposal | None) -> bool:
        if proposal is None:
            return False
        cards = [*self.cards]
        cards[card] = ProposalCard(proposal, self._forecasts.get(_sum(proposal)), is_touched=True)
        self._show(cards)
        self._forecast()
        return True

    def _show(self, cards: Sequence[ProposalCard]) -> None:
        self._before = [*self._before[-50:], self.cards] if self.cards else self._before
        self.cards = tuple(cards)
        self.changed.emit()

    # Searching -------------------------------------------------------------------------------------------------------

    def _follow(self, changed: Changed) -> None:
        if not changed.tables <= UNRELATED:
            self._go_out_of_date(WAIT_MS)

    def _start_over(self) -> None:
        self.present.cancel()
        self.cards, self.locks, self._banned, self._before = (), {}, frozenset(), []
        self.suggester = self.answer = self._bestiary = None
        self.choice = SuggestChoice()
        self._go_out_of_date(0)
        self.changed.emit()

    def _go_out_of_date(self, wait: int) -> None:
        self._is_stale = True
        if self.is_watched:
            self._timer.start(wait)

    def _search(self) -> None:
        self._is_stale, self.is_searching = False, True
        rules = self._document.rules
        known = self._bestiary[1] if self._bestiary is not None and self._bestiary[0] == rules.id else None
        request = partial(
            proposals.SuggestionRequest,
            foes=(min(self.choice.least, self.choice.most), self.choice.most),
            theme=self.choice.theme,
            banned=self._banned,
            seed=self._seed,
        )
        find = partial(_find, self.library, rules, self._document.encounter, self.levels(), known)
        locks = tuple(self.locks.items())
        self.present.begin(partial(find, self.choice.difficulty, locks, request, counts_there=self.choice.counts_there))
        self.changed.emit()

    def _take(self, found: _Found | tuple[proposals.Proposal, encounter_suggestions.ProposalForecast]) -> None:
        if isinstance(found, _Found):
            self.suggester, self._request, self.answer, self._party, _ = found
            self._bestiary = (self._document.rules.id, found.suggester.bestiary)
            self.has_enemies = bool(found.there)
            self.there = dict(found.there) if self.choice.counts_there else {}
            self.is_searching, self._forecasts, self._judged = False, {}, []
            new = [each for each in (*found.answer.proposals, *found.answer.ranked) if each.kinds - self.there.keys()]
            self.obstacle = "" if new else "nothing"
            self._show([ProposalCard(proposal) for proposal in list(dict.fromkeys(new))[:SHOWN]])
            return
        proposal, forecast = found
        self._forecasts[_sum(proposal)] = forecast
        self._judged.append(proposal)
        cards = [msgspec.structs.replace(one, forecast=self._forecasts.get(_sum(one.proposal))) for one in self.cards]
        if tuple(cards) != self.cards:
            self.cards = tuple(cards)
            self.changed.emit()

    def _end(self, obstacle: str) -> None:
        self.present.run, self.is_searching = None, False
        if obstacle:
            self.obstacle, self.cards = obstacle, ()
        else:
            self._choose_by_forecast()
        self.changed.emit()

    def _choose_by_forecast(self) -> None:
        """Replace cards whose forecast is far from the difficulty, unless the user has changed one."""
        if self.answer is None or self._request is None or any(card.is_touched for card in self.cards):
            return
        ranked = [each for each in self._judged if each.kinds - self.there.keys()]
        judged = [(each, self._forecasts[_sum(each)].won.value) for each in ranked]
        if self.suggester is None or len(ranked) < min(encounter_suggestions.AT_LEAST, len(self.answer.ranked)):
            return
        better = proposals.by_chance(judged, self.suggester.challenge.band(self._request.difficulty), SHOWN)
        kept = [card.proposal for card in self.cards if card.forecast and abs(card.forecast.off) <= proposals.NEAR_BAND]
        fresh = iter([each for each in better if each not in kept])
        chosen = [card.proposal if card.proposal in kept else next(fresh, card.proposal) for card in self.cards]
        self.cards = tuple(ProposalCard(each, self._forecasts.get(_sum(each))) for each in chosen)

    def _forecast(self) -> None:
        """Forecast the cards that have no forecast yet."""
        left, rules = [card.proposal for card in self.cards if card.forecast is None], self._document.rules
        if not left or self._party is None or self._request is None:
            return
        self.present.begin(
            partial(encounter_suggestions.forecasts_of, left, self._party, self.library, rules, self._request)
        )


def _sum(proposal: proposals.Proposal) -> object:
    """Return the kinds of a proposal with their numbers, by which its forecast is kept."""
    return frozenset((slot.creature.path, slot.count) for slot in proposal.slots)


def _find(
    library: Library,
    rules: RuleSystem,
    encounter: state.Encounter,
    levels: tuple[int, ...],
    bestiary: affinity.CreaturePool | None,
    difficulty: str,
    locks: tuple[tuple[str, int], ...],
    request: Any,
    *,
    counts_there: bool,
) -> Generator[_Found | tuple[proposals.Proposal, encounter_suggestions.ProposalForecast], None, str]:
    """Yield the suggestions, then the forecast of each of the best, those shown first. Return the reason if none."""
    known = bestiary or encounter_suggestions.creature_pool(library.entries_for(rules.data.id), rules)
    challenge = encounter_suggestions.challenge_of(encounter, rules, levels)
    if challenge is None:
        return "no-party"
    names = [name for name, _ in challenge.steps]
    aim = difficulty if difficulty in names else names[min(2, len(names) - 1)]
    there = encounter_suggestions.foes_there(encounter, known)[0]
    kept: Mapping[str, int] = dict(there if counts_there else ()) | dict(locks)
    wanted = request(aim, kept=tuple(kept.items()))
    suggester = proposals.Suggester(known, challenge)
    answer = suggester.suggest(wanted)
    usual = party_variants.usual_party(levels, rules, tr) if levels else None
    party = (
        party_variants.encounter_of(usual, rules.id)
        if usual is not None
        else None
        if levels
        else encounter_suggestions.without_foes(encounter)
    )
    yield _Found(suggester, wanted, answer, party, there)
    if party is not None:
        yield from encounter_suggestions.forecasts_of(answer.ranked, party, library, rules, wanted, suggester)
    return ""
