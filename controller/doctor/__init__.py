"""What is wrong with this board, in one line each with what to do: settings, reeds, pins, camera, feed, machine."""
