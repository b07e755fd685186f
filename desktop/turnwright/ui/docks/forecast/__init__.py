"""The Forecast panel: a short summary, followed by charts and notes."""
