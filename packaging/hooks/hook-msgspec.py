"""Adds the modules that the compiled part of msgspec imports."""

hiddenimports = ["msgspec._utils", "msgspec._json_schema", "msgspec.inspect"]
