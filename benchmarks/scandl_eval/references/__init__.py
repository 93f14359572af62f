"""What a score is read beside: human ceilings, trivial readers, published tables."""
