"""Public corpora: one declaration each, one engine that reads them, one that fetches their files."""
