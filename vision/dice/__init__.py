"""Which dice lie on the board, what they show and how they lie."""
