"""What this machine has, what it lacks, and the next step for each."""
