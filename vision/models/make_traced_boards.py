"""Traces pictures of whole boards: ``python -m vision.models.make_traced_boards OUT --boards 200 --seed 1``.

Needs Blender as a module (extra ``render``). A picture's name is its seed and number:
``vision.synthetic.samples.scenes_to_trace`` tells what it shows. ``make_checkers_samples --traced OUT`` cuts them.
"""

from vision.models.tracing import trace_boards
from vision.synthetic.samples import scenes_to_trace

if __name__ == "__main__":
    trace_boards(__doc__, scenes_to_trace)
