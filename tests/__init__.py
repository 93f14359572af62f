"""The tests; a package, because distributions have been seen that install another of this name."""
