"""Where frames come from: the camera's thread, its lens, and whether a scene is quiet."""
