"""Raw recordings: fixations or samples on a screen, the areas of the words, and the lines of a text."""
