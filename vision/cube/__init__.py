"""The doubling cube: where it lies and the number on its top."""
