"""The tidy word table, and the readings it is made from."""
