"""The Suggest panel: three proposed encounters for the party, each changed slot by slot and added as one step."""
