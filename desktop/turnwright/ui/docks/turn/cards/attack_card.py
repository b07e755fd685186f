"""The attack card: target, known facts about the pair, the parts of the roll, and the rows *To hit* and *Damage*.

Enter rolls for the current row: first the attack and, after a hit, the damage. Until the attack is done, the card
replaces the prompts for its rolls. Esc closes it. The user answers an unknown fact by clicking its chip, and the answer
is remembered. Targets are listed in turn order: conscious enemies first, then all other creatures and objects.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import msgspec
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent

from turnwright.dice.expression import ExtraDice, Modifier, RollSpec
from turnwright.encounter.prepared import Environment
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.asks import Ask, Prompt, Reply
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Combatant, Dice
from turnwright.encounter.state import scene_of
from turnwright.play.asking.answer import Answer, DismissPrompt
from turnwright.play.attacks import attack_request
from turnwright.play.kernel.transaction import Refused, copy_fields
from turnwright.play.queries.queries import open_prompts, waiting_asks
from turnwright.play.state.action_economy import NOT_THERE, attacks_made
from turnwright.rules.parts.attacks.attack_targeting import attacks_per_action
from turnwright.rules.parts.checks.ability_checks import armor_class
from turnwright.rules.parts.environment.entries import current_map
from turnwright.rules.parts.positions import geometry, sight
from turnwright.rules.system import creature_of
from turnwright.rules.word_keys import signed_text
from turnwright.ui.docks.shared.explainer import explainer, roll_text, short_roll
from turnwright.ui.docks.turn.cards.attack_facts import FactRow, ReasonRow
from turnwright.ui.docks.turn.prompt_views import prompt_view, typing_problem
from turnwright.ui.forms import choices
from turnwright.ui.forms.record_fields import show_reason
from turnwright.ui.look.style import scaled, tr
from turnwright.ui.services.document_model import DocumentModel
from turnwright.ui.widgets.fields import ARROW_STEPS, SIDEWAYS, UPRIGHT, KeyButton, PickOption, PickRow
from turnwright.ui.widgets.layout import Card, ElidedLabel, fill, holds_focus, horizontal, tab_through
from turnwright.ui.widgets.prompts.prompt_input import AskView
from turnwright.ui.widgets.prompts.prompt_roll_input import RollRow, failed_answer
from turnwright.ui.widgets.rules.why import Explanation, WhyLabel
from turnwright.ui.widgets.text import IconLabel, claims_key, named, plain_label

TARGET_LETTERS = "abcdefghijklmnopqrstuvwxyz"
UNKNOWN_DISTANCE = 10**6


def combatants_in_order(document: DocumentModel) -> list[Combatant]:
    """Return the combatants in turn order. Combatants without initiative come last."""
    return choices.combatants_in_order(document.encounter, document.rules)


def likely_targets(document: DocumentModel, who: str) -> list[Combatant]:
    """Return the conscious enemies in turn order."""
    able = (each for each in combatants_in_order(document) if each.id != who and not each.dead and each.hp > 0)
    return [combatant for combatant in able if geometry.are_hostile(document.encounter, who, combatant.id)]


def suggested_target(document: DocumentModel, who: str, previous: str = "") -> str:
    """Return the suggested target: the previous one if it is conscious, or else the nearest enemy by known distance."""
    likely = likely_targets(document, who)
    if any(combatant.id == previous for combatant in likely):
        return previous

    def apart(combatant: Combatant) -> int:
        feet = geometry.distance(document.encounter, document.rules, who, combatant.id)
        return UNKNOWN_DISTANCE if feet is None else feet

    nearest = min(likely, key=apart, default=None)
    return nearest.id if nearest is not None else ""


def target_picks(document: DocumentModel, who: str, *, include_all: bool) -> list[PickOption]:
    """Return the targets as options with letters. `include_all` adds unconscious combatants, allies and objects."""
    likely = likely_targets(document, who)
    picks = [_pick(document, who, combatant) for combatant in likely]
    if include_all:
        near = {who, *(combatant.id for combatant in likely)}
        living = (combatant for combatant in combatants_in_order(document) if not combatant.dead)
        picks += [_pick(document, who, combatant) for combatant in living if combatant.id not in near]
        picks += _things(document)
    return [_lettered(pick, place) for place, pick in enumerate(picks)]


def combatant_picks(combatants: list[Combatant], refused: dict[str, str] | None = None) -> list[PickOption]:
    """Return combatants as options, each with a letter and, if it is in `refused`, the reason against it."""
    why = refused or {}
    picks = (PickOption(each.id, each.label, refused=why.get(each.id, "")) for each in combatants)
    return [_lettered(pick, place) for place, pick in enumerate(picks)]


def _lettered(pick: PickOption, place: int) -> PickOption:
    return msgspec.structs.replace(pick, key=TARGET_LETTERS[place : place + 1])


def _pick(document: DocumentModel, who: str, combatant: Combatant) -> PickOption:
    feet = geometry.distance(document.encounter, document.rules, who, combatant.id)
    armor = armor_class(document.encounter, document.rules, combatant.id)
    cover = sight.cover_bonus(document.encounter, document.rules, who, combatant.id)
    met = armor.total + (cover.value if cover is not None else 0) if armor.total else "?"
    points = document.words("ui.hp.points", now=combatant.hp, maximum=combatant.hp_max)
    parts = [document.words("ui.turn.ac", n=met), points]
    if feet is not None:
        away = tr("ui.map.other-floor") if feet == geometry.ANOTHER_FLOOR else f"{feet} {tr('ui.general.feet')}"
        parts.append(away)
    sign = "eye-off" if sight.is_hidden_from(document.encounter, document.rules, combatant.id, who) else ""
    icon = sign if combatant.hp > 0 else "heart-broken"
    return PickOption(combatant.id, combatant.label, ", ".join(parts), icon=icon, note=parts[0])


def _things(document: DocumentModel) -> Iterator[PickOption]:
    field = current_map(document.encounter)
    for thing in field.obstacles if field is not None else ():
        if thing.ac or thing.hp:
            yield PickOption(thing.id, thing.name or thing.id, icon="cube-outline")
    for place in document.encounter.all(Environment):
        for row in (*place.actions, *place.features):
            if row.enabled and row.ac:
                yield PickOption(f"{place.id}.{row.id}", row.name, icon="earth")


OTHER_TARGETS = "*others"
ROLL_TO_HIT, DAMAGE = "ask.attack", "prompt.damage"
TYPED = "0123456789+-!"


def offer_id(offer: attack_request.AttackOffer) -> str:
    """Return the id of an attack option: `axe`, `axe thrown`, `axe off-hand`."""
    return " ".join(part for part in (offer.weapon.id, "thrown" if offer.thrown else "", offer.purpose) if part)


class AttackCard(Card):
    """Makes one attack. Emits `closed` when it is cancelled or done, and `attacked` before each of its commands."""

    closed = Signal()
    attacked = Signal()

    def __init__(self, document: DocumentModel) -> None:
        super().__init__("harm")
        self._document = document
        self.who = ""  # the attacker, or an empty string while the card is closed
        self._purpose = ""
        self._given = ""
        self._means = ""
        self._target = ""
        self._everyone = False
        self._counted = 0  # change in the bonus if the attack counts as an earlier or later one
        self._last: dict[str, tuple[str, str]] = {}
        self._offers: dict[str, attack_request.AttackOffer] = {}
        self._before: set[str] | None = None  # while an attack begins: the procedures that existed before
        self._procedure = ""
        self.claimed_prompt = ""
        self.preview: attack_request.AttackPreview | None = None
        self.weapons = PickRow(tr("ui.attack.with"))
        self.attacks = PickRow(tr("ui.attack.nth"))
        self.targets = PickRow(tr("ui.attack.at"))
        self.facts = FactRow(document)
        self.reasons = ReasonRow(document)
        self.to_hit = RollRow(stacked=True)
        self.damage = RollRow(stacked=True)
        self.button = self.to_hit.button
        self.rule = WhyLabel(tr("ui.prompt.rule"), "caption", "muted")
        self.vetoes = plain_label("", "caption", "harm", wraps=True)
        self._title = plain_label("", "strong")
        self._about = ElidedLabel("", "caption", "muted")
        self._choices = (self.weapons, self.attacks, self.targets, self.facts, self.reasons)
        self._lay_out()
        for row in (self.to_hit, self.damage):
            row.submitted.connect(self.attack)
            row.rollRequested.connect(self.attack)
            row.failAccepted.connect(lambda: self._answer(failed_answer(self._ask().id)))
        self.weapons.picked.connect(lambda: self._choose_means(self.weapons.chosen()))
        self.attacks.picked.connect(lambda: self._count_as(int(self.attacks.chosen()[0])))
        self.targets.picked.connect(lambda: self._choose_target(self.targets.chosen()))
        self.facts.changed.connect(self.refresh)
        document.documentChanged.connect(self._last.clear)

    def _lay_out(self) -> None:
        self.body.setContentsMargins(scaled(20), scaled(12), scaled(12), scaled(12))
        close = named(KeyButton("", self.closed.emit, "Esc", "quiet", "close"), tr("ui.turn.close-form"))
        head = fill(horizontal(), IconLabel("sword", "harm", 24), self._title, (self._about, 1), close)
        fill(self.body, head, *self._choices, self.to_hit, self.damage, fill(horizontal(), (self.vetoes, 1), self.rule))

    # Called by the dock ------------------------------------------------------------------------------------------

    def open_for(self, who: str, weapon: str = "", target: str = "", purpose: str = "", bonus: int = 0) -> None:
        """Open the card for an attacker, with a weapon (default: the last used) and a target (default: the likely one).

        `purpose` is the occasion of the attack, as in the `Attack` command. `bonus` is the difference in the attack
        bonus if the attack doesn't count as the next attack of the turn, but as an earlier or later one.
        """
        last_means, last_target = self._last.get(who, ("", ""))
        if (who, purpose) != (self.who, self._purpose):
            self._everyone = False
            self._clear_rulings()
        self.who, self._purpose = who, purpose
        if bonus:
            self._counted = bonus
        self._procedure = ""
        self._given = weapon
        self._means = weapon or last_means
        combatants = self._document.selected_combatants
        selected = combatants[0] if len(combatants) == 1 and combatants[0] != who else ""
        likely = suggested_target(self._document, who, last_target)
        self._target = target or (likely if selected == last_target else selected) or likely
        for row in (self.to_hit, self.damage):
            row.line.clear()
        self.refresh()

    def aim_at(self, target: str) -> None:
        """Change the target of an attack that hasn't been made yet."""
        if not self._procedure:
            self._choose_target((target,))

    def close_card(self) -> None:
        """Close the card and forget its rulings."""
        self.who = self._procedure = self.claimed_prompt = ""
        self._clear_rulings()
        self._document.lettersOffered.emit({})

    def _clear_rulings(self) -> None:
        self._counted = 0
        self.facts.clear_rulings()

    def refresh(self) -> None:
        """Update the card from the encounter and the entered values."""
        document, lookup = self._document, self._document.encounter
        attacker = lookup.get(Combatant, self.who) if self.who else None
        if attacker is None:
            return
        if self._before is not None and not self._procedure:
            self._procedure = self._begun(self._before)
        if self._procedure:
            self._follow()
            return
        available = attack_request.available_attacks(lookup, document.rules, self.who, self._aim())
        offers = [offer for offer in available if self._suits(offer)]
        # If a weapon was requested, offer only its variants.
        offers = [offer for offer in offers if offer.weapon.id == self._given] or offers
        self._offers = {offer_id(candidate): candidate for candidate in offers}
        if self._means not in self._offers:
            self._means = next(iter(self._offers), "")
        title = f"ui.attack.title-{self._purpose}" if self._purpose else "ui.attack.title"
        self.setAccessibleName(tr(title, who=attacker.label))
        offer = self._offers.get(self._means)
        self._title.setText(self._name_of(offer) if offer is not None else self.accessibleName())
        self._about.setText(self._about_text(attacker))
        means = [self._means_pick(id, candidate) for id, candidate in self._offers.items()]
        self.weapons.set_picks(means, (self._means,))
        self.weapons.setVisible(len(self._offers) > 1)
        self._show_attacks()
        picks = target_picks(document, self.who, include_all=self._everyone)
        if self._target and self._target not in {pick.id for pick in picks} and self._target != OTHER_TARGETS:
            self._everyone = True
            picks = target_picks(document, self.who, include_all=True)
        more = [] if self._everyone else [PickOption(OTHER_TARGETS, "…", tr("ui.attack.others"))]
        self.targets.set_picks([*picks, *more], (self._target,))
        document.lettersOffered.emit({pick.id: pick.key for pick in picks})
        self.preview = self._previewed()
        self.facts.show_facts(self.who, self._aim(), self.preview)
        self.reasons.show_preview(self.preview)
        self._show_rows()
        self._show_vetoes()
        tab_through(self.weapons, [*self._choices[1:], self.to_hit, self.damage, self.rule])

    def command(self) -> attack_request.Attack | None:
        """Return the attack command, or None if the weapon or the target is missing."""
        offer = self._offers.get(self._means)
        if offer is None or not self._target:
            return None
        purpose = self._purpose or offer.purpose
        entered = self.facts.entered_bonus()
        bonus = self._counted + (entered.value if isinstance(entered, Modifier) else 0)
        return attack_request.Attack(
            self.who,
            self._target,
            offer.weapon.id,
            purpose=purpose,  # type: ignore[arg-type]
            thrown=offer.thrown,
            facts=self.facts.entered_facts(),
            modifiers=(Modifier(bonus, "why.narrator"),) if bonus else (),
            bonus=entered.dice if isinstance(entered, ExtraDice) else "",
            other_damage=self.facts.other_damage_of(offer.weapon),
        )

    def attack(self) -> None:
        """Attack with the typed result or a new roll, overriding the vetoes shown. After that, make the next roll."""
        if self._procedure:
            self._answer()
            return
        if (command := self.command()) is None:
            self.targets.take_focus()
            return
        if self.to_hit.typed() and self._problem(self.to_hit):
            return
        insist = bool(self.preview is not None and self.preview.vetoes)
        self._last[self.who] = (self._means, self._target)
        self._before = set(self._document.encounter.ids(Procedure))
        self.attacked.emit()
        done = self._document.execute(command, override=insist)
        self._before = None
        if not done:
            self.refresh()
            return
        if not self._purpose and self._document.encounter.get(Combatant, command.target) is not None:
            self._document.select_combatants((command.target,))
        if not self._procedure:
            self.closed.emit()
        elif self.claimed_prompt and self._row() is self.to_hit:
            self._answer()

    def take_focus(self) -> None:
        """Put the focus on the pending roll, or on the targets before the attack."""
        if self.claimed_prompt:
            self._row().line.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.targets.take_focus()

    def explain(self) -> bool:
        """Explain the pending roll."""
        return self._row().explain()

    # Keys ----------------------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        return claims_key(event, self._takes) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row, text = self._row(), event.text()
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.attack()
        elif event.key() == Qt.Key.Key_Question:
            self.explain()
        elif event.key() in SIDEWAYS and self.attacks.isVisible():
            self._count_as(self._counted_as() + SIDEWAYS[Qt.Key(event.key())])
        elif self._is_letter(event):
            self.targets.choose_by_key(text)
        elif event.key() == Qt.Key.Key_X and not self._procedure:
            self.facts.turn(1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 0)
        elif text and text in TYPED and not row.line.isHidden():
            row.line.setFocus(Qt.FocusReason.OtherFocusReason)
            row.line.insert(text)
        elif self._skips(event):
            self._document.execute(DismissPrompt(self.claimed_prompt))
        else:
            super().keyPressEvent(event)

    def _takes(self, event: QKeyEvent) -> bool:
        """Whether the card handles a key that is also a shortcut."""
        return self._is_letter(event) or self._skips(event) or event.key() == Qt.Key.Key_X

    def _skips(self, event: QKeyEvent) -> bool:
        """Whether a key skips the roll of the attack."""
        return event.key() == Qt.Key.Key_S and not event.modifiers() and bool(self.claimed_prompt)

    def _is_letter(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        keys = {button.pick.key for button in self.targets.buttons()} if not self._procedure else set()
        return plain and bool(event.text()) and event.text() in keys

    # The attack in progress --------------------------------------------------------------------------------------

    def _begun(self, before: set[str]) -> str:
        """Return the id of the attack that has just begun, or an empty string if none is in progress."""
        begun = (procedure for procedure in self._document.encounter.all(Procedure) if procedure.id not in before)
        attacks = ((procedure.id, procedure.data) for procedure in begun)
        own = (id for id, data in attacks if isinstance(data, AttackInProgress) and data.attacker == self.who)
        return next(own, "")

    def _follow(self) -> None:
        """Show the next roll of the attack, or close the card when the attack is done."""
        procedure = self._document.encounter.get(Procedure, self._procedure)
        had_focus = holds_focus(self)
        self.claimed_prompt = ""
        self._document.lettersOffered.emit({})
        for widget in (*self._choices, self.vetoes, self.rule):
            widget.hide()
        if procedure is None:
            if self._before is None:
                self.closed.emit()
            return
        prompt = next(iter(open_prompts(self._document.encounter)), None)
        asks = waiting_asks(prompt) if prompt is not None and prompt.procedure == procedure.id else ()
        if prompt is None or len(asks) != 1 or asks[0].kind != "roll":
            return
        if asks[0].label != ROLL_TO_HIT and prompt.title != DAMAGE:
            return
        self.claimed_prompt = prompt.id
        view = prompt_view(self._document, prompt).asks[0]
        row, about = self._row(), procedure.data
        attack = about if isinstance(about, AttackInProgress) else None
        is_damage = row is self.damage
        name = tr("ui.attack.damage" if is_damage else "ui.attack.to-hit")
        before = is_damage and attack is not None and attack.critical and not (asks[0].spec or RollSpec("")).doubled
        note = tr("ui.attack.before-critical") if before else view.note
        row.show_ask(replace(view, who=name, text="", figure=view.roll, note=note), " ")
        row.set_open(is_open=True)
        row.set_current(is_current=True)
        if is_damage and attack is not None:
            total = attack.roll.total if attack.roll is not None else None
            self.to_hit.show_roll("–" if total is None else str(total), tr(f"ui.attack.was-{attack.outcome}"))
            self.to_hit.set_current(is_current=False)
            self.to_hit.line.hide()
            self.to_hit.button.hide()
        if had_focus:
            self.take_focus()

    def _row(self) -> RollRow:
        """Return the row of the pending roll."""
        prompt = self._document.encounter.get(Prompt, self.claimed_prompt) if self.claimed_prompt else None
        return self.damage if prompt is not None and prompt.title == DAMAGE else self.to_hit

    def _ask(self) -> Ask:
        return waiting_asks(self._document.encounter.need(Prompt, self.claimed_prompt))[0]

    def _answer(self, reply: Reply | None = None) -> None:
        """Answer the prompt with `reply`, else with the typed result, else by rolling."""
        prompt = self._document.encounter.get(Prompt, self.claimed_prompt) if self.claimed_prompt else None
        row = self._row()
        if prompt is None or (reply is None and row.typed() and self._problem(row)):
            return
        answer = reply or Reply(self._ask().id, typed=row.typed(), roll=not row.typed())
        self.attacked.emit()
        self._document.execute(Answer(prompt.id, (answer,), prompt.revision))

    def _problem(self, row: RollRow) -> str:
        """Show and return the error in the text typed in a row."""
        problem = row.problem()
        show_reason(self.vetoes, problem, "harm")
        self.vetoes.setVisible(bool(problem))
        return problem

    # Parts of the card -------------------------------------------------------------------------------------------

    def _show_rows(self) -> None:
        """Show the rolls that the attack will need."""
        preview, explain = self.preview, explainer(self._document)
        by_hand = (self._document.encounter.get(Dice, "dice") or Dice()).mode == "ask"
        roll, damage = (preview.roll, preview.damage) if preview is not None else (None, None)
        for row, name, spec in ((self.to_hit, "to-hit", roll), (self.damage, "damage", damage)):
            shown_spec = spec if spec is not None else RollSpec("")
            view = AskView(
                name,
                "roll",
                tr(f"ui.attack.{name}"),
                roll=roll_text(shown_spec, explain) if spec is not None else "–",
                figure=short_roll(shown_spec, explain) if spec is not None else "–",
                note=self._odds_text(roll) if row is self.to_hit and roll is not None else "",
                why=self._why(shown_spec, name) if spec is not None else None,
                problem=partial(typing_problem, spec=shown_spec),
            )
            row.show_ask(view, " ")
            row.set_open(is_open=row is self.to_hit, can_type=by_hand and spec is not None and bool(spec.dice))
            row.set_current(is_current=row is self.to_hit)
        self.damage.setVisible(damage is not None)

    def _why(self, spec: RollSpec, name: str) -> Callable[[], Explanation]:
        explain = explainer(self._document)
        rule = explain.rule_on_topic("damage.form") if name == "damage" else ""
        return lambda: explain.explain_roll_spec(spec, tr(f"ui.attack.{name}"), rule=rule)

    def _odds_text(self, roll: RollSpec) -> str:
        """Return the target's AC and the chance to hit it."""
        defence = self.preview.defence if self.preview is not None else None
        if defence is None:
            return ""
        against = self._document.words("ui.turn.ac", n=defence.total)
        if (odds := attack_request.hit_odds(self._document.rules, roll, defence.total)) is None:
            return against
        percent = round(100 * odds.chance)
        if odds.least is None:
            return tr("ui.attack.odds-only", against=against, percent=percent)
        return tr("ui.attack.odds", against=against, least=odds.least, percent=percent)

    def _about_text(self, attacker: Combatant) -> str:
        """Return the attacker's label, with the number of the attack in the turn if it matters."""
        rules, encounter = self._document.rules, self._document.encounter
        if self._purpose:
            return self.accessibleName()
        if rules.data.attack.tally:
            return tr("ui.attack.by-nth", who=attacker.label, n=attacks_made(encounter, rules, attacker.id) + 1)
        maximum = attacks_per_action(creature_of(encounter, attacker))
        if maximum < 2 or rules.data.attack.priced:
            return attacker.label
        n = maximum - (attack_request.attacks_left(encounter, attacker.id) or maximum) + 1
        return tr("ui.attack.by-attack", who=attacker.label, n=n, most=maximum)

    def _name_of(self, offer: attack_request.AttackOffer) -> str:
        return self._document.phrasebook.expand_keys(offer.weapon.name)

    def _aim(self) -> str:
        return "" if self._target == OTHER_TARGETS else self._target

    def _suits(self, offer: attack_request.AttackOffer) -> bool:
        """Whether an attack option fits the card's purpose and is available now, or was requested by the caller."""
        is_available = offer.weapon.id == self._given or all(veto.reason != NOT_THERE for veto in offer.vetoes)
        return is_available and (not self._purpose or not offer.purpose)

    def _means_pick(self, id: str, offer: attack_request.AttackOffer) -> PickOption:
        name = self._name_of(offer)
        if offer.weapon.attack is not None:
            name = f"{name} {signed_text(offer.weapon.attack)}"
        marks = [tr("ui.attack.thrown")] if offer.thrown else []
        marks += [tr("ui.attack.off-hand")] if offer.purpose == "off-hand" else []
        refused = explainer(self._document).veto_text(next(iter(offer.vetoes), None))
        sign = "bow-arrow" if offer.kind == "ranged" else "sword"
        label = f"{name} ({', '.join(marks)})" if marks else name
        return PickOption(id, label, offer.weapon.damage, "" if self._purpose else refused, icon=sign)

    def _previewed(self) -> attack_request.AttackPreview | None:
        command = self.command()
        if command is None or not self._aim():
            return None
        lookup, rules, choices = self._document.encounter, self._document.rules, attack_request.AttackChoices
        target, chosen = command.target, copy_fields(choices, command)
        try:
            return attack_request.preview_attack(lookup, rules, command.who, target, command.weapon, chosen)
        except Refused:
            return None

    def _show_vetoes(self) -> None:
        explain = explainer(self._document)
        checks = scene_of(self._document.encounter).strictness
        vetoes = self.preview.vetoes if self.preview is not None and checks != "off" else ()
        lines = explain.veto_lines(vetoes, "§")
        texts = [line.reason for line in lines]
        notes = [explain.name(text) for text in (self.preview.open_questions if self.preview is not None else ())]
        notes += [tr("ui.attack.guess")] if self.preview is not None and self.preview.must_guess_square else []
        enforced = checks == "enforce"
        tone = "muted" if not texts else "harm" if enforced else "warn"
        show_reason(self.vetoes, " ".join(texts or notes) if self._aim() else tr("ui.attack.no-target"), tone)
        rolls = not self.to_hit.line.isHidden() or self.preview is None or bool(self.preview.roll.dice)
        word = tr("ui.roll.roll") if rolls else tr("ui.attack.attack")
        self.vetoes.show()  # hidden while the rolls of an attack are shown
        self.button.setText(tr("ui.refused.anyway") if texts and enforced else word)
        self.button.setEnabled(bool(self._aim()) and bool(self._offers))
        self.rule.set_why(Explanation(tr("ui.attack.against-it"), "", tuple(lines)) if lines else None)
        self.rule.setVisible(bool(lines))
        for part in (self.targets, self.facts, self.reasons):
            part.show()
        self.button.show()

    def _choose_means(self, ids: tuple[str, ...]) -> None:
        place = self._counted_as()
        self._means = next(iter(ids), self._means)
        self._count_as(place)

    # Counting as another attack of the turn ----------------------------------------------------------------------

    def _bonuses(self) -> tuple[int, ...]:
        """Return the bonus of each attack of the turn, or an empty tuple if later attacks have the same bonus."""
        rules, offer = self._document.rules, self._offers.get(self._means)
        if not rules.data.attack.tally or offer is None or self._purpose:
            return ()
        return attack_request.bonuses_in_turn(self._document.encounter, rules, self.who, offer.weapon)

    def _due(self, bonuses: tuple[int, ...]) -> int:
        return min(attacks_made(self._document.encounter, self._document.rules, self.who), len(bonuses) - 1)

    def _counted_as(self) -> int:
        """Return the index of the attack of the turn that this one counts as, or -1 if none matches."""
        bonuses = self._bonuses()
        due = self._due(bonuses)
        places = (place for place, bonus in enumerate(bonuses) if bonus - bonuses[due] == self._counted)
        return next(places, -1)

    def _count_as(self, place: int) -> None:
        """Count this attack as another attack of the turn. An index out of range is clamped to the first or last."""
        bonuses = self._bonuses()
        self._counted = 0
        if len(bonuses) > 1:
            place = max(0, min(place, len(bonuses) - 1))
            self._counted = bonuses[place] - bonuses[self._due(bonuses)]
        self.refresh()

    def _show_attacks(self) -> None:
        """Show the attacks of the turn with their bonuses, if the bonuses differ."""
        bonuses = self._bonuses()
        first = tr("ui.attack.first")
        picks = [
            PickOption(str(place), signed_text(bonus), note=signed_text(bonus - bonuses[0]) if place else first)
            for place, bonus in enumerate(bonuses)
        ]
        self.attacks.set_picks(picks, (str(self._counted_as()),))
        self.attacks.setVisible(len(picks) > 1)
        self.targets.steps = UPRIGHT if len(picks) > 1 else ARROW_STEPS

    def _choose_target(self, ids: tuple[str, ...]) -> None:
        target = next(iter(ids), "")
        if target == OTHER_TARGETS:
            self._everyone = True
            self.refresh()
            self.targets.take_focus()
            return
        if target != self._target:
            self.facts.clear_target()
        self._target = target
        self.refresh()
