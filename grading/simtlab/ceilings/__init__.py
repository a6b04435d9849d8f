"""What a GPU allows at most: peak arithmetic, bandwidth, and the ceiling of a kernel by its arithmetic intensity."""
