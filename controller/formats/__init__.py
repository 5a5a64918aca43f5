"""What people and other programs read and write: notation, ids, .mat, a match's record, its score sheet. Pure."""
