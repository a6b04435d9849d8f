"""Finding what students handed in; only declared files are taken, and nothing of theirs is followed out of their
folder."""
