"""The contents of the tool bar during and after a fight: its round, what it waits for, and the next action."""

from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.state import Encounter, clock_of, scene_of
from turnwright.play.kernel.events import game_time
from turnwright.play.queries.queries import can_offer_end_encounter, open_prompts, waiting_asks
from turnwright.play.turns.awards import open_award
from turnwright.rules.system import RuleSystem
from turnwright.ui.look.style import tr
from turnwright.ui.look.window_data import window_data
from turnwright.ui.models.initiative_pending import begin_words
from turnwright.ui.services.encounter_status import ANSWER, RunStatus

ROLLS = window_data("rolls", dict[str, str])


def fight_status(encounter: Encounter, rules: RuleSystem) -> RunStatus:
    """Return the tool bar's contents for a fight that was started."""
    clock, scene = clock_of(encounter), scene_of(encounter)
    if clock.phase == "ended":
        left = open_award(encounter, rules)
        words = tr(f"ui.end.award-{left}") if left else ""
        return RunStatus(tr("ui.run.ended"), tr("ui.run.ended-after", n=clock.round), ANSWER if left else "", words)
    prompts, light = open_prompts(encounter), tr(f"ui.light.{scene.light}")
    waiting = waiting_text(prompts[0]) if prompts else ""
    if clock.phase == "rounds":
        if not prompts and can_offer_end_encounter(encounter):
            waiting = tr("ui.prompt.end")
        facts = "  ·  ".join(filter(None, (game_time(clock.elapsed_seconds), light)))
        return RunStatus(tr("ui.run.round", n=clock.round), facts, ANSWER if waiting else "end-turn", waiting)
    if any(prompt.blocks for prompt in prompts):
        return RunStatus(tr("ui.run.set-up"), light, ANSWER, waiting)
    return RunStatus(tr("ui.run.set-up"), light, "begin", tr(f"ui.run.{begin_words(encounter, rules)}"))


def waiting_text(prompt: Prompt) -> str:
    """Return a text for the next answer that a prompt needs, such as `Roll 3 saves` or `Choose targets`."""
    asks = waiting_asks(prompt)
    if (kind := asks[0].kind) != "roll":
        return tr(f"ui.run.waiting-{kind}")
    rolled = [ROLLS.get(ask.label.removeprefix("ask."), "dice") for ask in asks if ask.kind == "roll"]
    return tr(f"ui.run.roll-{rolled[0]}", n=rolled.count(rolled[0]))
