"""Which fields of which records the players may know. A test replaces everything else, and compares what they see."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec


class Fields(msgspec.Struct, frozen=True):
    """The fields of a record, each named once, separated by spaces.

    `always` ones the players may know, `never` ones not; `seen` ones of a record that belongs to a combatant who is not
    hidden, `shown` ones of a record that the game master shows.
    """

    never: str = ""
    always: str = ""
    seen: str = ""
    shown: str = ""

    def names(self) -> list[str]:
        """Return the names of all fields."""
        return f"{self.never} {self.always} {self.seen} {self.shown}".split()


FIELDS: Mapping[str, Fields] = MappingProxyType({
    "scene": Fields(never=(
            "id title system purpose strictness read_aloud notes conditions options suspended rolling treasure"
        ), always="round_seconds light"),
    "creatures": Fields(never=(
            "id size type tags rating ac ac_note hp hit_dice speeds hovers abilities saves skills senses "
            "languages initiative resistances vulnerabilities immunities absorptions mundane_immunity "
            "mundane_resistance condition_immunities gear features notes source level proficiency maneuver_dc "
            "space reach attacks extra_attack spellcasting specialties passives slots legendary pools alignment "
            "xp environments description remarks licence read disable disable_needs phases mundane_except"
        ), seen="name"),
    "roster": Fields(never=(
            "id creature name count side player level ac hp initiative check sneaking hidden wave place positions "
            "outside gear notes elevation controller rides group dying bystander adjustment state"
        )),
    "environments": Fields(never="id name description size features actions source notes rating complex"),
    "countdowns": Fields(never="id dice speed starts unstoppable secret outcomes notes", shown="name"),
    "waves": Fields(never="id round when who notes"),
    "map": Fields(never=(
            "id columns rows cell diagonals ground heights light walls windows curtains obstacles areas picture "
            "barriers doors lights"
        )),
    "handouts": Fields(never="id title style text signed picture"),
    "clock": Fields(never="id setup_step surprise_settled elapsed_seconds reason end_declined",
        always="phase round", seen="active"),
    "dice": Fields(never="id seed counter mode script"),
    "ids": Fields(never="id next"),
    "visitors": Fields(never=(
            "id size type tags rating ac ac_note hp hit_dice speeds hovers abilities saves skills senses "
            "languages initiative resistances vulnerabilities immunities absorptions mundane_immunity "
            "mundane_resistance condition_immunities gear features notes source level proficiency maneuver_dc "
            "space reach attacks extra_attack spellcasting specialties passives slots legendary pools alignment "
            "xp environments description remarks licence read disable disable_needs phases mundane_except"
        ), seen="name"),
    "combatants": Fields(never=(
            "id roster temp_hp ac initiative initiative_bonus check edge sneaking place position outside gear "
            "plan turns_ended elevation rides controlled controller group dying bystander first_actor "
            "supplied_numbers phases"
        ), seen="label side hp hp_max dead player hidden creature"),
    "slots": Fields(never="id joined_to acted delay", seen="count members tie_rolls fixed first_actor"),
    "tracks": Fields(never="id owner name value maximum"),
    "effects": Fields(never=(
            "id source ends break_free by uses_left concentrator damage end_condition note since_round "
            "rounds_left counted_on sustained save dc reminder_at"
        ), seen="target name value shown"),
    "relations": Fields(never="id who other distance height cover seen flanked reached within beyond"),
    "pools": Fields(never="id rolls unstoppable", shown="countdown dice status last_faces"),
    "arrivals": Fields(never="id round"),
    "entry_states": Fields(never="id environment entry ready recharge_rolled targeted broken due_round revealed"),
    "thing_states": Fields(never="id hp broken burning"),
    "door_states": Fields(never="id open found"),
    "procedures": Fields(never="id kind stage data parent"),
    "announcements": Fields(never="id who procedure name responds_to reserved targets is_movement rules_overridden"),
    "prompts": Fields(never="id procedure title subject asks answers blocks rule revision"),
})  # fmt: skip
