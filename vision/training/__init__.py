"""Training: generated pictures, the nets and the commands that make the weights. Not part of the wheel."""
