"""The virtual table: players, camera, reeds and buttons without hardware.

The table stands beside the referee and is no part of it: ``table_state`` folds the ``actions`` of hands into the
``world``, ``tablefile`` keeps them through any crash, ``truth`` says from them what was really played. ``players`` and
``arbiter`` decide what is done next from the table and from the referee's display (``visible``) alone. ``session``
plugs it all into a real service.
"""
