"""The frame that trains the nets."""
