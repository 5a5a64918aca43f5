"""The MQTT feed: what a board tells the world, and what an arbiter tells the board."""
