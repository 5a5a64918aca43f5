"""Scores of the product on labelled data; every figure that a note quotes comes from here."""
