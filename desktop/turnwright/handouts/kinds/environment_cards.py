"""Environment cards to cut out, four to a sheet: lasting features, and world actions with use boxes."""

from typing import Final

from turnwright.handouts.environment_data import EnvironmentData
from turnwright.handouts.page_input import PageContent, PageInput, PageKind, Section

ID: Final = "environment-cards"


def make(source: PageInput) -> PageContent:
    """Return the cards, or no pages if there are no environments."""
    places = EnvironmentData(source).environments(chosen=True)
    return PageContent((Section(ID, {"places": places}),)) if places else PageContent()


KIND = PageKind(ID, make, form="cut-one-side")
