"""What the board most likely shows, given sightings and the positions that could be."""
