"""The rules of nardy as pure values."""
