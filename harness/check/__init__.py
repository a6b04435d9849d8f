"""`make check`: every test of the project, with an account of everything that was skipped."""
