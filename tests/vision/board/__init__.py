"""Where the board is."""
