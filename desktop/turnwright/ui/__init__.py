"""The window: everything with pixels. Docks show what the encounter is; what people do goes through the bridge as commands.

No rule is decided here, and no text of the game's stands here: figures come from `workspace`, words from the word catalogue.
"""
