"""The active turn: who acts and with what, the prompts that wait, what may be done, and the damage box.

Between turns, at the world's step, it shows the world; during set-up what comes next; before it the first step.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from turnwright.encounter.prepared import Feature, Scene
from turnwright.encounter.running import Clock, Combatant
from turnwright.encounter.state import Key
from turnwright.play.commands import (
    ApplyDamage,
    Command,
    GrantTemporary,
    Heal,
    Share,
    Spend,
    StartEncounter,
    TakeAction,
)
from turnwright.play.inquiries import ActionOffer, actions_for, active_combatants, clock, resources_of
from turnwright.play.procedures.order import turn_order
from turnwright.rules.system import creature_of
from turnwright.ui.bridge import Bridge
from turnwright.ui.docks.explain import explainer
from turnwright.ui.docks.prompts import PromptArea
from turnwright.ui.docks.turn_head import TurnHead
from turnwright.ui.docks.world_row import is_worlds_step
from turnwright.ui.fonts import GAP, GROUP_GAP, px
from turnwright.ui.icons import icon
from turnwright.ui.theme import ThemeSource
from turnwright.ui.widgets.action_bar import ActionBar, ActionView
from turnwright.ui.widgets.amount_text import Amount, shared
from turnwright.ui.widgets.cards import Card, EmptyState
from turnwright.ui.widgets.damage_box import DamageBox
from turnwright.ui.widgets.glyph import Glyph
from turnwright.ui.widgets.text import plain_label, restyle
from turnwright.ui.widgets.why import Why, WhyLine, signed

FEATURES_AT_MOST = 4
FEATURE = "feature:"


class StepHead(QWidget):
    """A banner where nobody acts: the world's step, or a step of set-up, with a line that says what happens there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(px(GAP))
        row = QHBoxLayout()
        row.setSpacing(px(GAP))
        self._glyph = Glyph("earth", "world", 28)
        self.title = plain_label("", "banner", "world")
        row.addWidget(self._glyph)
        row.addWidget(self.title, 1)
        column.addLayout(row)
        self.text = plain_label("", tone="muted", wraps=True)
        column.addWidget(self.text)
        self.card = Card("accent")
        self.aloud = plain_label("", wraps=True)
        self.lasting = plain_label("", tone="muted", wraps=True)
        for label in (self.aloud, self.lasting):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.card.body.addWidget(label)
        for label in (self.text, self.aloud, self.lasting):
            label.setMinimumHeight(1)  # the height for the width counts, not that of its narrowest
        column.addWidget(self.card)

    def show_scene(self, aloud: str, lasting: str) -> None:
        """Show what is read aloud and what holds for the whole scene; two empty texts take the card away."""
        for label, text in ((self.aloud, aloud), (self.lasting, lasting)):
            label.setText(text)
            label.setVisible(bool(text))
        self.card.setVisible(bool(aloud or lasting))

    def show_step(self, icon: str, title: str, text: str, tone: str) -> None:
        """Show a step."""
        self._glyph.set_icon(icon, tone)
        self.title.setText(title)
        self.title.setProperty("tone", tone)
        restyle(self.title)
        self.text.setText(text)


class TurnDock(QDockWidget):
    """The dock of the active turn."""

    def __init__(self, bridge: Bridge, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(bridge.words("ui.turn.title"), parent)
        self.setObjectName("turn-dock")
        self.setAccessibleName(bridge.words("ui.turn.title"))
        self._bridge = bridge
        self._theme = theme
        self._who = ""
        self._offers: dict[str, ActionOffer | Feature] = {}
        self.empty = EmptyState("play-circle-outline", "", bridge.words("ui.turn.start"))
        if self.empty.button is not None:
            self.empty.button.setIcon(icon("play"))
        self.empty.clicked.connect(lambda: self._do(StartEncounter()))
        self.head = TurnHead(bridge)
        self.step_head = StepHead()
        self.prompts = PromptArea(bridge)
        self.live = QWidget()
        self.action_bar = ActionBar(self.live)
        self.damage = DamageBox(self._damage_kinds())
        self._lay_out(self.live)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self.live)
        self._stack.addWidget(self._scroll)
        self.setWidget(self._stack)
        self.action_bar.chosen.connect(self._act)
        self.damage.submitted.connect(self._apply)
        self.prompts.left.connect(self._leave_prompts)
        bridge.changed.connect(lambda _changed: self._refresh())
        bridge.replaced.connect(self._start_over)
        bridge.selected.connect(self._on_selected)
        self._refresh()

    def _lay_out(self, live: QWidget) -> None:
        column = QVBoxLayout(live)
        column.setContentsMargins(px(GROUP_GAP), px(12), px(GROUP_GAP), px(12))
        column.setSpacing(px(12))
        column.addWidget(self.head)
        column.addWidget(self.step_head)
        column.addWidget(self.prompts, 1)
        column.addWidget(self.action_bar)
        column.addWidget(self.damage)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.live.hasFocus():
            self.live.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)

    # For the window ------------------------------------------------------------------------------------------------

    def fill_damage(self, text: str) -> None:
        """Write an amount into the damage box, such as a roll clicked in a stat block."""
        self.damage.fill(text)

    def focus_prompt(self) -> bool:
        """Put the focus on the most urgent prompt; False where nothing waits."""
        return self.prompts.take_focus()

    # Keeping up ----------------------------------------------------------------------------------------------------

    def _start_over(self) -> None:
        self._who = ""
        self.damage.set_kinds(self._damage_kinds())
        self._refresh()

    def _damage_kinds(self) -> tuple[str, ...]:
        return tuple(kind.id for kind in self._bridge.rules.catalogue.damage_types)

    def _refresh(self) -> None:
        now = clock(self._bridge.encounter)
        running = now.phase in ("set-up", "rounds")
        self._stack.setCurrentIndex(1 if running else 0)
        if not running:
            self._show_empty(now)
            return
        active = active_combatants(self._bridge.encounter)
        chosen = self._bridge.selection
        combatant = next((one for one in active if chosen == (Combatant.table, one.id)), active[0] if active else None)
        if now.phase == "set-up" or combatant is None or is_worlds_step(self._bridge):
            self._show_step(now)
        else:
            self._show_turn(combatant)
        self._offer_targets()
        self.prompts.refresh()

    def _leave_prompts(self) -> None:
        """Go from the prompts to where number keys act: on no button, lest one Enter too many should press it."""
        self.live.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_empty(self, now: Clock) -> None:
        words = self._bridge.words
        self.empty.set_sentence(words("ui.turn.over" if now.phase == "ended" else "ui.turn.empty"))
        if self.empty.button is not None:
            self.empty.button.setText(words("ui.turn.start-again" if now.phase == "ended" else "ui.turn.start"))

    def _show_head(self, head: QWidget) -> None:
        """Show one of the two heads."""
        for each in (self.head, self.step_head):
            each.setVisible(each is head)

    def _show_step(self, now: Clock) -> None:
        words = self._bridge.words
        if now.phase == "set-up":
            title, text = words(f"ui.turn.step-{now.step}"), words(f"ui.turn.step-{now.step}-text")
            self.step_head.show_step("flag-checkered", title, text, "accent")
            scene = self._bridge.encounter.get(Scene, "scene") if now.step == "scene" else None
            self.step_head.show_scene(scene.read_aloud.strip() if scene else "", scene.conditions if scene else "")
        else:
            text = words("ui.turn.world-text", round=now.round)
            self.step_head.show_step("earth", words("ui.turn.world"), text, "world")
            self.step_head.show_scene("", "")
        self._who = ""
        self._show_head(self.step_head)
        self.action_bar.set_actions(())

    def _show_turn(self, combatant: Combatant) -> None:
        if combatant.id != self._who:
            self._who = combatant.id
            if not set(self.damage.targets.chosen()) - {combatant.id}:
                self.damage.targets.choose(())
        self._show_head(self.head)
        self.head.show_who(combatant)
        self.action_bar.set_actions(self._action_views(combatant))

    # What may be done ------------------------------------------------------------------------------------------------

    def _action_views(self, combatant: Combatant) -> list[ActionView]:
        creature = creature_of(self._bridge.encounter, combatant)
        features = [each for each in creature.features if each.cost in ("action", "bonus") and _has_figures(each)]
        offers = actions_for(self._bridge.encounter, self._bridge.rules, combatant.id)
        self._offers = {f"{FEATURE}{each.id}": each for each in features[:FEATURES_AT_MOST]}
        self._offers |= {offer.action.id: offer for offer in offers}
        views = [self._feature_view(combatant, each) for each in features[:FEATURES_AT_MOST]]
        return views + [self._action_view(combatant, offer) for offer in offers]

    def _feature_view(self, combatant: Combatant, feature: Feature) -> ActionView:
        words = self._bridge.words
        have = {one.resource.id: one for one in resources_of(self._bridge.encounter, self._bridge.rules, combatant.id)}
        cost = have.get(feature.cost)
        name = feature.name if feature.attack is None else f"{feature.name} {signed(feature.attack)}"
        spent = "" if cost is None or cost.left else words("ui.turn.more-of-it", resource=cost.resource.name.lower())
        tip = "\n".join(part for part in (feature.damage, feature.text, spent) if part)
        return ActionView(f"{FEATURE}{feature.id}", name, tip, "", lambda: Why(name, "", (WhyLine("·", tip),)))

    def _action_view(self, combatant: Combatant, offer: ActionOffer) -> ActionView:
        explain = explainer(self._bridge)
        refused = ""
        if offer.refused == "refused.none_left":
            resource = f"<resource.{offer.action.cost}>"
            refused = explain.say(offer.refused, who=combatant.label, resource=resource)
        elif offer.refused.startswith("<"):
            refused = explain.say("refused.condition", condition=offer.refused)
        elif offer.refused:
            refused = explain.say(offer.refused, who=combatant.label)

        def why() -> Why:
            rules = (*((offer.rule,) if offer.rule else ()), *offer.action.ledger)
            known = [rule for rule in rules if explain.is_known(rule)]
            lines = [
                WhyLine("§", explain.ledger.title(rule), rule, explain.ledger.statement(rule)) for rule in known[:4]
            ]
            return Why(
                offer.action.name, "", tuple(lines), (), tuple(text for text in (refused, offer.action.text) if text)
            )

        return ActionView(offer.action.id, offer.action.name, offer.action.text, refused, why)

    def _act(self, id: str) -> None:
        offer = self._offers.get(id)
        if isinstance(offer, Feature):
            self._use_feature(offer)
        elif offer is not None:
            self._do(TakeAction(self._who, offer.action.id))

    def _use_feature(self, feature: Feature) -> None:
        """Spend what it costs, if that is still there (one action may hold several attacks), and make its damage ready."""
        have = {one.resource.id: one for one in resources_of(self._bridge.encounter, self._bridge.rules, self._who)}
        cost = have.get(feature.cost)
        if cost is not None and cost.left and not self._do(Spend(self._who, feature.cost, feature.name)):
            return
        if feature.damage:
            self.fill_damage(feature.damage)

    # Damage --------------------------------------------------------------------------------------------------------

    def _offer_targets(self) -> None:
        encounter = self._bridge.encounter
        order = [who for slot in turn_order(encounter, self._bridge.rules) for who in slot.members]
        rest = [one.id for one in encounter.all(Combatant) if one.id not in set(order)]
        found = [one for who in (*order, *rest) if (one := encounter.get(Combatant, who)) is not None]
        self.damage.targets.set_people([(one.id, one.label) for one in found])

    def _on_selected(self, key: Key | None) -> None:
        if key is not None and key[0] == Combatant.table and key[1] != self._who:
            self.damage.targets.choose((key[1],))

    def _apply(self, targets: object, amount: object, share: Share) -> None:
        if not isinstance(targets, tuple) or not isinstance(amount, Amount):
            return
        if self.damage.amount.line.hasFocus():  # number keys and N act again
            self.live.setFocus(Qt.FocusReason.OtherFocusReason)
        combatant = self._bridge.encounter.get(Combatant, self._who) if self._who else None
        source = combatant.label if combatant else ""
        if amount.purpose == "heal":
            self._do(Heal(targets, shared(amount.number, share), source))
        elif amount.purpose == "temporary":
            self._do(GrantTemporary(targets, shared(amount.number, share), source))
        else:
            self._do(ApplyDamage(targets, amount.expression, source, share=share))

    def _do(self, command: Command) -> bool:
        return self._bridge.do(command, initiator="turn")


def _has_figures(feature: Feature) -> bool:
    return feature.attack is not None or bool(feature.damage)
