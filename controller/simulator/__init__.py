"""The virtual table: players, camera, reeds and buttons without hardware."""
