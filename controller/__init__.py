"""The referee: rules, clock, fusion, turn machine, service and the edges around them."""
