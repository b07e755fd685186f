"""Charts. The chart library is imported here and nowhere else, and not before a chart is first shown."""
