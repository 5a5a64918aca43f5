"""The virtual table: players, camera, reeds and buttons without hardware.

The table is a witness beside the referee, never a part of him: ``story`` folds the actions of hands (``actions``) into
the world (``world``), ``tablefile`` keeps them through any crash, ``truth`` tells from them what was really played.
``players`` and ``arbiter`` decide what is done next from the table and from the referee's display (``visible``) alone.
"""
