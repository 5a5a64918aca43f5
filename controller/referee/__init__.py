"""The turn machine: a pure fold of events into state and effects."""
