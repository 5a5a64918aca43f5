"""Generators of the pictures that the nets learn from and are measured on."""
