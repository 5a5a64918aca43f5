"""Traces boards crowded with stacks: ``python -m vision.models.make_traced_stacks OUT --boards 200 --seed 1``.

Needs Blender as a module (extra ``render``). A picture's name is its seed and number:
``vision.synthetic.stacks.stacked_scenes`` tells what it shows. ``make_stack_samples --traced OUT`` cuts them.
"""

from functools import partial

from vision.models.tracing import trace_boards
from vision.synthetic.stacks import stacked_scenes

if __name__ == "__main__":
    trace_boards(__doc__, partial(stacked_scenes, traced=True))
