"""Text encoders: static vectors for the word pieces of a sentence."""
