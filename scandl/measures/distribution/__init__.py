"""Whether generated scanpaths are distributed like human ones, not only near to one of them."""
