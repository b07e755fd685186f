"""Lines that read short text, such as `12 fire` or `dex 15`, and the parsers behind them."""
