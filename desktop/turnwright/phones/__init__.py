"""The web page for following a fight on the players' phones. It receives finished views and no other data."""
