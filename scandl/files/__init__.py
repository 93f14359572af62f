"""What the project reads and writes: tables, prediction files, provenance, whole or not at all."""
