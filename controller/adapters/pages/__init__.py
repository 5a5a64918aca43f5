"""The pages: the display for spectators and the arbiter's panel."""
