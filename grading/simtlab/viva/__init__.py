"""Questions about a student's own kernel, whose answers were measured."""
