"""Whether one measurement is faster than another: statistics for few samples, and what they are applied to."""
