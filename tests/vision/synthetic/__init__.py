"""What the demo and the tests draw."""
