"""Records and score sheets made from the journal."""
