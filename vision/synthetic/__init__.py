"""Pictures that the program draws while it runs: the virtual table of the demo, and the tests'."""
