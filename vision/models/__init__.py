"""Small weights trained on our own pictures, and the scripts that made them."""
