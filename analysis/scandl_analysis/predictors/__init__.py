"""What is known of a word before anyone reads it: length, frequency, surprisal."""
