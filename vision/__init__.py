"""Pixels to readings: where the board is, what lies on it, how surely. Knows nothing of the game."""
