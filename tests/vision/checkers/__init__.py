"""What lies on it."""
