"""Tests of the grader: one file a module of the package, by the same name."""
