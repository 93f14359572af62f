"""Trained models at work, on torch or without it; nothing here knows how they were trained."""
