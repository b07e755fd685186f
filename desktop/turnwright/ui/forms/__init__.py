"""Forms: fields created from a struct's specs, in rows and groups that are defined as data."""
