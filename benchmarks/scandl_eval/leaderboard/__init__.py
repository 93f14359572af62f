"""The leaderboard of a run: its rows, its files, how it is shown."""
