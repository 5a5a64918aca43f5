"""What lies on the points, on the bar and beside the board, with probabilities."""
