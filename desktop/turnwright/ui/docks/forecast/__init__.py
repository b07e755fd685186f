"""The Forecast panel: a summary in sentences first, then charts and the notes on the forecast."""
