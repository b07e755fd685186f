"""Charts. The chart library is imported only here, when a chart is first shown."""
