"""Files for other programs: each format is a module that writes what this one keeps, and tells what could not go with it."""
