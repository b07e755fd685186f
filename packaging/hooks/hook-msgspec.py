"""What msgspec's compiled half imports."""

hiddenimports = ["msgspec._utils", "msgspec._json_schema", "msgspec.inspect"]
