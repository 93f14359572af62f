"""Turn results into documents: HTML, PDF, plain text."""
