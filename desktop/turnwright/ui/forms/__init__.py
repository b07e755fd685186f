"""Forms: fields made from the specs of a struct, in rows and groups given as data."""
