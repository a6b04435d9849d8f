"""`make bench`: runs every benchmark program several times and prints medians beside what they are compared with."""
