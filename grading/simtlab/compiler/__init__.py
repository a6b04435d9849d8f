"""From a student's source to a runner."""
