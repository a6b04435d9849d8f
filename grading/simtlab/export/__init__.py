"""Grades for other systems. Each format is a pure function from the gradebook to files by name; points are the
gradebook's own everywhere."""
