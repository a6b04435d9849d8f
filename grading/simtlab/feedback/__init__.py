"""What students may see of hidden cases: the policy, and a submission as a student may see it."""
