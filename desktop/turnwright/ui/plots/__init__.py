"""Charts. The chart library is imported only in this package, when a chart is first shown."""
