"""Where the units of a grading are graded: on this machine, behind a command, or by Slurm's job arrays."""
