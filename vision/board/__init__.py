"""Where the board is: its geometry, the markers, finding it by its own look, and whether it has moved."""
