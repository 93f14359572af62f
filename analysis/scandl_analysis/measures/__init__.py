"""Reading measures of words and of whole scanpaths, one pure function each."""
