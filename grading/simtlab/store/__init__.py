"""Results, exactly once: an append-only store of files, and an index that can be thrown away."""
