"""Forms over prepared records: fields that show a value, and subjects that say where an edited one goes."""
