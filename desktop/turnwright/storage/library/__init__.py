"""The user's library: entries, parties, favourites, search, licences and the trash."""
