"""Reeds, buttons and lamps: the wire, the pins and the microcontroller. Knows nothing of the game."""
