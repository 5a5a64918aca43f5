"""Tests of the dice: drawing, views, reading."""
