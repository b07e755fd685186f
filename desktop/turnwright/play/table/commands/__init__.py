"""Commands of table, a module each: the record and its handler."""
