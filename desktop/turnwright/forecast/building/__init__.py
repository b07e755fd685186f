"""The parts of the fight sheet, each made of the questions of one subject."""
