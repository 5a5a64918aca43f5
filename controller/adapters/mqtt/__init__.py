"""The MQTT feed: what a board publishes, and what an arbiter orders."""
