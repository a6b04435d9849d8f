"""What the grader knows of a lab: its points, its hidden cases and how a submission of it is built."""
