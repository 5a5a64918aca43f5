"""Edges of the service: journal, feed, pages, camera and bridge translation."""
