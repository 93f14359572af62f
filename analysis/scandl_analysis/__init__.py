"""Analyse scanpaths as psycholinguists do: measures, predictors, regressions."""
