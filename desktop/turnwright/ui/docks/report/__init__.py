"""The Report panel: the course of the fight in sentences, a table and charts."""
