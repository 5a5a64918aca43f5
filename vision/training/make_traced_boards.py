"""Traces pictures of whole boards: ``python -m vision.training.make_traced_boards OUT --boards 200 --seed 1``.

Needs Blender as a module (extra ``render``). A picture's name is its seed and number:
``pictures.samples.scenes_to_trace`` gives what it shows. ``make_checkers_samples --traced OUT`` cuts them.
"""

from vision.training.pictures.samples import scenes_to_trace
from vision.training.tracing import trace_boards

if __name__ == "__main__":
    trace_boards(__doc__, scenes_to_trace)
