"""The running process: devices post events, one thread owns the state."""
