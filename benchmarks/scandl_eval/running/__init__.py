"""The whole benchmark: folds, predictions of every model, scores, leaderboard; resumable."""
