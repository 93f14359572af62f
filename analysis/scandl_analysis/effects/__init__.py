"""Effects of words on reading, human and generated, and how well models recover them."""
