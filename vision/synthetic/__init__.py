"""Pictures of boards we make ourselves, for training and for the virtual table."""
