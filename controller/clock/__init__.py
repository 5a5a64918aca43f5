"""The tournament clock as a pure value; time is an argument."""
