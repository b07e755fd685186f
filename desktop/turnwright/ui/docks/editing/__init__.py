"""Forms over prepared records: fields that show and edit a value, and bindings that write it."""
