"""Traces boards crowded with stacks: ``python -m vision.training.make_traced_stacks OUT --boards 200 --seed 1``.

Needs Blender as a module (extra ``render``). A picture's name is its seed and number:
``vision.training.pictures.stacks.stacked_scenes`` tells what it shows. ``make_stack_samples --traced OUT`` cuts them.
"""

from functools import partial

from vision.training.pictures.stacks import stacked_scenes
from vision.training.tracing import trace_boards

if __name__ == "__main__":
    trace_boards(__doc__, partial(stacked_scenes, traced=True))
