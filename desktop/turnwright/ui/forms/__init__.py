"""Forms: fields created from the specs of a struct, in rows and groups defined as data."""
